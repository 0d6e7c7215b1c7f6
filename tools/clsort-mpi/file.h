/* file.h: the ranks' files, by positioned reads and writes. */
#ifndef FILE_H
#define FILE_H

#include "options.h"

/* This rank's share of the input. */
struct share {
    char *name;      /* of its file */
    uint64_t offset; /* bytes */
    uint64_t count;  /* keys */
};

/* False with a note. All ranks call. */
bool share_find(const struct options *options, struct share *share_ret);

/* Whether this rank's machine has the memory for its share, as noted. */
bool share_fits(const struct options *options, const struct share *share);

/* NULL with a note; for free(). */
void *share_read(const struct options *options, const struct share *share);

/* Writes the keys of all ranks, `total` in all, `before` of them those of the lower ranks. All ranks
 * call; what fails is noted and nothing is left behind. */
bool result_write(const struct options *options, const void *keys, uint64_t count, uint64_t before,
                  uint64_t total);

#endif
