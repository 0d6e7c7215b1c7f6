#include "text/numbers.h"

#include "cli/message.h"
#include "text/job.h"

#include <stdatomic.h>
#include <stdlib.h>

struct text_numbers {
    struct text_job *job;
    uint64_t num_taken; /* lines of the piece */
};

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

struct text_numbers *text_numbers_open(const struct source *source, const char *path,
                                       clsort_type type)
{
    enum { MEMORY = 16 << 20, BLOCK = 2 << 20 }; /* bytes: little, and enough for several threads */
    struct text_numbers *numbers = calloc(1, sizeof(*numbers));
    if (!numbers) {
        message("out of memory");
        return NULL;
    }
    struct text_job *job = text_make_typed_job(path, type);
    if (!job) {
        free(numbers);
        return NULL;
    }
    numbers->job = job;
    job->options.memory = MEMORY;
    job->block = BLOCK;
    job->stream = (struct text_stream){.source = *source};
    job->num_opened = 1;
    return numbers;
}

bool text_numbers_read(struct text_numbers *numbers, void *keys, size_t capacity,
                       size_t *num_keys_ret)
{
    struct text_job *job = numbers->job;
    const struct lines *lines = &job->lines;
    bool is_last;
    if (numbers->num_taken == lines->count && capacity > 0) {
        text_drop_piece(job);
        numbers->num_taken = 0;
        if (!text_read_piece(job, &is_last))
            return false;
    }
    const uint64_t left = lines->count - numbers->num_taken;
    *num_keys_ret = left < capacity ? (size_t)left : capacity;
    const bool ok = text_parse_lines(job, numbers->num_taken, *num_keys_ret, keys);
    numbers->num_taken += *num_keys_ret;
    return ok;
}

void text_numbers_close(struct text_numbers *numbers)
{
    if (!numbers)
        return;
    text_stream_close(&numbers->job->stream);
    text_free_piece(numbers->job);
    free(numbers->job);
    free(numbers);
}
