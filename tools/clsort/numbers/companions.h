/* companions.h: files that go with a file of keys: that of --segments, which says where its parts
 * begin and end, and those of --values, which move with the keys of 'clsort sort'. What fails
 * dies. */
#ifndef CLSORT_TOOL_COMPANIONS_H
#define CLSORT_TOOL_COMPANIONS_H

#include "io/bytes.h"
#include "io/output.h"

#include <clsort/clsort.h>

/* Raw u64 numbers of keys, one more than there are segments; none of them is less than the one
 * before it. */
struct segments {
    const char *path; /* NULL: there are no segments */
    struct bytes offsets;
    uint64_t num;
};

/* Reads the file. Refuses what is no such file, or is to be read from standard input as the keys
 * are. */
void segments_read(struct segments *segments, const char *keys_path);

/* They have to end within that many keys. */
void segments_check_end(const struct segments *segments, uint64_t num_keys);

enum { MAX_VALUE_FILES = 16 };

struct value_paths {
    uint32_t num;
    const char *all[MAX_VALUE_FILES];
};

struct value_files {
    struct value_paths paths, output_paths; /* of --values and --values-output */
    struct bytes bytes[MAX_VALUE_FILES];
    void *data[MAX_VALUE_FILES];     /* theirs */
    uint32_t sizes[MAX_VALUE_FILES]; /* bytes of a value */
    struct output outputs[MAX_VALUE_FILES];
};

/* Takes a path of one of these options. */
void value_files_add(struct value_paths *paths, const char *option, const char *path);

/* Each file has to have an output, no two outputs are the same file, that of the keys included, and
 * standard input is read once, segments (NULL: there are none) included. */
void value_files_check(const struct value_files *files, const char *input, const char *segments,
                       const char *output);

/* Reads all files. Each has a value of the same size for every key. */
void value_files_read(struct value_files *files, uint64_t num_keys);

void value_files_open_outputs(struct value_files *files);

/* Gives the outputs their names, when all that is written is on the disk; the keys' output is one
 * of them. */
void value_files_finish(struct value_files *files, struct output *keys);

/* Lets go of all that is held; fine for files that were not read. */
void value_files_close(struct value_files *files);

#endif
