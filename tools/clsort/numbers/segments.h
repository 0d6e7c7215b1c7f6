/* segments.h: the file of --segments, which says where the parts of another file begin and end. */
#ifndef CLSORT_TOOL_SEGMENTS_H
#define CLSORT_TOOL_SEGMENTS_H

#include "io/bytes.h"

/* Raw u64 numbers of keys, one more than there are segments; none of them is less than the one
 * before it. */
struct segments {
    const char *path; /* NULL: there are no segments */
    struct bytes offsets;
    uint64_t num;
};

/* Reads the file. False, with a message: it is no such file, or is to be read from standard input
 * as the keys are. */
bool segments_read(struct segments *segments, const char *keys_path);

/* Whether they end within that many keys; a message says if not. */
bool segments_are_within(const struct segments *segments, uint64_t num_keys);

#endif
