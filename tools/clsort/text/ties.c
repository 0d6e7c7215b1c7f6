/* ties.c: lines whose codes begin with the same eight bytes, put in order by what follows: the
 * rest of their codes, then their own bytes. A thread orders the groups that begin in a slice of
 * the lines, but large groups are each ordered by all threads. */
#include "text/job.h"

#include "cli/message.h"

#include <stdlib.h>

enum { SLICE = 1 << 14, LARGE = 1 << 16 };

/* A line of a group, with what follows its prefix: bytes of `tails`, or of the line itself. */
struct tie {
    uint64_t next; /* the first eight of the bytes */
    const unsigned char *tail;
    size_t size;
    uint32_t line;
};

struct group {
    struct text_job *job;
    bool has_codes; /* the tails are of codes, else the lines themselves */
    bool has_last;  /* lines of equal codes are compared by their bytes */
    struct tie *ties;
    uint32_t *lines;
    uint64_t num;
};

/* By the bytes of the lines themselves, the other way with -r. */
static int compare_last(const struct text_job *job, const struct tie *a, const struct tie *b)
{
    size_t a_size, b_size;
    const char *a_line = text_line(job, a->line, &a_size);
    const char *b_line = text_line(job, b->line, &b_size);
    return text_compare_lines(&job->order, a_line, a_size, b_line, b_size);
}

