/* opponent.c: opponents of 'clsort bench' for its tests: one that is right, two that are wrong
 * with more than a hundred keys, one that fails, one that is not there, one that is wrong by one in
 * all that is done beside sorts, one that does not know of segments and halves, and two that repeat
 * a pair in the place of those of equal keys. Three have memory of their own: one is right, one is
 * wrong on the host's clock alone, one gives pairs their neighbours' values. */
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

/* Sorts all segments as one array; for MERGE, copies the two halves as they are. The keys are in
 * order within each segment or half, but the result is wrong. */
static int run_whole(struct bench_opponent *self, struct bench_times *times, char *why)
{
    const struct bench_task *task = self->state;
    const u64 count = task->input->count;
    (void)times;
    (void)why;
    if (task->input->work == BENCH_MERGE)
        memcpy(task->out, task->items, count * sizeof(u32));
    else
        qsort(task->items, count, sizeof(u32), compare);
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

/* ---- With memory of their own ---------------------------------------------------------------- */

/* Keys and values of the input and of the output. */
struct own {
    const struct bench_task *task;
    u32 *keys_in, *values_in, *keys, *values;
};

static int prepare_own(struct bench_opponent *self, const struct bench_task *task, char *why)
{
    const u64 count = task->input->count;
    if (!bench_is(task->input, BENCH_UNSIGNED, 32, 4))
        return bench_refuse(why, "sorts u32+u32 alone");
    struct own *own = calloc(1, sizeof(*own) + 4 * count * sizeof(u32));
    if (!own)
        return bench_refuse(why, "has no memory");
    own->task = task;
    own->keys_in = (u32 *)(own + 1);
    own->values_in = own->keys_in + count;
    own->keys = own->values_in + count;
    own->values = own->keys + count;
    bench_fill(task->input, own->keys_in, own->values_in, 0, 1);
    self->state = own;
    return 1;
}

static int run_own(struct bench_opponent *self, struct bench_times *times, char *why)
{
    struct own *own = self->state;
    const u64 count = own->task->input->count;
    const u64 shift = strcmp(self->name, "own-values") == 0;
    struct pair *pairs = calloc(count, sizeof(*pairs));
    if (!pairs)
        return bench_refuse(why, "has no memory");
    for (u64 i = 0; i < count; i++)
        pairs[i] = (struct pair){.value = own->values_in[i], .key = own->keys_in[i]};
    const u64 whole[] = {0, count}, num_rows = own->task->input->num_segments;
    const u64 *offsets = num_rows > 0 ? own->task->offsets : whole;
    for (u64 i = 0; i == 0 || i < num_rows; i++)
        qsort(pairs + offsets[i], offsets[i + 1] - offsets[i], sizeof(*pairs), compare_pairs);
    for (u64 i = 0; i < count; i++) {
        own->keys[i] = pairs[i].key;
        own->values[i] = pairs[(i + shift) % count].value;
    }
    free(pairs);
    if (strcmp(self->name, "own-first") == 0 && !own->task->is_by_device)
        memset(own->keys, 0, count * sizeof(u32));
    *(own->task->is_by_device ? &times->device : &times->host) = 1e-3;
    return 1;
}

/* They sort whole rows: what TOP wants is at its places among all. */
static int look_own(struct bench_opponent *self, int is_output, struct bench_sums *sums, char *why)
{
    const struct own *own = self->state;
    struct bench_input input = *own->task->input;
    const struct bench_arrays arrays = {.keys = is_output ? own->keys : own->keys_in,
                                        .values = is_output ? own->values : own->values_in,
                                        .source = own->keys_in,
                                        .offsets = own->task->offsets};
    (void)why;
    input.side = !is_output                ? BENCH_INPUT
                 : input.work == BENCH_TOP ? BENCH_OUTPUT_OF_ALL
                                           : BENCH_OUTPUT;
    *sums = bench_look(&input, &arrays, 0, 1);
    return 1;
}

static void finish_own(struct bench_opponent *self)
{
    free(self->state);
    self->state = NULL;
}

static const char *about(void)
{
    return "a test's own";
}

#define OPPONENT(name_)                                               \
    {                                                                 \
        .name = name_, .about = about, .prepare = prepare, .run = run \
    }
#define OWN(name_)                                                                                \
    {                                                                                             \
        .name = name_, .memory = BENCH_OF_ITS_OWN, .works = 1U << BENCH_SORT | 1U << BENCH_TOP,   \
        .is_stable = 1, .about = about, .prepare = prepare_own, .run = run_own, .look = look_own, \
        .finish = finish_own                                                                      \
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
                             whole = {.name = "whole",
                                      .works = 1U << BENCH_SEGMENTS | 1U << BENCH_MERGE,
                                      .about = about,
                                      .prepare = prepare,
                                      .run = run_whole},
                             own = OWN("own"), own_first = OWN("own-first"),
                             own_values = OWN("own-values"),
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
    static struct bench_opponent *const all[] = {
        &right,     &loses,      &swaps,   &fails,          &near, &whole, &own,
        &own_first, &own_values, &repeats, &repeats_stable, &none, NULL};
    return version == BENCH_OPPONENT_VERSION ? all : NULL;
}
