/* codes.c: the codes of a piece's lines. A code's prefix is its first eight bytes behind those that
 * all codes begin with. A piece is sorted by prefixes, or as strings by whole codes, which lie one
 * behind another. Where lines of equal keys are ordered by their bytes, these end the codes. */
#include "text/job.h"

#include <stdatomic.h>
#include <string.h>

enum { SLICE = 1 << 13 };

/* ---- Prefixes -------------------------------------------------------------------------------- */

/* What the threads that make codes share. */
struct coding {
    struct text_job *job;
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

static void code_slice(void *context, const struct parallel_slice *slice)
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
            return;
        }
        text_encode(&job->order, line, size, coder);
        const size_t shared = count_shared(coding->shared_code, &coder->code, job->shared);
        if (shared < job->shared)
            lower_to(&coding->shared, shared);
        prefixes[i] = text_prefix(&coder->code, shared);
        places[i] = (uint32_t)i;
        has_long |= coder->code.size > shared + 8;
    }
    if (has_long)
        atomic_store(&job->has_long, true);
}

/* Guesses by a sample what all codes begin with; *code is that of the first line. */
static void guess_shared(struct text_job *job, struct bytes *code)
{
    enum { SAMPLE = 64 };
    struct text_coder *coder = &job->coders[0];
    const uint64_t count = job->lines.count;
    for (uint64_t i = 0; i < SAMPLE; i++) {
        size_t size;
        const char *line = text_line(job, count * i / SAMPLE, &size);
        text_encode(&job->order, line, size, coder);
        if (i == 0) {
            bytes_append(code, coder->code.data, coder->code.size);
            job->shared = coder->code.size;
        }
        job->shared = count_shared(code->data, &coder->code, job->shared);
    }
}

/* Once more where lines that were not in the sample share less. */
static void make(struct coding *coding)
{
    struct text_job *job = coding->job;
    coding->shared = job->shared;
    parallel_for(job->lines.count, SLICE, code_slice, coding);
    if (coding->first_wrong < job->lines.count)
        text_refuse_line(job, coding->first_wrong);
    if (coding->shared < job->shared) {
        job->shared = coding->shared;
        job->has_long = false;
        parallel_for(job->lines.count, SLICE, code_slice, coding);
    }
}

/* What the threads that parse share. */
struct parsing {
    const struct text_job *job;
    uint64_t first, num; /* lines */
    void *keys;
    atomic_uint_fast64_t first_wrong; /* of them */
};

static void parse_slice(void *context, const struct parallel_slice *slice)
{
    struct parsing *parsing = context;
    const clsort_type type = parsing->job->order.type;
    const size_t key_size = clsort_type_size(type);
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        size_t size;
        uint64_t bits;
        const char *line = text_line(parsing->job, parsing->first + i, &size);
        if (text_parse(type, line, size, &bits) != TEXT_OK) {
            lower_to(&parsing->first_wrong, i);
            return;
        }
        key_store(key_size, parsing->keys, i, bits);
    }
}

void text_parse_lines(struct text_job *job, uint64_t first, uint64_t num, void *keys)
{
    struct parsing parsing = {
        .job = job, .first = first, .num = num, .keys = keys, .first_wrong = num};
    parallel_for(num, SLICE, parse_slice, &parsing);
    if (parsing.first_wrong < num)
        text_refuse_line(job, first + parsing.first_wrong);
}

void text_make_prefixes(struct text_job *job)
{
    struct sort_job *sort = &job->sort;
    struct bytes first = {0};
    const uint64_t count = job->lines.count;
    struct coding coding = {.job = job, .first_wrong = count};
    sort->keys.size = (size_t)count * clsort_type_size(text_prefix_desc(job, count).type);
    sort->indices.size = (size_t)count * sizeof(uint32_t);
    bytes_need(&sort->keys, sort->keys.size);
    bytes_need(&sort->indices, sort->indices.size);
    job->has_long = false;
    if (text_is_typed(&job->order)) { /* numbers of a type are sorted as they are */
        uint32_t *places = sort->indices.data;
        for (uint64_t i = 0; i < count; i++)
            places[i] = (uint32_t)i;
        text_parse_lines(job, 0, count, sort->keys.data);
        return;
    }
    guess_shared(job, &first);
    coding.shared_code = first.data;
    make(&coding);
    bytes_free(&first);
}

/* ---- Whole codes ----------------------------------------------------------------------------- */

struct codes {
    struct text_job *job;
    bool has_last;       /* the lines' bytes end the codes */
    struct bytes starts; /* count + 1 offsets of 8 bytes: first sizes, then their sums */
    struct bytes text;
};

