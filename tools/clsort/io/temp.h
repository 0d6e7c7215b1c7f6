/* temp.h: a file that gets its name when it is whole, and leaves nothing behind when the process
 * ends before: it has no name until then where the file system can do that, else a temporary one,
 * which signals remove. Errors are in errno. */
#ifndef CLSORT_TOOL_TEMP_H
#define CLSORT_TOOL_TEMP_H

#include <stdbool.h>

struct temp {
    int fd;
    int slot; /* of the temporary name, counted from 1; 0: there is none */
};

/* The folder for temporary files: that of TMPDIR, or /tmp. */
const char *temp_dir(void);

/* Removes what there is of temporary names, before a signal ends the process. No name is made or
 * moved after that: who begins waits. A signal handler may call it. */
void temp_remove_all(void);

/* Makes a file in the directory of `target`, and catches signals (signals.h). It has the mode, and
 * the list of access, of any new file there, or is its owner's alone. */
bool temp_open(struct temp *temp, const char *target, bool is_new);

/* Makes a file in a folder that never has a name once this returns; its descriptor, or -1. */
int temp_open_nameless(const char *dir);

/* Gives the file its name, in place of a file that has it. The descriptor stays open. */
bool temp_name(struct temp *temp, const char *target);

/* Closes the file, and removes it where it has not got its name. */
void temp_close(struct temp *temp);

#endif
