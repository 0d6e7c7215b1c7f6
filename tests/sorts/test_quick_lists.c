/* Quicksort's lists as the device has written them. After sorts of data that is meant to mislead
 * the samples, the lists fit into their part of scratch, and leaves and merges together cover
 * all. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "support/data.h"
#include "device/device.h"
#include "support/fixture.h"
#include "plan/plan.h"
#include "support/tuning_case.h"
#include "tuning/file.h"

enum { poison = 0xa5 };

/* A sort of u32 keys to indices, or with values that are the elements' positions. */
typedef struct watched {
    const fixture *fix;
    clsort_desc desc;
    struct device_facts facts;
    struct tuning_rows rows;
    struct problem problem;
    struct plan plan;
    uint32_t num_levels;
    const struct step *samples[SPLITTERS_LEVELS], *moves[SPLITTERS_LEVELS];
    const struct partition_params *last; /* the leaves' parameters */
    uint64_t n;
    uint32_t *keys;
} watched;

/* What was found in scratch. */
typedef struct found {
    uint64_t next_segments;            /* of the second level */
    uint64_t left_segments, left_size; /* to be merged */
    uint64_t leaves;
    double used; /* part of the leaves' capacity */
} found;

static void watch(watched *w, const fixture *fix, const clsort_desc *desc)
{
    memset(w, 0, sizeof *w);
    w->fix = fix;
    w->desc = *desc;
    w->desc.algorithm = CLSORT_QUICK;
    expect_status(device_query(fix->device, &w->facts), CLSORT_OK);
    expect_status(tuning_file_read(NULL, &w->rows), CLSORT_OK);
    w->facts.tuning_rows = &w->rows;
    expect_status(check_desc(&w->desc, &w->problem).status, CLSORT_OK);
    expect_status(plan_make(&w->facts, &w->problem, &w->plan), CLSORT_OK);
    for (uint32_t i = 0; i < w->plan.num_steps; ++i) {
        const struct step *step = &w->plan.steps[i];
        if (step->kernel == KERNEL_PARTITION_PIVOTS)
            w->samples[w->num_levels] = step;
        else if (step->kernel == KERNEL_PARTITION_SCATTER)
            w->moves[w->num_levels++] = step;
        else if (step->kernel == KERNEL_PARTITION_LEAF)
            w->last = &step->params.partition;
    }
    w->n = num_elements(&w->problem);
    w->keys = test_alloc(w->n * 4);
}

static void unwatch(watched *w)
{
    free(w->keys);
    tuning_rows_finish(&w->rows);
    plan_finish(&w->plan);
}

static cl_mem buffer_with(const watched *w, const void *bytes, uint64_t size)
{
    return buffer_create(w->fix->context, CL_MEM_READ_WRITE, size, bytes);
}

static void check_result(const watched *w, const uint32_t *keys, const uint32_t *places)
{
    const uint64_t count = w->desc.count;
    unsigned char *seen = test_alloc(w->n);
    memset(seen, 0, w->n);
    for (uint64_t i = 0; i < w->n; ++i) {
        const uint64_t from = places[i] + (w->desc.index_size ? i / count * count : 0);
        const int is_first = i % count == 0;
        assert_true(from < w->n && from / count == i / count && !seen[from]);
        seen[from] = 1;
        const uint32_t key = w->keys[from];
        if (!w->desc.index_size)
            assert_int_equal(key, keys[i]);
        const uint64_t before =
            is_first ? 0 : places[i - 1] + (w->desc.index_size ? i / count * count : 0);
        assert_true(is_first || w->keys[before] < key ||
                    (w->keys[before] == key && (!w->desc.index_size || before < from)));
    }
    free(seen);
}

