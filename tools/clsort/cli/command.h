/* command.h: a program of the tool: its start, its subcommands, and the exit statuses. */
#ifndef CLSORT_TOOL_COMMAND_H
#define CLSORT_TOOL_COMMAND_H

/* As sort(1) has them. */
enum { EXIT_DONE = 0, EXIT_DISORDER = 1, EXIT_TROUBLE = 2 };

/* start.c: what a program does before and after its work: streams, limits, signals. Returns its
 * exit status: that of run(), or trouble where its output is lost. */
int start(int argc, char **argv, int (*run)(int argc, char **argv));

/* PoCL 3.1 ends the process if the name of its cache's folder is empty. */
void forget_empty_cache(void);

/* Prints the version; returns the exit status. */
int print_version(void);

/* argv[0] is the subcommand's name. */
int command_sort(int argc, char **argv);
int command_check(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_top(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_tune(int argc, char **argv);

#endif
