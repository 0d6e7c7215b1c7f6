/* opponent.c: opponents of 'clsort bench' for its tests: one that is right, two that are wrong
 * with more than a hundred keys, one that fails, one that is not there, one that is wrong by one in
 * all that is done beside sorts, and two that repeat a pair in the place of those of equal keys. */
#include "opponent.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

static int prepare(struct bench_opponent *self, const struct bench_task *task, char *why)
{
    self->state = (void *)(uintptr_t)task;
    return bench_is(task->input, BENCH_UNSIGNED, 32, 0) || bench_refuse(why, "sorts u32 alone");
}

static int run(struct bench_opponent *self, struct bench_times *times, char *why)
{
    const struct bench_task *task = self->state;
    u32 *keys = task->items;
    (void)times;
    if (strcmp(self->name, "fails") == 0)
        return bench_refuse(why, "has lost its way");
    qsort(keys, task->input->count, sizeof(*keys), compare);
    if (task->input->count > 100 && strcmp(self->name, "loses") == 0)
        keys[0] = keys[1];
    if (task->input->count > 100 && strcmp(self->name, "swaps") == 0) {
        const u32 first = keys[0];
        keys[0] = keys[task->input->count - 1];
        keys[task->input->count - 1] = first;
    }
    return 1;
}

/* Wrong by one: a place, a key that is left out, a key at its neighbour's place. */
static int run_near(struct bench_opponent *self, struct bench_times *times, char *why)
{
    const struct bench_task *task = self->state;
    const u64 count = task->input->count;
    u32 *keys = task->items, *out = task->out;
    (void)times;
    (void)why;
    qsort(keys, count, sizeof(*keys), compare);
    switch (task->input->work) {
    case BENCH_CHECK:
        *task->result = count - 2;
        break;
    case BENCH_TOP:
        memcpy(out, keys + 1, task->input->limit * sizeof(*keys));
        break;
    case BENCH_SEARCH:
        for (u64 i = 0; i < task->input->num_queries; i++)
            out[i] = i == 0 ? (u32)count + 1 : 0;
        break;
    default:
        memcpy(out, keys, count * sizeof(*keys));
        out[0] = out[1];
        *task->result = count - 1;
        break;
    }
    return 1;
}

struct pair {
    u32 value, key;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->key != y->key ? compare(&x->key, &y->key) : compare(&x->value, &y->value);
}

static int prepare_pairs(struct bench_opponent *self, const struct bench_task *task, char *why)
{
    self->state = (void *)(uintptr_t)task;
    return bench_is(task->input, BENCH_UNSIGNED, 32, 4) || bench_refuse(why, "sorts u32+u32 alone");
}

/* The first places of one array. */
static int run_pairs(struct bench_opponent *self, struct bench_times *times, char *why)
{
    const struct bench_task *task = self->state;
    struct pair *pairs = task->items, *out = task->out;
    (void)times;
    (void)why;
    qsort(pairs, task->input->count, sizeof(*pairs), compare_pairs);
    for (u64 i = 0; i < task->input->limit; i++)
        out[i] = i > 0 && pairs[i].key == out[i - 1].key ? out[i - 1] : pairs[i];
    return 1;
}

static const char *about(void)
{
    return "a test's own";
}

#define OPPONENT(name_)                                               \
    {                                                                 \
        .name = name_, .about = about, .prepare = prepare, .run = run \
    }
static struct bench_opponent right = OPPONENT("right"), loses = OPPONENT("loses"),
                             swaps = OPPONENT("swaps"), fails = OPPONENT("fails"),
                             near = {.name = "near",
                                     .works = 1U << BENCH_TOP | 1U << BENCH_CHECK |
                                              1U << BENCH_MERGE | 1U << BENCH_RUNS |
                                              1U << BENCH_SEARCH,
                                     .about = about,
                                     .prepare = prepare,
                                     .run = run_near},
                             repeats = {.name = "repeats",
                                        .works = 1U << BENCH_TOP,
                                        .about = about,
                                        .prepare = prepare_pairs,
                                        .run = run_pairs},
                             repeats_stable = {.name = "repeats-stable",
                                               .works = 1U << BENCH_TOP,
                                               .is_stable = 1,
                                               .about = about,
                                               .prepare = prepare_pairs,
                                               .run = run_pairs},
                             none = {.name = "none", .missing = "there is none"};

struct bench_opponent *const *bench_opponents(unsigned version)
{
    static struct bench_opponent *const all[] = {&right,   &loses,          &swaps, &fails, &near,
                                                 &repeats, &repeats_stable, &none,  NULL};
    return version == BENCH_OPPONENT_VERSION ? all : NULL;
}