static found lists_are_right(const watched *w, const unsigned char *scratch)
{
    found f = {0};
    const struct partition_params *p = w->last;
    const struct partition_params *first = &w->samples[0]->params.partition;
    const uint32_t item_size = w->desc.stable || w->desc.index_size || w->desc.value_size ? 8 : 4;
    struct partition_control control;
    memcpy(&control, scratch + p->control, sizeof control);
    const uint64_t segments_room =
        (first->next_segments - first->segments) / sizeof(struct partition_segment);
    const uint64_t owners_room = (first->next_owners - first->owners) / 4;
    const uint64_t leaves_room = (w->plan.scratch_size - p->leaves) / sizeof(struct partition_leaf);
    assert_true(control.num_leaves > 0 && control.num_leaves <= leaves_room);
    for (uint32_t i = 1; i <= w->num_levels; ++i) {
        assert_true(control.num_segments[i] <= segments_room);
        assert_true(control.num_blocks[i] <= owners_room);
        assert_true(control.num_buckets[i] <= (p->ids - p->marks) / 4);
        assert_true(control.num_buckets[i] <=
                    (p->marks - p->pivots - PIVOTS_ALIGNMENT) / item_size);
    }
    for (uint64_t i = p->leaves + control.num_leaves * sizeof(struct partition_leaf);
         i < w->plan.scratch_size && !w->problem.stable; ++i)
        assert_int_equal(scratch[i], poison); /* nothing after the list */

    unsigned char *covered = test_alloc(w->n);
    memset(covered, 0, w->n);
    for (uint32_t i = 0; i < control.num_leaves; ++i) {
        struct partition_leaf leaf;
        memcpy(&leaf, scratch + p->leaves + i * sizeof leaf, sizeof leaf);
        assert_true(leaf.size > 0 && leaf.size <= p->leaf_size);
        assert_true(leaf.begin < w->n && leaf.begin + leaf.size <= w->n);
        assert_true(leaf.begin / p->count == (leaf.begin + leaf.size - 1) / p->count);
        assert_true(leaf.place <= 2 && leaf.kind <= 3);
        for (uint32_t j = 0; j < leaf.size; ++j)
            assert_int_equal(covered[leaf.begin + j]++, 0);
    }
    uint64_t num_covered = 0;
    for (uint64_t i = 0; i < w->n; ++i)
        num_covered += covered[i];
    free(covered);
    assert_true(num_covered == w->n || w->num_levels > 1); /* equality buckets are in the output */
    for (uint32_t i = 0; i < control.num_segments[w->num_levels]; ++i) {
        struct partition_segment segment;
        memcpy(&segment, scratch + p->segments + i * sizeof segment, sizeof segment);
        assert_true(segment.size > p->leaf_size && segment.begin + segment.size <= w->n);
        f.left_size += segment.size;
    }
    assert_true(f.left_size <= w->n);
    f.left_segments = control.num_segments[w->num_levels];
    f.next_segments = control.num_segments[1];
    f.leaves = control.num_leaves;
    f.used = (double)control.num_leaves / (double)leaves_room;
    return f;
}

/* Sorts the keys and examines the lists. */
static found sort_watched(const watched *w)
{
    uint32_t *places = test_alloc(w->n * 4), *keys = test_alloc(w->n * 4);
    unsigned char *scratch = test_alloc(plan_scratch_asked(&w->plan));
    for (uint32_t i = 0; i < w->n; ++i)
        places[i] = i;
    memset(scratch, poison, plan_scratch_asked(&w->plan));
    const clsort_buffer work = {buffer_with(w, scratch, plan_scratch_asked(&w->plan)), 0};
    const clsort_buffer moved = {buffer_with(w, places, w->n * 4), 0};
    const clsort_buffers buffers = {.keys = {buffer_with(w, w->keys, w->n * 4), 0},
                                    .values = {w->desc.value_size ? moved.mem : NULL, 0},
                                    .indices = {w->desc.index_size ? moved.mem : NULL, 0},
                                    .scratch = work};
    expect_status(fixture_enqueue(w->fix, &w->desc, &buffers), CLSORT_OK);
    buffer_take(w->fix->queue, moved.mem, places, w->n * 4);
    buffer_take(w->fix->queue, buffers.keys.mem, keys, w->n * 4);
    buffer_take(w->fix->queue, work.mem, scratch, plan_scratch_asked(&w->plan));
    check_result(w, keys, places);
    const found f = lists_are_right(w, scratch);
    free(places);
    free(keys);
    free(scratch);
    return f;
}

/* ---- An adversary of the samples ---- */

