/* unique.h: of equal keys in order the first alone. */
#ifndef CLSORT_TOOL_UNIQUE_H
#define CLSORT_TOOL_UNIQUE_H

#include "numbers/key.h"
#include "io/output.h"

/* Keys in order, which may come in parts: the last one of a part is kept in mind. */
struct unique {
    const struct elements *elements;
    bool has_last;
    uint64_t last;        /* rank of the key before */
    uint64_t num_written; /* elements */
};

/* The next keys: in order as they lie, or in the order of these positions. */
struct unique_keys {
    const void *keys;
    const void *positions; /* NULL: as they lie */
    size_t position_size;  /* bytes */
    uint64_t count;
};

/* Writes those of the elements at `data`, of `size` bytes, one a key, whose key differs from the
 * key before. Every failure prints its message. */
bool unique_write(struct unique *unique, const struct unique_keys *keys, const void *data,
                  size_t size, struct output *output);

#endif
