/* numbers.c: one number a line, read in pieces and parsed by all threads. */
#include "text/job.h"

#include "numbers/input.h"

#include <stdlib.h>

struct text_job *text_numbers_open(const struct source *source, const char *path, clsort_type type)
{
    enum { MEMORY = 16 << 20, BLOCK = 2 << 20 }; /* bytes: little, and enough for several threads */
    struct text_job *job = text_make_typed_job(path, type);
    if (!job)
        return NULL;
    job->options.memory = MEMORY;
    job->block = BLOCK;
    job->stream = (struct text_stream){.source = *source};
    job->num_opened = 1;
    return job;
}

bool text_numbers_read(struct text_job *job, void *keys, size_t capacity, size_t *num_keys_ret)
{
    bool is_last;
    if (job->num_taken == job->lines.count && capacity > 0) {
        text_drop_piece(job);
        job->num_taken = 0;
        if (!text_read_piece(job, &is_last))
            return false;
    }
    *num_keys_ret = (size_t)smaller(job->lines.count - job->num_taken, capacity);
    const bool ok = text_parse_lines(job, job->num_taken, *num_keys_ret, keys);
    job->num_taken += *num_keys_ret;
    return ok;
}

void text_numbers_close(struct text_job *job)
{
    if (!job)
        return;
    text_stream_close(&job->stream);
    text_free_piece(job);
    free(job);
}
