/* text_ties.c: lines whose codes begin with the same eight bytes, put in order by what follows: the
 * rest of their codes, then their own bytes. */
#include "text_job.h"

#include "message.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 1 << 14 };

/* A line of a group, with what follows its prefix: bytes of `tails`, or of the line itself. */
struct tie {
    uint64_t next; /* the first eight of the bytes */
    const unsigned char *tail;
    size_t size;
    uint32_t line;
};

/* How the lines of a group compare. */
struct comparison {
    const struct text_job *job;
    bool has_codes; /* the tails are of codes, else the lines themselves */
    bool has_last;  /* lines of equal codes are compared by their bytes */
};

struct ties {
    struct text_job *job;
    bool has_long;
};

static int compare_bytes(const unsigned char *a, size_t a_size, const unsigned char *b,
                         size_t b_size)
{
    return lines_compare((const char *)a, a_size, (const char *)b, b_size);
}

/* By the bytes of the lines themselves, the other way with -r. */
static int compare_last(const struct text_job *job, const struct tie *a, const struct tie *b)
{
    size_t a_size, b_size;
    const char *a_line = text_line(job, a->line, &a_size);
    const char *b_line = text_line(job, b->line, &b_size);
    const int order = lines_compare(a_line, a_size, b_line, b_size);
    return job->order.flags.is_reversed ? -order : order;
}

/* 0: -u takes them for the same. */
static int compare_keys(const struct comparison *comparison, const struct tie *a,
                        const struct tie *b)
{
    if (!comparison->has_codes)
        return 0;
    if (a->next != b->next)
        return a->next < b->next ? -1 : 1;
    return compare_bytes(a->tail, a->size, b->tail, b->size);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct comparison *comparison = context;
    const struct tie *a = left, *b = right;
    int order = compare_keys(comparison, a, b);
    if (order == 0 && comparison->has_last) {
        if (!comparison->has_codes && a->next != b->next)
            return a->next < b->next ? -1 : 1;
        order = compare_last(comparison->job, a, b);
    }
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void sort_ties(struct tie *ties, uint64_t num, struct comparison *comparison)
{
    enum { FEW = 24 };
    if (num > FEW) {
        qsort_r(ties, num, sizeof(*ties), compare, comparison);
        return;
    }
    for (uint64_t i = 1; i < num; i++) {
        const struct tie tie = ties[i];
        uint64_t to = i;
        for (; to > 0 && compare(&tie, &ties[to - 1], comparison) < 0; to--)
            ties[to] = ties[to - 1];
        ties[to] = tie;
    }
}

static uint64_t load_next(const unsigned char *tail, size_t size, bool is_reversed)
{
    const struct bytes view = {.data = (void *)tail, .size = size};
    const uint64_t next = size ? text_prefix(&view, 0) : 0;
    return is_reversed ? ~next : next;
}

/* Appends the rest of a line's code to the tails, which may move. */
static bool append_tail(struct text_job *job, uint32_t thread, const struct tie *tie,
                        size_t *size_ret)
{
    struct text_coder *coder = &job->coders[thread];
    struct bytes *tails = &job->tails[thread];
    size_t size;
    const char *line = text_line(job, tie->line, &size);
    if (!text_encode(&job->order, line, size, coder))
        return false;
    const size_t known = job->shared + 8;
    *size_ret = coder->code.size > known ? coder->code.size - known : 0;
    const uint64_t needed = tails->size + *size_ret;
    if (needed > tails->capacity && !bytes_reserve(tails, 2 * needed))
        return false;
    if (*size_ret)
        memcpy((char *)tails->data + tails->size, (char *)coder->code.data + known, *size_ret);
    tails->size += *size_ret;
    return true;
}

static bool load_codes(struct text_job *job, uint32_t thread, struct tie *ties, uint64_t num)
{
    job->tails[thread].size = 0;
    for (uint64_t i = 0; i < num; i++) {
        if (!append_tail(job, thread, &ties[i], &ties[i].size))
            return false;
    }
    const unsigned char *tail = job->tails[thread].data;
    for (uint64_t i = 0; i < num; tail += ties[i++].size) {
        ties[i].tail = tail;
        ties[i].next = load_next(tail, ties[i].size, false);
    }
    return true;
}

/* The first bytes of lines; in descending order, the end of one comes behind any byte, as zeros
 * that are turned over do. */
static void load_lines(const struct text_job *job, struct tie *ties, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++) {
        ties[i].tail = (const unsigned char *)text_line(job, ties[i].line, &ties[i].size);
        ties[i].next = load_next(ties[i].tail, ties[i].size, job->order.flags.is_reversed);
    }
}

