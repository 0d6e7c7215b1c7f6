/* temp.h: a file that gets its name when it is whole, and leaves nothing behind when the process
 * ends before: it has no name until then where the file system can do that, else a temporary one,
 * which signals remove. Errors are in errno. */
#ifndef CLSORT_TOOL_TEMP_H
#define CLSORT_TOOL_TEMP_H

#include <signal.h>
#include <stdbool.h>

struct temp {
    int fd;
    int slot; /* of the temporary name, counted from 1; 0: there is none */
};

/* The folder for temporary files: that of TMPDIR, or /tmp. */
const char *temp_dir(void);

/* The signals that end the process: those that are neither ignored nor a library's. */
void temp_get_signals(sigset_t *signals_ret);

/* From then on a signal that ends the process removes what there is of temporary names first.
 * Signals that are ignored stay so. */
void temp_catch_signals(void);

/* Makes a file in the directory of `target`, and catches signals. */
bool temp_open(struct temp *temp, const char *target);

/* Makes a file in a folder that never has a name once this returns; its descriptor, or -1. */
int temp_open_nameless(const char *dir);

/* Gives the file its name, in place of a file that has it. The descriptor stays open. */
bool temp_name(struct temp *temp, const char *target);

/* Closes the file, and removes it where it has not got its name. */
void temp_close(struct temp *temp);

#endif