/* The sizes of the codes, of keys and of bytes, or, if there is memory for them, the codes. */
static void put_slice(void *context, const struct parallel_slice *slice)
{
    struct codes *codes = context;
    uint64_t *starts = codes->starts.data;
    struct text_coder *coder = &codes->job->coders[slice->thread];
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        size_t size;
        const char *line = text_line(codes->job, i, &size);
        text_encode(&codes->job->order, line, size, coder);
        if (codes->has_last)
            text_encode_line(&codes->job->order, line, size, coder);
        if (codes->text.data)
            memcpy((char *)codes->text.data + starts[i], coder->code.data, coder->code.size);
        else
            starts[i + 1] = coder->code.size;
    }
}

/* Whether strings of a size, and what sorts them, are within the memory, the device's and that of
 * the piece; beside: bytes of the piece that are none of these. */
static bool fits(const struct text_job *job, const clsort_desc *desc, uint64_t size,
                 uint64_t beside, clsort_plan *plan)
{
    const struct device *device = &job->sort.device;
    if (clsort_get_plan(device->sorter, desc, plan, NULL, 0))
        return false;
    const uint64_t all = size + (desc->count + 1) * desc->strings->offset_size +
                         desc->count * sizeof(uint32_t) + plan->scratch_size;
    return beside + all <= job->options.memory &&
           all <= device->facts.memory - device->facts.memory / 10 &&
           size <= device->facts.max_alloc && plan->scratch_size <= device->facts.max_alloc;
}

static void sort(struct text_job *job, const clsort_desc *desc, const struct bytes *text,
                 const struct bytes *starts)
{
    struct sort_job *sort_job = &job->sort;
    const clsort_arrays arrays = {.keys = text->data,
                                  .offsets = starts->data,
                                  .indices = sort_job->indices.data};
    device_sort_arrays(&sort_job->device, desc, &arrays);
}

static bool is_same(const struct codes *codes, uint32_t a, uint32_t b)
{
    const uint64_t *starts = codes->starts.data;
    const char *text = codes->text.data;
    const uint64_t size = starts[a + 1] - starts[a];
    return size == starts[b + 1] - starts[b] &&
           memcmp(text + starts[a], text + starts[b], (size_t)size) == 0;
}

/* Marks all lines with equal codes but the first as dropped. */
static void mark_dropped(const struct codes *codes)
{
    uint32_t *lines = codes->job->sort.indices.data, last = lines[0];
    for (uint64_t i = 1; i < codes->job->lines.count; i++) {
        const uint32_t line = lines[i];
        if (is_same(codes, last, line))
            lines[i] = TEXT_DROPPED;
        last = line;
    }
}

static bool sort_measured(struct codes *codes)
{
    uint64_t *starts = codes->starts.data;
    const uint64_t count = codes->job->lines.count;
    starts[0] = 0;
    parallel_for(count, SLICE, put_slice, codes);
    for (uint64_t i = 0; i < count; i++)
        starts[i + 1] += starts[i];
    const clsort_strings strings = {.num_bytes = starts[count], .offset_size = 8};
    const clsort_desc desc = {.count = count, .index_size = 4, .strings = &strings};
    struct sort_job *job = &codes->job->sort;
    const struct lines *lines = &codes->job->lines;
    if (!fits(codes->job, &desc, starts[count], lines->text.size + lines->starts.size, &job->plan))
        return false;
    codes->text.size = (size_t)starts[count];
    bytes_need(&codes->text, starts[count]);
    parallel_for(count, SLICE, put_slice, codes);
    sort(codes->job, &desc, &codes->text, &codes->starts);
    if (codes->job->order.is_unique)
        mark_dropped(codes);
    return true;
}

bool text_sort_codes(struct text_job *job)
{
    struct codes codes = {.job = job, .has_last = text_has_last(&job->order)};
    codes.starts.size = (size_t)(job->lines.count + 1) * sizeof(uint64_t);
    bytes_need(&codes.starts, codes.starts.size);
    const bool is_done = sort_measured(&codes);
    bytes_free(&codes.starts);
    bytes_free(&codes.text);
    return is_done;
}

/* The text is what is sorted. */
bool text_sort_whole(struct text_job *job)
{
    const struct lines *lines = &job->lines;
    struct sort_job *sort_job = &job->sort;
    const clsort_strings strings = {.num_bytes = lines->text.size,
                                    .offset_size = lines->offset_size,
                                    .tail_size = 1};
    const clsort_desc desc = text_whole_desc(job, lines->count, &strings);
    if (!fits(job, &desc, lines->text.size, 0, &sort_job->plan))
        return false;
    sort_job->indices.size = (size_t)lines->count * sizeof(uint32_t);
    bytes_need(&sort_job->indices, sort_job->indices.size);
    sort(job, &desc, &lines->text, &lines->starts);
    return true;
}