/* 0: -u takes them for the same. */
static int compare_keys(const struct group *group, const struct tie *a, const struct tie *b)
{
    if (!group->has_codes)
        return 0;
    if (a->next != b->next)
        return a->next < b->next ? -1 : 1;
    return text_compare_bytes(a->tail, a->size, b->tail, b->size);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct group *group = context;
    const struct tie *a = left, *b = right;
    int order = compare_keys(group, a, b);
    if (order == 0 && group->has_last) {
        if (!group->has_codes && a->next != b->next)
            return a->next < b->next ? -1 : 1;
        order = compare_last(group->job, a, b);
    }
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void sort_ties(struct group *group)
{
    enum { FEW = 24 };
    struct tie *ties = group->ties;
    if (group->num > FEW) {
        qsort_r(ties, group->num, sizeof(*ties), compare, group);
        return;
    }
    for (uint64_t i = 1; i < group->num; i++) {
        const struct tie tie = ties[i];
        uint64_t to = i;
        for (; to > 0 && compare(&tie, &ties[to - 1], group) < 0; to--)
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
static size_t append_tail(const struct text_job *job, struct text_coder *coder, uint32_t i,
                          struct bytes *tails)
{
    size_t size;
    const char *line = text_line(job, i, &size);
    text_encode(&job->order, line, size, coder);
    const size_t known = job->shared + 8;
    const size_t more = coder->code.size > known ? coder->code.size - known : 0;
    bytes_append(tails, (char *)coder->code.data + known, more);
    return more;
}

static void load_codes(const struct text_job *job, struct text_coder *coder, struct bytes *tails,
                       struct tie *ties, uint64_t num)
{
    tails->size = 0;
    for (uint64_t i = 0; i < num; i++)
        ties[i].size = append_tail(job, coder, ties[i].line, tails);
    const unsigned char *tail = tails->data;
    for (uint64_t i = 0; i < num; tail += ties[i++].size) {
        ties[i].tail = tail;
        ties[i].next = load_next(tail, ties[i].size, false);
    }
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

/* Ties [begin, end) of a group, with room for their codes in `tails`. */
static void load(const struct group *group, struct text_coder *coder, struct bytes *tails,
                 uint64_t begin, uint64_t end)
{
    const struct text_job *job = group->job;
    struct tie *ties = group->ties + begin;
    const uint64_t num = end - begin;
    for (uint64_t i = 0; i < num; i++)
        ties[i] = (struct tie){.line = group->lines[begin + i]};
    if (group->has_codes)
        load_codes(job, coder, tails, ties, num);
    else
        load_lines(job, ties, num);
}

/* Writes the order of ties [begin, end); of lines with equal keys -u leaves the first. */
static void store(const struct group *group, uint64_t begin, uint64_t end)
{
    const struct tie *ties = group->ties;
    const bool is_unique = group->job->order.is_unique;
    for (uint64_t i = begin; i < end; i++) {
        const bool is_dropped =
            is_unique && i > 0 && compare_keys(group, &ties[i - 1], &ties[i]) == 0;
        group->lines[i] = is_dropped ? TEXT_DROPPED : ties[i].line;
    }
}

/* Whether the codes of a group, which are all short or all long, are longer than the prefix. */
static bool is_long(struct text_job *job, uint32_t thread, uint32_t line)
{
    size_t size;
    const char *text = text_line(job, line, &size);
    text_encode(&job->order, text, size, &job->coders[thread]);
    return job->coders[thread].code.size > job->shared + 8;
}

/* A group is loaded and stored in parts, one for each thread. */
static void load_part(void *context, const struct parallel_slice *part)
{
    const struct group *group = context;
    struct text_job *job = group->job;
    load(group, &job->coders[part->thread], &job->tails[part->number], part->begin, part->end);
}

static void store_part(void *context, const struct parallel_slice *part)
{
    store(context, part->begin, part->end);
}

/* By all threads, with room for twice as many ties. */
static void order_large(struct group *group)
{
    const uint64_t num = group->num, part = num / parallel_threads() + 1;
    parallel_for(num, part, load_part, group);
    struct parallel_items list = {(char *)group->ties, (char *)(group->ties + num),
                                  sizeof(*group->ties)};
    parallel_sort(&list, num, &(struct parallel_order){compare, group});
    group->ties = (struct tie *)(void *)list.items;
    parallel_for(num, part, store_part, group);
}

static void order_group(struct text_job *job, uint32_t thread, uint32_t *lines, uint64_t num)
{
    struct group group = {.job = job,
                          .has_codes = job->has_long && is_long(job, thread, lines[0]),
                          .has_last = text_has_last(&job->order),
                          .lines = lines,
                          .num = num};
    if (!group.has_codes && !group.has_last) { /* nothing tells the lines apart; -u leaves one */
        for (uint64_t i = 1; job->order.is_unique && i < num; i++)
            lines[i] = TEXT_DROPPED;
        return;
    }
    bytes_need(&job->groups[thread], (num > LARGE ? 2 : 1) * num * sizeof(struct tie));
    group.ties = job->groups[thread].data;
    if (num > LARGE) {
        order_large(&group);
        return;
    }
    load(&group, &job->coders[thread], &job->tails[thread], 0, num);
    sort_ties(&group);
    store(&group, 0, num);
}

/* The groups that begin in a slice of the order. */
static void order_slice(void *context, const struct parallel_slice *slice)
{
    struct text_job *job = context;
    const uint64_t count = job->lines.count;
    const uint64_t *prefixes = job->sort.keys.data;
    uint32_t *lines = job->sort.indices.data;
    uint64_t begin = slice->begin;
    while (begin > 0 && begin < slice->end && prefixes[begin] == prefixes[begin - 1])
        begin++;
    while (begin < slice->end) {
        uint64_t behind = begin + 1;
        while (behind < count && prefixes[behind] == prefixes[begin])
            behind++;
        const uint64_t num = behind - begin;
        if (num > 1 && num <= LARGE)
            order_group(job, slice->thread, lines + begin, num);
        begin = behind;
    }
}

/* No large group lies between two lines that are LARGE apart. */
static void order_all_large(struct text_job *job)
{
    const uint64_t count = job->lines.count;
    const uint64_t *prefixes = job->sort.keys.data;
    uint32_t *lines = job->sort.indices.data;
    for (uint64_t i = 0; i < count;) {
        uint64_t begin = i, end = i + 1;
        while (begin > 0 && prefixes[begin - 1] == prefixes[i])
            begin--;
        while (end < count && prefixes[end] == prefixes[i])
            end++;
        if (end - begin > LARGE)
            order_group(job, 0, lines + begin, end - begin);
        i = end > i + LARGE ? end : i + LARGE;
    }
}

void text_order_ties(struct text_job *job)
{
    if (!job->has_long && !job->order.is_unique && !text_has_last(&job->order))
        return;
    parallel_for(job->lines.count, SLICE, order_slice, job);
    order_all_large(job);
}