/* As in cl/sorts/partition/sample.cl. */
static uint32_t sampled(uint32_t begin, uint32_t size, uint32_t i, uint32_t samples, uint32_t level)
{
    const uint32_t longer = size % samples;
    const uint32_t from = i * (size / samples) + (i < longer ? i : longer);
    const uint32_t room = size / samples + (i < longer);
    uint32_t x = (begin + from + level) * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return begin + from + (uint32_t)((uint64_t)(x ^ x >> 16) * room >> 32);
}

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Finds the elements that follow all pivots after a level, on a device that runs its work-groups in
 * order, and their work-items too. `from` has the segment's elements, `to` receives those found, in
 * the order in which the level leaves them. Returns their number. */
static uint32_t scatter(const watched *w, uint32_t level, const uint32_t *from, uint32_t size,
                        const uint32_t *rank, uint32_t last_pivot, uint32_t *to)
{
    const struct step *move = w->moves[level];
    const uint32_t block_size = move->params.partition.block_size;
    const uint32_t group = move->variant.group_size, items = move->variant.items;
    const uint32_t blocks = (size - 1) / block_size + 1;
    uint32_t num = 0;
    for (uint64_t g = 0; g < move->num_groups; ++g)
        for (uint64_t block = g; block < blocks; block += move->num_groups) {
            const uint32_t begin = (uint32_t)block * block_size;
            const uint32_t end = begin + block_size < size ? begin + block_size : size;
            for (uint32_t first = begin; first < end; first += group * items)
                for (uint32_t me = 0; me < group; ++me)
                    for (uint32_t i = 0; i < items; ++i) {
                        const uint32_t at = first + i * group + me;
                        if (at < end && rank[from[at]] > last_pivot)
                            to[num++] = from[at];
                    }
        }
    return num;
}

/* Makes keys whose smallest ones are where samples are taken, on every level. Returns how many
 * elements follow the last pivots, after all levels if the order is as above. *first_left receives
 * their number after the first level, on any device. */
static uint32_t mislead(watched *w, uint32_t *first_left)
{
    const uint32_t n = (uint32_t)w->n;
    uint32_t *rank = test_alloc((uint64_t)n * 4); /* by initial position */
    uint32_t *from = test_alloc((uint64_t)n * 4), *to = test_alloc((uint64_t)n * 4);
    uint32_t begin = 0, size = n, ranked = 0;
    for (uint32_t i = 0; i < n; ++i) {
        rank[i] = UINT32_MAX;
        from[i] = i;
    }
    for (uint32_t level = 0; level < w->num_levels; ++level) {
        const struct step *step = w->samples[level];
        const struct partition_params *p = &step->params.partition;
        const uint32_t most = 1u << step->variant.radix_bits;
        uint32_t wanted = (size - 1) / p->bucket_size + 1;
        wanted = wanted < 2 ? 2 : wanted > most ? most : wanted;
        uint32_t samples = wanted * p->samples_per_bucket;
        if (samples > step->variant.group_size * step->variant.items)
            samples = step->variant.group_size * step->variant.items;
        if (samples > size)
            samples = size;
        uint32_t *sample = test_alloc(samples * 4ull);
        for (uint32_t i = 0; i < samples; ++i) {
            const uint32_t element = from[sampled(begin, size, i, samples, level) - begin];
            if (rank[element] == UINT32_MAX)
                rank[element] = ranked++;
            sample[i] = rank[element];
        }
        qsort(sample, samples, 4, compare_u32);
        const uint32_t pivot = sample[(wanted - 1) * samples / wanted];
        free(sample);
        const uint32_t left = scatter(w, level, from, size, rank, pivot, to);
        begin += size - left;
        size = left;
        uint32_t *const exchanged = from;
        from = to;
        to = exchanged;
        if (level == 0)
            *first_left = left;
        if (left <= p->leaf_size)
            break;
    }
    /* The other keys in an order that favours no method. */
    for (uint32_t i = 0; i < n; ++i)
        w->keys[i] = rank[i] < UINT32_MAX ? rank[i] : n + (i * 2654435761u >> 3);
    free(rank);
    free(from);
    free(to);
    return size;
}

static const uint32_t counts[] = {81, 400, 1280, 1281, 5000, 40960, 40961, 100003};
enum { num_counts = sizeof counts / sizeof *counts };