/* Writes the order of a group; of lines with equal keys -u leaves the first. */
static void store(const struct comparison *comparison, const struct tie *ties, uint64_t num,
                  uint32_t *lines)
{
    const bool is_unique = comparison->job->order.is_unique;
    for (uint64_t i = 0; i < num; i++) {
        const bool is_dropped =
            is_unique && i > 0 && compare_keys(comparison, &ties[i - 1], &ties[i]) == 0;
        lines[i] = is_dropped ? TEXT_DROPPED : ties[i].line;
    }
}

/* Whether the codes of a group, which are all short or all long, are longer than the prefix. */
static bool is_long(struct text_job *job, uint32_t thread, uint32_t line, bool *is_long_ret)
{
    size_t size;
    const char *text = text_line(job, line, &size);
    if (!text_encode(&job->order, text, size, &job->coders[thread]))
        return false;
    *is_long_ret = job->coders[thread].code.size > job->shared + 8;
    return true;
}

static bool order_group(struct ties *ties, uint32_t thread, uint32_t *lines, uint64_t num)
{
    struct text_job *job = ties->job;
    struct comparison comparison = {.job = job,
                                    .has_last = !job->order.is_stable && job->order.num_keys > 0};
    struct bytes *group = &job->groups[thread];
    if (ties->has_long && !is_long(job, thread, lines[0], &comparison.has_codes))
        return false;
    if (!comparison.has_codes && !comparison.has_last) {
        for (uint64_t i = 1; job->order.is_unique && i < num; i++)
            lines[i] = TEXT_DROPPED;
        return true;
    }
    if (!bytes_reserve(group, num * sizeof(struct tie)))
        return false;
    struct tie *all = group->data;
    for (uint64_t i = 0; i < num; i++)
        all[i] = (struct tie){.line = lines[i]};
    if (!comparison.has_codes)
        load_lines(job, all, num);
    else if (!load_codes(job, thread, all, num))
        return false;
    sort_ties(all, num, &comparison);
    store(&comparison, all, num, lines);
    return true;
}

/* The groups that begin in a slice of the order. */
static bool order_slice(void *context, uint32_t thread, uint64_t slice)
{
    struct ties *ties = context;
    const uint64_t count = ties->job->lines.lines.count;
    const uint64_t *prefixes = ties->job->lines.job.keys.data;
    uint32_t *lines = ties->job->lines.job.indices.data;
    const uint64_t end = (slice + 1) * SLICE < count ? (slice + 1) * SLICE : count;
    uint64_t begin = slice * SLICE;
    while (begin > 0 && begin < end && prefixes[begin] == prefixes[begin - 1])
        begin++;
    while (begin < end) {
        uint64_t behind = begin + 1;
        while (behind < count && prefixes[behind] == prefixes[begin])
            behind++;
        if (behind - begin > 1 && !order_group(ties, thread, lines + begin, behind - begin))
            return false;
        begin = behind;
    }
    return true;
}

bool text_order_ties(struct text_job *job, bool has_long)
{
    struct ties ties = {job, has_long};
    const struct text_order *order = &job->order;
    if (!has_long && !order->is_unique && (order->is_stable || order->num_keys == 0))
        return true;
    return parallel_for_by(parallel_threads(), (job->lines.lines.count + SLICE - 1) / SLICE,
                           order_slice, &ties);
}
