/* parallel.c: sorts of numbers by vectors and several threads.
 *
 * Idea: a quicksort whose first levels are made together, in place. A part of the array is cut in
 * chunks, each of which a thread splits at the part's pivot by vectors. Then the numbers that lie
 * on the wrong side of the part's boundary are exchanged, as many on each side. When there are
 * several parts a thread, a thread sorts one after the other. Partitions together: P. Heidelberger,
 * A. Norton, J. Robinson, "Parallel quicksort using fetch-and-add", 1990. */
#include "host/alone/items.h"

#include "base/phases.h"

#include <string.h>

/* Not tuning: the optimum is flat. */
#define PARTS_A_THREAD 4
#define PART_MIN 8192 /* numbers that are worth a split together */
#define MAX_THREADS 16
#define MAX_LEVELS 16
#define MAX_PARTS (2 * MAX_THREADS * PARTS_A_THREAD)
#define MAX_CHUNKS (MAX_THREADS * PARTS_A_THREAD)

/* Numbers that are neither below those of the parts before nor above those of the parts behind. */
struct part {
    size_t begin, count;
    size_t num_below; /* the pivot */
    size_t num_wrong; /* below it, behind the boundary */
    uint64_t pivot;
    uint32_t first_chunk, num_chunks; /* 0: it is not split */
    int is_done;                      /* is not to be split again */
    int pivot_is_least;               /* of all: then the next pivot is the next number */
};

struct chunk {
    size_t begin, end, middle; /* the first one that is not below the pivot */
    uint32_t part;
};

enum work { BEGIN, PREPARE, SPLIT, EXCHANGE, SORT };

struct parallel {
    const struct host_numbers *all;
    uint32_t num_threads;
    uint32_t levels; /* that may be made */
    enum work work;  /* of this phase */
    uint32_t num_parts, num_chunks;
    struct part parts[MAX_PARTS];
    struct chunk chunks[MAX_CHUNKS];
};

static char *number_at(const struct parallel *p, size_t at)
{
    return (char *)p->all->numbers + at * p->all->vectors->size;
}

/* Where share number i of `num` begins. Products may need more than a size_t of 32 bits has. */
static size_t begin_of_share(size_t count, uint64_t i, uint64_t num)
{
    return (size_t)(count * i / num);
}

/* Begins to split a part in chunks, of which all parts have PARTS_A_THREAD a thread. */
static void cut_part(struct parallel *p, struct part *part)
{
    const size_t most = part->count / HOST_SPLIT_MIN;
    const uint64_t all_chunks = (uint64_t)p->num_threads * PARTS_A_THREAD;
    const size_t wanted = begin_of_share(part->count, all_chunks, p->all->count);
    const size_t num = wanted < most ? wanted : most;
    part->pivot = part->pivot_is_least
                      ? part->pivot + 1
                      : p->all->vectors->pivot(number_at(p, part->begin), part->count);
    part->first_chunk = p->num_chunks;
    part->num_chunks = (uint32_t)num;
    for (size_t i = 0; i < num; ++i)
        p->chunks[p->num_chunks++] =
            (struct chunk){.begin = part->begin + begin_of_share(part->count, i, num),
                           .end = part->begin + begin_of_share(part->count, i + 1, num),
                           .part = (uint32_t)(part - p->parts)};
}

/* Chooses the parts to split. Returns whether there are any. */
static int begin_split(struct parallel *p)
{
    const size_t most = p->all->count / ((size_t)p->num_threads * PARTS_A_THREAD);
    uint32_t num_more = 0;
    p->num_chunks = 0;
    for (uint32_t i = 0; i < p->num_parts; ++i) {
        struct part *part = &p->parts[i];
        part->num_chunks = 0;
        if (p->levels && !part->is_done && part->count > most && part->count >= PART_MIN &&
            p->num_parts + num_more < MAX_PARTS) {
            cut_part(p, part);
            ++num_more;
        }
    }
    p->levels -= p->num_chunks > 0;
    return p->num_chunks > 0;
}

/* Finds the parts' boundaries. */
static void begin_exchange(struct parallel *p)
{
    for (uint32_t i = 0; i < p->num_parts; ++i) {
        struct part *part = &p->parts[i];
        const struct chunk *chunks = &p->chunks[part->first_chunk];
        part->num_below = part->num_wrong = 0;
        for (uint32_t j = 0; j < part->num_chunks; ++j)
            part->num_below += chunks[j].middle - chunks[j].begin;
        const size_t boundary = part->begin + part->num_below;
        for (uint32_t j = 0; j < part->num_chunks; ++j) {
            const size_t first = chunks[j].begin > boundary ? chunks[j].begin : boundary;
            part->num_wrong += chunks[j].middle > first ? chunks[j].middle - first : 0;
        }
    }
}

/* Makes two parts of each that was split. */
static void end_exchange(struct parallel *p)
{
    const uint64_t largest = UINT64_MAX >> (64 - 8 * p->all->vectors->size);
    for (uint32_t i = 0, num = p->num_parts; i < num; ++i) {
        struct part *part = &p->parts[i];
        const size_t below = part->num_below, above = part->count - below;
        if (!part->num_chunks)
            continue;
        if (below && above) {
            p->parts[p->num_parts++] = (struct part){.begin = part->begin + below, .count = above};
            part->is_done = part->pivot_is_least; /* equal ones are below */
            part->pivot_is_least = 0;
            part->count = below;
        } else {
            part->is_done = part->pivot_is_least || part->pivot == largest;
            part->pivot_is_least = 1;
        }
    }
}

