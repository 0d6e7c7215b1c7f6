/* text_options.h: the options of 'clsort sort' that sort(1) has. */
#ifndef CLSORT_TOOL_TEXT_OPTIONS_H
#define CLSORT_TOOL_TEXT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

/* All options of 'clsort sort', for getopt_long(). */
extern const struct option text_table[];
extern const char text_letters[];

/* What those of sort(1) do, for 'clsort sort --help'. */
extern const char text_help[];

/* What the arguments ask for: one that sort(1) alone has is for lines of text. */
enum text_request { TEXT_NOT_ASKED, TEXT_ASKED, TEXT_HELP_ASKED, TEXT_VERSION_ASKED };
enum text_request text_request(int argc, char **argv);

/* Refuses files, up to a NULL, that sort(1) takes for keys, such as +1. */
bool text_refuse_old_keys(char **files);

/* 'clsort sort' with such arguments; returns the exit status. */
int text_command(int argc, char **argv);

#endif
