/* file.h: reads and writes the ranks' files by positioned calls. */
#ifndef FILE_H
#define FILE_H

#include "options.h"

/* This rank's share of the input. */
struct share {
    char *name;      /* of the file that this rank reads */
    uint64_t offset; /* bytes */
    uint64_t count;  /* keys */
};

/* Finds this rank's share. Returns false and records why if it cannot. All ranks call it. */
bool share_find(const struct options *options, struct share *share_ret);

/* Whether this rank has enough memory for its share; records it if not. */
bool share_fits(const struct options *options, const struct share *share);

/* Reads the share into memory for free(). Returns NULL and records why if it cannot. */
void *share_read(const struct options *options, const struct share *share);

/* Whether the result can be written, asked before the work: its name is free or a regular file's
 * that can be replaced, the file beside it can be made, and its disk has room for it: for those of
 * this machine's ranks, if each has one. Records it if not. This rank has `count` of the `total`
 * keys. Leaves no file. All ranks call it. */
bool result_is_possible(const struct options *options, uint64_t count, uint64_t total);

/* Writes the keys of all ranks. Lower ranks have `before` of the `total` keys. All ranks call it. A
 * failure is recorded and leaves no file, except that with a file for each rank some may have their
 * names already if another cannot get its own. */
bool result_write(const struct options *options, const void *keys, uint64_t count, uint64_t before,
                  uint64_t total);

#endif
