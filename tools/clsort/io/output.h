/* output.h: files that appear whole or not at all. What fails dies. */
#ifndef CLSORT_TOOL_OUTPUT_H
#define CLSORT_TOOL_OUTPUT_H

#include "io/direct.h"
#include "io/temp.h"

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
    bool is_replacing;    /* there is a target already */
    struct direct direct; /* the same file, for much at once */
};

/* Opens standard output where path is NULL or "-"; a pipe or a device as it is; and for a regular
 * file or a new one a temporary file beside it (temp.h), which goes away on failure and on every
 * signal that ends the process. Links are followed. A file that can be written but not replaced
 * (replace.h) is refused, and who may read one that is replaced is kept. */
void output_open(struct output *output, const char *path);

/* Raw bytes cannot go to a terminal. */
void output_refuse_terminal(const char *path);

/* An input that is read while the output is written cannot be the same file. */
void output_refuse_input(const struct output *output, const char *name, int fd);

/* Takes the disk's room for a file of that many bytes, where the output is a file. */
void output_reserve(struct output *output, uint64_t size);

void output_write(struct output *output, const void *data, size_t size);

/* Dies with what --verify has found wrong: pieces may have been written to a pipe before. */
_Noreturn void output_refute(const struct output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same at a place of an output that is a file, from any thread. */
void output_write_at(struct output *output, const void *data, uint64_t offset, size_t size);

/* The next bytes of the output, which are many, by several threads where it is a file. */
void output_write_many(struct output *output, const void *data, uint64_t size);

/* Completes the file and gives it its name. */
void output_finish(struct output *output);

/* Completes several files, and then gives each its name. If one of them cannot have it, messages
 * tell which have theirs. */
void output_finish_all(struct output *const outputs[], uint32_t num);

/* Lets go of what was not finished; fine for one that is zero or finished. */
void output_abandon(struct output *output);

/* Dies if no file can be written there: asked before work whose result is written at its end. A
 * pipe or a device is not asked, and a folder is refused. */
void output_try(const char *path);

/* Writes a whole file. */
void output_write_file(const char *path, const void *data, size_t size);

/* Lets what is printed go on after a signal whose handler returns, where the C library can. Once,
 * at the begin. */
void output_open_streams(void);

/* Flushes what printf() has written, and closes the file; false with a message if it did not get
 * out. The stream itself stays: drivers' threads and destructors may use it until the process has
 * ended. Once, at the end. */
bool output_close_stdout(void);

#endif
