/* command.h: the subcommands, and the exit statuses that they return. */
#ifndef CLSORT_TOOL_COMMAND_H
#define CLSORT_TOOL_COMMAND_H

/* As sort(1) has them. */
enum { EXIT_DONE = 0, EXIT_DISORDER = 1, EXIT_TROUBLE = 2 };

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
