/* complete.h: what could stand in place of a command line's last word: 'clsort --complete',
 * which the shells' completion calls (completion.bash, completion.zsh). Prints a candidate a
 * line, or ":files" where a file's name is wanted. Options come from the tables that the
 * commands parse with: main.c runs the command with an option that none has, and refuse_option()
 * has the table then. */
#ifndef CLSORT_TOOL_COMPLETE_H
#define CLSORT_TOOL_COMPLETE_H

#include "cli/command_line.h"

#define COMPLETE_OPTION "--\001"

/* The words behind the program's name; the last one is to be completed. */
void complete_begin(int num_words, char **words);

bool complete_is_asked(void);

/* Prints the name if it begins as the last word does. */
void complete_offer(const char *name);

/* Completes an option, or its value, of a command: its table, and what the arguments are. */
void complete_options(const struct option *table, const struct argument *arguments);

#endif
