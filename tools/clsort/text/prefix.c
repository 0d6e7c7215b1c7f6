/* prefix.c: the prefixes of a piece's lines: of each line's code eight bytes, behind those
 * that all codes begin with. */
#include "text/job.h"

#include <stdatomic.h>

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

static bool code_slice(void *context, const struct parallel_slice *slice)
{
    struct coding *coding = context;
    struct text_job *job = coding->job;
    struct text_coder *coder = &job->coders[slice->thread];
    uint64_t *prefixes = job->sort.keys.data;
    uint32_t *places = job->sort.indices.data;
    bool has_long = false;
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        size_t size;
        const char *line = text_line(job, i, &size);
        if (text_is_picky(&job->order) && !text_accept(&job->order, NULL, 0, line, size, coder)) {
            lower_to(&coding->first_wrong, i);
            return false;
        }
        if (!text_encode(&job->order, line, size, coder))
            return false;
        const size_t shared = count_shared(coding->shared_code, &coder->code, job->shared);
        if (shared < job->shared)
            lower_to(&coding->shared, shared);
        prefixes[i] = text_prefix(&coder->code, shared);
        places[i] = (uint32_t)i;
        has_long |= coder->code.size > shared + 8;
    }
    if (has_long)
        atomic_store(&coding->has_long, true);
    return true;
}

/* Guesses by a sample what all codes begin with; *code is that of the first line. */
static bool guess_shared(struct text_job *job, struct bytes *code)
{
    enum { SAMPLE = 64 };
    struct text_coder *coder = &job->coders[0];
    const uint64_t count = job->lines.count;
    for (uint64_t i = 0; i < SAMPLE; i++) {
        size_t size;
        const char *line = text_line(job, count * i / SAMPLE, &size);
        if (!text_encode(&job->order, line, size, coder))
            return false;
        if (i == 0) {
            if (!bytes_append(code, coder->code.data, coder->code.size))
                return false;
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
    coding->shared = job->shared;
    if (!parallel_for(job->lines.count, SLICE, code_slice, coding))
        return false;
    if (coding->shared == job->shared)
        return true;
    job->shared = coding->shared;
    coding->has_long = false;
    return parallel_for(job->lines.count, SLICE, code_slice, coding);
}

/* What the threads that parse share. */
struct parsing {
    const struct text_job *job;
    uint64_t first, num; /* lines */
    void *keys;
    atomic_uint_fast64_t first_wrong; /* of them */
};

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
        lower_to(&parsing->first_wrong, i);
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

/* Numbers of a type are sorted as they are. */
static bool load_numbers(struct text_job *job)
{
    const uint64_t count = job->lines.count;
    uint32_t *places = job->sort.indices.data;
    for (uint64_t i = 0; i < count; i++)
        places[i] = (uint32_t)i;
    return text_parse_lines(job, 0, count, job->sort.keys.data);
}

bool text_make_prefixes(struct text_job *job, bool *has_long_ret)
{
    struct sort_job *sort = &job->sort;
    struct bytes first = {0};
    const uint64_t count = job->lines.count;
    const bool is_typed = text_is_typed(&job->order);
    struct coding coding = {.job = job, .first_wrong = count};
    sort->keys.size = (size_t)count * clsort_type_size(text_prefix_desc(job, count).type);
    sort->indices.size = (size_t)count * sizeof(uint32_t);
    *has_long_ret = false;
    if (!bytes_reserve(&sort->keys, sort->keys.size) ||
        !bytes_reserve(&sort->indices, sort->indices.size))
        return false;
    if (is_typed)
        return load_numbers(job);
    bool ok = guess_shared(job, &first);
    coding.shared_code = first.data;
    ok = ok && make(&coding);
    if (coding.first_wrong < count)
        text_refuse_line(job, coding.first_wrong);
    *has_long_ret = coding.has_long;
    bytes_free(&first);
    return ok;
}
