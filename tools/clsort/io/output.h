/* output.h: files that appear whole or not at all. Every failure prints its message. */
#ifndef CLSORT_TOOL_OUTPUT_H
#define CLSORT_TOOL_OUTPUT_H

#include "io/direct.h"
#include "io/temp.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    const char *name; /* for messages */
    int fd;
    uint64_t num_written; /* bytes */
    uint64_t num_reserved;
    char *target; /* what the file in `temp` becomes; NULL where the output is written straight */
    struct temp temp;
    bool is_replacing;      /* there is a target already */
    bool is_complete;       /* all of it is on the disk, where that matters */
    struct direct direct;   /* the same file, for much at once */
    atomic_bool has_failed; /* a message has been printed */
};

/* Opens standard output where path is NULL or "-"; a pipe or a device as it is; and for a regular
 * file or a new one a temporary file beside it (temp.h), which goes away on failure and on every
 * signal that ends the process. Links are followed. A file that can be written but not replaced
 * (replace.h) is refused, and who may read one that is replaced is kept. */
bool output_open(struct output *output, const char *path);

/* Whether raw bytes can go there: not to a terminal. */
bool output_takes_bytes(const char *path);

/* False, with a message, if an input that is read while the output is written is the same file. */
bool output_refuse_input(const struct output *output, const char *name, int fd);

/* Takes the disk's room for a file of that many bytes, where the output is a file. */
bool output_reserve(struct output *output, uint64_t size);

bool output_write(struct output *output, const void *data, size_t size);

/* False, with a message of what --verify has found wrong: pieces may have been written to a pipe
 * before. */
bool output_refute(const struct output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same at a place of an output that is a file, from any thread; of several that fail one prints
 * its message. */
bool output_write_at(struct output *output, const void *data, uint64_t offset, size_t size);

/* The next bytes of the output, which are many, by several threads where it is a file. */
bool output_write_many(struct output *output, const void *data, uint64_t size);

/* Completes the file and gives it its name. */
bool output_finish(struct output *output);

/* Completes several files, and then gives each its name. If one of them cannot have it, messages
 * tell which have theirs. */
bool output_finish_all(struct output *const outputs[], uint32_t num);

/* Lets go of what was not finished; fine for one that is zero, finished or failed. */
void output_abandon(struct output *output);

/* Whether a file can be written there, before work whose result is written at its end. A pipe or a
 * device is not asked, and a folder is refused. */
bool output_is_possible(const char *path);

/* Writes a whole file. */
bool output_write_file(const char *path, const void *data, size_t size);

/* Lets what is printed go on after a signal whose handler returns, where the C library can. Once,
 * at the begin. */
void output_open_streams(void);

/* Flushes what printf() has written, and closes the file; false with a message if it did not get
 * out. The stream itself stays: drivers' threads and destructors may use it until the process has
 * ended. Once, at the end. */
bool output_close_stdout(void);

#endif