static void test_misled(void **state)
{
    const fixture *fix = fixture_of(state);
    const int in_order = platform_is(fix, "Portable") && getenv("POCL_MAX_PTHREAD_COUNT");
    const clsort_desc forms[] = {{.value_size = 4}, {.index_size = 4}};
    for (uint32_t form = 0; form < 2; ++form)
        for (uint32_t i = 0; i < num_counts; ++i) {
            watched w;
            clsort_desc desc = forms[form];
            desc.count = counts[i];
            watch(&w, fix, &desc);
            if (w.num_levels) {
                uint32_t first_left = 0;
                const uint32_t left = mislead(&w, &first_left);
                const found f = sort_watched(&w);
                print_message(
                    "%u keys, %u levels: %llu left to merges, %llu leaves, %.2f of capacity\n",
                    counts[i], w.num_levels, (unsigned long long)f.left_size,
                    (unsigned long long)f.leaves, f.used);
                if (first_left > w.last->leaf_size)
                    assert_int_equal(f.next_segments, 1);
                if (w.num_levels == 1 && first_left > w.last->leaf_size)
                    assert_int_equal(f.left_size, first_left);
                if (in_order && left > w.last->leaf_size)
                    assert_int_equal(f.left_size, left);
            }
            unwatch(&w);
        }
}

/* Every shape, alone and in batches. */
static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    double used = 0;
    for (uint32_t i = 0; i < num_counts; ++i)
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind) {
            watched w;
            const clsort_desc desc = {.count = counts[i],
                                      .num_arrays = counts[i] < 3000 && kind % 2 ? 17 : 1,
                                      .value_size = 4};
            watch(&w, fix, &desc);
            data_fill(w.keys, CLSORT_U32, w.n, (data_kind)kind, seed_mix(fix->seed, w.n));
            if (w.num_levels) {
                const found f = sort_watched(&w);
                used = f.used > used ? f.used : used;
            }
            unwatch(&w);
        }
    print_message("at most %.2f of the leaves' capacity used\n", used);
}

/* Runs of equal keys, in any order, with sizes around the limits of a small bucket, a leaf and a
 * bucket that is too large. */
static void test_runs(void **state)
{
    const fixture *fix = fixture_of(state);
    double used = 0;
    rng r = {fix->seed};
    for (int round = 0; round < 600; ++round) {
        watched w;
        const clsort_desc desc = {.count = 81 + rng_below(&r, (uint64_t)16 << rng_below(&r, 11)),
                                  .value_size = 4};
        watch(&w, fix, &desc);
        if (w.num_levels) {
            const uint32_t leaf = w.last->leaf_size, small = w.last->small_size;
            const uint32_t sizes[] = {
                1,    2,        small,    small + 1,    w.last->fill_size - small,
                leaf, leaf + 1, 2 * leaf, 2 * leaf + 1, small / 2};
            const uint64_t few = 1 + rng_below(&r, 10);
            uint32_t key = 0;
            for (uint64_t i = 0; i < w.n;) {
                const uint32_t size = sizes[rng_below(&r, few)];
                const uint32_t step = (uint32_t)rng_below(&r, 3);
                for (uint32_t j = 0; j < size && i < w.n; ++j)
                    w.keys[i++] = key += step == 2 ? 1 : 0;
                key += 1;
            }
            for (uint64_t i = w.n; round % 4 && i > 1; --i) {
                const uint64_t other = rng_below(&r, i);
                const uint32_t kept = w.keys[other];
                w.keys[other] = w.keys[i - 1];
                w.keys[i - 1] = kept;
            }
            const found f = sort_watched(&w);
            used = f.used > used ? f.used : used;
        }
        unwatch(&w);
    }
    print_message("at most %.2f of the leaves' capacity used\n", used);
}

#define WITH_LISTS "whole groups_per_unit=0\n"

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misled),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_runs),
    };
    const struct CMUnitTest again[] = {cmocka_unit_test(test_misled)};
    tuning_write_text(WITH_LISTS);
    int result = fixture_run("quick_lists", tests, sizeof tests / sizeof tests[0]);
    /* A single launch merges what is left, by work-groups that wait for each other or soon end. */
    tuning_write_text(WITH_LISTS "splitters groups_per_unit=2\n");
    if (!result)
        result = fixture_run("quick_lists", again, 1);
    tuning_write_text(WITH_LISTS "splitters groups_per_unit=3 spin_limit=0\n");
    if (!result)
        result = fixture_run("quick_lists", again, 1);
    tuning_remove();
    return result;
}
