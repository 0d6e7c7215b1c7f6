#include "text/numbers.h"

#include "text/job.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What the threads that parse share. */
struct parsing {
    const struct text_job *job;
    uint64_t first, num; /* lines */
    void *keys;
    atomic_uint_fast64_t first_wrong; /* of them */
};
enum { SLICE = 1 << 13 };

static bool parse_slice(void *context, const struct parallel_slice *slice)
{
    struct parsing *parsing = context;
    const clsort_type type = parsing->job->order.type;
    const size_t key_size = clsort_type_size(type);
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        size_t size;
        uint64_t bits;
        const char *line = text_line(parsing->job, parsing->first + i, &size);
        if (text_parse(type, line, size, &bits) == TEXT_OK) {
            key_store(key_size, parsing->keys, i, bits);
            continue;
        }
        uint64_t known = atomic_load(&parsing->first_wrong);
        while (i < known && !atomic_compare_exchange_weak(&parsing->first_wrong, &known, i))
            ;
        return false;
    }
    return true;
}

bool text_parse_lines(struct text_job *job, uint64_t first, uint64_t num, void *keys)
{
    struct parsing parsing = {
        .job = job, .first = first, .num = num, .keys = keys, .first_wrong = num};
    return parallel_for(num, SLICE, parse_slice, &parsing) ||
           text_refuse_line(job, first + parsing.first_wrong);
}

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
