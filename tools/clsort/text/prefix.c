/* prefix.c: the prefixes of a piece's lines: of each line's code eight bytes, behind those
 * that all codes begin with. */
#include "text/job.h"

#include <stdatomic.h>
#include <string.h>

enum { SLICE = 1 << 13 };

/* What the threads that make codes share. */
struct coding {
    struct text_job *job;
    atomic_bool has_long;
    const unsigned char *shared_code; /* the first line's, of which */
    atomic_uint_fast64_t shared;      /* bytes are at the begin of all codes */
    atomic_uint_fast64_t first_wrong; /* line */
};

static void lower_to(atomic_uint_fast64_t *least, uint64_t value)
{
    uint64_t known = atomic_load(least);
    while (value < known && !atomic_compare_exchange_weak(least, &known, value))
        ;
}

static size_t count_shared(const unsigned char *a, const struct bytes *b, size_t most)
{
    const unsigned char *bytes = b->data;
    const size_t size = b->size < most ? b->size : most;
    size_t num = 0;
    while (num < size && a[num] == bytes[num])
        num++;
    return num;
}

static bool code_slice(void *context, uint32_t thread, uint64_t slice)
{
    struct coding *coding = context;
    struct text_job *job = coding->job;
    struct text_coder *coder = &job->coders[thread];
    const uint64_t count = job->lines.lines.count;
    const uint64_t end = (slice + 1) * SLICE < count ? (slice + 1) * SLICE : count;
    const bool is_narrow = text_is_narrow(&job->order);
    uint64_t *prefixes = job->lines.job.keys.data;
    uint32_t *places = job->lines.job.indices.data;
    bool has_long = false;
    for (uint64_t i = slice * SLICE; i < end; i++) {
        size_t size;
        const char *line = text_line(job, i, &size);
        if (text_is_picky(&job->order) && !text_accept(&job->order, NULL, 0, line, size, coder)) {
            lower_to(&coding->first_wrong, i);
            return false;
        }
        if (!text_encode(&job->order, line, size, coder)) {
            if (coder->is_wrong)
                lower_to(&coding->first_wrong, i);
            return false;
        }
        const size_t shared = count_shared(coding->shared_code, &coder->code, job->shared);
        if (shared < job->shared)
            lower_to(&coding->shared, shared);
        const uint64_t prefix = text_prefix(&coder->code, shared);
        if (is_narrow)
            ((uint32_t *)job->lines.job.keys.data)[i] = (uint32_t)(prefix >> 32);
        else
            prefixes[i] = prefix;
        places[i] = (uint32_t)i;
        has_long |= coder->code.size > shared + 8;
    }
    if (has_long)
        atomic_store(&coding->has_long, true);
    return true;
}

/* Says what is wrong with a line: in which file, and where. */
static void refuse_line_of_piece(struct text_job *job, uint64_t i)
{
    size_t size;
    uint64_t first;
    const char *text = text_line(job, i, &size);
    const char *file = text_file_of(job, job->num_lines + i, &first);
    text_accept(&job->order, file, job->num_lines + i - first + job->order.num_headers + 1, text,
                size, &job->coders[0]);
}

/* Guesses by a sample what all codes begin with; *code is that of the first line. */
static bool guess_shared(struct text_job *job, struct bytes *code)
{
    enum { SAMPLE = 64 };
    struct text_coder *coder = &job->coders[0];
    const uint64_t count = job->lines.lines.count;
    for (uint64_t i = 0; i < SAMPLE; i++) {
        size_t size;
        const char *line = text_line(job, count * i / SAMPLE, &size);
        const bool is_coded = text_encode(&job->order, line, size, coder);
        if (!is_coded && coder->is_wrong) {
            job->shared = 0;
            return true;
        }
        if (!is_coded)
            return false;
        if (i == 0) {
            if (!bytes_reserve(code, coder->code.size))
                return false;
            memcpy(code->data, coder->code.data, coder->code.size);
            job->shared = coder->code.size;
        }
        job->shared = count_shared(code->data, &coder->code, job->shared);
    }
    return true;
}

/* Once more where lines that were not in the sample share less. */
static bool make(struct coding *coding)
{
    struct text_job *job = coding->job;
    const uint64_t num_slices = (job->lines.lines.count + SLICE - 1) / SLICE;
    coding->shared = job->shared;
    if (!parallel_for_by(parallel_threads(), num_slices, code_slice, coding))
        return false;
    if (coding->shared == job->shared)
        return true;
    job->shared = coding->shared;
    coding->has_long = false;
    return parallel_for_by(parallel_threads(), num_slices, code_slice, coding);
}

bool text_make_prefixes(struct text_job *job, bool *has_long_ret)
{
    struct sort_job *sort = &job->lines.job;
    struct bytes first = {0};
    const uint64_t count = job->lines.lines.count;
    struct coding coding = {.job = job, .first_wrong = count};
    sort->keys.size = (size_t)count * sizeof(uint64_t);
    sort->indices.size = (size_t)count * sizeof(uint32_t);
    bool ok = bytes_reserve(&sort->keys, sort->keys.size) &&
              bytes_reserve(&sort->indices, sort->indices.size) && guess_shared(job, &first);
    coding.shared_code = first.data;
    ok = ok && make(&coding);
    if (coding.first_wrong < count)
        refuse_line_of_piece(job, coding.first_wrong);
    *has_long_ret = coding.has_long;
    bytes_free(&first);
    return ok;
}
