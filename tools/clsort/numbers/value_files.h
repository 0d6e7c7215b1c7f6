/* value_files.h: the files of --values, which move with the keys of 'clsort sort'. Every failure
 * prints its message. */
#ifndef CLSORT_TOOL_VALUE_FILES_H
#define CLSORT_TOOL_VALUE_FILES_H

#include "io/bytes.h"
#include "io/output.h"

#include <clsort/clsort.h>

enum { MAX_VALUE_FILES = 16 };

struct value_files {
    uint32_t num, num_outputs;
    const char *paths[MAX_VALUE_FILES];
    const char *output_paths[MAX_VALUE_FILES];
    struct bytes bytes[MAX_VALUE_FILES];
    void *data[MAX_VALUE_FILES];     /* theirs */
    uint32_t sizes[MAX_VALUE_FILES]; /* bytes of a value */
    struct output outputs[MAX_VALUE_FILES];
};

/* Takes --values FILE, and --values-output OUT. */
bool value_files_add(struct value_files *files, const char *path);
bool value_files_add_output(struct value_files *files, const char *path);

/* Whether each file has an output, no two outputs are the same file, that of the keys included, and
 * standard input is read once, segments (NULL: there are none) included. */
bool value_files_go_together(const struct value_files *files, const char *input,
                             const char *segments, const char *output);

/* Reads all files. Each has a value of the same size for every key. */
bool value_files_read(struct value_files *files, uint64_t num_keys);

bool value_files_open_outputs(struct value_files *files);

/* Gives the outputs their names, when all that is written is on the disk; the keys' output is one
 * of them. */
bool value_files_finish(struct value_files *files, struct output *keys);

/* Lets go of all that is held; fine for files that were not read. */
void value_files_close(struct value_files *files);

#endif