/* Numbers on the wrong side of a part's boundary are counted from 0: those below the pivot behind
 * it, or the others before it. Returns where number `at` lies, and how many follow it there. */
static size_t find_wrong(const struct parallel *p, const struct part *part, int is_below, size_t at,
                         size_t *num_ret)
{
    const size_t boundary = part->begin + part->num_below;
    const struct chunk *chunk = &p->chunks[part->first_chunk];
    for (;; ++chunk) {
        size_t begin = is_below ? chunk->begin : chunk->middle;
        size_t end = is_below ? chunk->middle : chunk->end;
        if (is_below)
            begin = begin > boundary ? begin : boundary;
        else
            end = end < boundary ? end : boundary;
        const size_t num = end > begin ? end - begin : 0;
        if (at < num) {
            *num_ret = num - at;
            return begin + at;
        }
        at -= num;
    }
}

static void swap_bytes(char *a, char *b, size_t size)
{
    char few[1024];
    while (size > 0) {
        const size_t num = size < sizeof few ? size : sizeof few;
        memcpy(few, a, num);
        memcpy(a, b, num);
        memcpy(b, few, num);
        a += num;
        b += num;
        size -= num;
    }
}

/* Exchanges a chunk's share of its part's wrong numbers. */
static void exchange(const struct parallel *p, uint32_t number)
{
    const struct part *part = &p->parts[p->chunks[number].part];
    const size_t share = number - part->first_chunk;
    size_t at = begin_of_share(part->num_wrong, share, part->num_chunks);
    const size_t end = begin_of_share(part->num_wrong, share + 1, part->num_chunks);
    while (at < end) {
        size_t num, num_low;
        const size_t high = find_wrong(p, part, 0, at, &num);
        const size_t low = find_wrong(p, part, 1, at, &num_low);
        num = num < num_low ? num : num_low;
        num = num < end - at ? num : end - at;
        swap_bytes(number_at(p, high), number_at(p, low), num * p->all->vectors->size);
        at += num;
    }
}

static void sort_part(const struct parallel *p, const struct part *part)
{
    const struct host_numbers *all = p->all;
    all->vectors->sort(number_at(p, part->begin), part->count);
    if (all->finish)
        all->finish(all->argument, part->begin, part->begin + part->count);
}

/* What comes behind this phase, and how many tasks it has. */
static uint32_t begin_phase(void *argument, uint32_t phase)
{
    struct parallel *p = argument;
    const struct host_numbers *all = p->all;
    const struct host_vectors *vectors = all->vectors;
    const size_t count = all->count;
    if (phase == 0 && all->prepare) {
        p->work = PREPARE;
        return p->num_threads * PARTS_A_THREAD;
    }
    if (p->work <= PREPARE && (vectors->are_in_order(all->numbers, count, 0) ||
                               vectors->are_in_order(all->numbers, count, 1)))
        p->levels = 0;
    if (p->work == SPLIT) {
        begin_exchange(p);
        p->work = EXCHANGE;
        return p->num_chunks;
    }
    if (p->work == EXCHANGE)
        end_exchange(p);
    if (p->work == SORT)
        return 0;
    p->work = begin_split(p) ? SPLIT : SORT;
    return p->work == SPLIT ? p->num_chunks : p->num_parts;
}

static void run_task(void *argument, uint32_t phase, uint32_t task)
{
    struct parallel *p = argument;
    const struct host_numbers *all = p->all;
    struct chunk *chunk = &p->chunks[task];
    const size_t num = (size_t)p->num_threads * PARTS_A_THREAD;
    (void)phase;
    switch (p->work) {
    case PREPARE:
        all->prepare(all->argument, begin_of_share(all->count, task, num),
                     begin_of_share(all->count, task + 1, num));
        break;
    case SPLIT:
        chunk->middle = chunk->begin + all->vectors->split(number_at(p, chunk->begin),
                                                           chunk->end - chunk->begin,
                                                           p->parts[chunk->part].pivot);
        break;
    case EXCHANGE:
        exchange(p, task);
        break;
    default:
        sort_part(p, &p->parts[task]);
    }
}

void host_parallel_sort(const struct host_numbers *numbers, uint32_t num_threads)
{
    struct parallel p = {.all = numbers, .levels = MAX_LEVELS};
    p.num_threads = num_threads < MAX_THREADS ? num_threads : MAX_THREADS;
    p.parts[p.num_parts++].count = numbers->count;
    if (p.num_threads > 1 && numbers->count >= HOST_SHARED_MIN / numbers->vectors->size) {
        host_phases_run(p.num_threads, &(struct host_phases){begin_phase, run_task, &p});
        return;
    }
    if (numbers->prepare)
        numbers->prepare(numbers->argument, 0, numbers->count);
    sort_part(&p, &p.parts[0]);
}

void host_select(const struct host_vectors *vectors, void *numbers, size_t count, size_t first,
                 size_t end)
{
    char *keys = numbers;
    int levels = MAX_LEVELS; /* bad pivots end them */
    while (count >= HOST_SPLIT_MIN && levels-- > 0) {
        const size_t below = vectors->split(keys, count, vectors->pivot(keys, count));
        if (end <= below) {
            count = below;
        } else if (below && first >= below) {
            keys += below * vectors->size;
            count -= below;
            first -= below;
            end -= below;
        } else {
            break;
        }
    }
    vectors->sort(keys, count);
}
