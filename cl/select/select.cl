/* select.cl: the steps of select.h.
 *
 * select_sample:  one element of each part of an array into the sample; empties the other tables.
 * select_collect: the pass by the sample's bounds; with SELECT_FLAG_AGAIN the second pass, if
 *                 needed, by the bounds found by counting.
 * select_count:   counts digits of those elements that agree with a bound so far (range.h). A digit
 *                 is a phase (device/phases.h), after which each group adds it to its bounds.
 * select_place:   writes the wanted elements, which are sorted.
 *
 * Local memory: the histograms of both bounds, a scan and the digits that were found; or a few
 * counters. Sorts of the sample and of the collected elements run between the steps. */
#include "base/config.h"
#include "device/phases.h"
#include "base/random.h"
#include "select/collect.h"
#include "select/range.h"

#define IS_AGAIN(p) ((p)->flags & SELECT_FLAG_AGAIN)

KERNEL void select_sample(const struct select_params p, SELECT_ARGS)
{
    const ulong size = get_global_size(0), me = get_global_id(0);
    __global ulong *sample = SELECT_TABLE(ulong, &p, sample);
    __global uint *sample_indices = SELECT_TABLE(uint, &p, sample_indices);
    for (ulong i = me; i < (ulong)p.sample_size * p.num_arrays; i += size) {
        const uint array = (uint)(i / p.sample_size), number = (uint)(i % p.sample_size);
        const uint index = (uint)((ulong)number * p.count / p.sample_size) +
                           random_below(number, p.count / p.sample_size);
        const key_t key =
            SELECT_KEY(AT(const stored_key_t, keys_in, 0)[(ulong)array * p.count + index]);
        SELECT_STORE(sample, sample_indices, i, key, index);
    }
    __global ulong *candidates = SELECT_TABLE(ulong, &p, candidates);
    __global uint *indices = SELECT_TABLE(uint, &p, candidate_indices);
    for (ulong i = me; i < (ulong)p.capacity * p.num_arrays; i += size)
        SELECT_STORE(candidates, indices, i, ~(key_t)0, ~0u);
    const ulong num_bins = (ulong)p.num_rounds * p.num_arrays * SELECT_BOUNDS * SELECT_BINS;
    for (ulong i = me; i < num_bins; i += size)
        SELECT_TABLE(uint, &p, histograms)[i] = 0;
    for (ulong i = me; i < 2ul * p.num_rounds * p.num_arrays; i += size)
        SELECT_TABLE(uint, &p, tasks)[i] = 0;
    for (ulong i = me; i < p.num_arrays; i += size) {
        __global struct select_state *state = SELECT_TABLE(struct select_state, &p, states) + i;
        state->below = state->found = state->again = state->phases = 0;
    }
}

KERNEL void select_collect(const struct select_params p, SELECT_ARGS)
{
    __local struct select_collect_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint array = (uint)get_group_id(0) / p.groups_per_array;
    const uint group = (uint)get_group_id(0) % p.groups_per_array;
    const uint me = get_local_id(0);
    __global struct select_state *state = SELECT_TABLE(struct select_state, &p, states) + array;
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + (ulong)array * p.count;
    struct select_sink sink;
    sink.candidates = SELECT_TABLE(ulong, &p, candidates) + (ulong)array * p.capacity;
    sink.indices = SELECT_TABLE(uint, &p, candidate_indices) + (ulong)array * p.capacity;
    sink.taken = IS_AGAIN(&p) ? &state->again : &state->found;
    sink.capacity = p.capacity;
    struct select_bounds bounds;
    if (IS_AGAIN(&p)) {
        if (!select_misled(&p, state))
            return;
        bounds.low = (key_t)state->low;
        bounds.high = (key_t)state->high;
        bounds.low_index = state->low_index;
        bounds.high_index = state->high_index;
        const uint size = p.groups_per_array * GROUP_SIZE;
        for (uint i = state->between + group * GROUP_SIZE + me; i < p.capacity; i += size)
            SELECT_STORE(sink.candidates, sink.indices, i, ~(key_t)0, ~0u);
    } else {
        select_sample_bounds(&p, scratch, array, &bounds);
    }
    if (me == 0)
        shared.below = 0;
    /* select_pass() has a barrier before it counts anything below the bounds. */
    const uint below = select_pass(&p, keys, group, &bounds, &sink, &shared);
    if (IS_AGAIN(&p))
        return;
    if (below)
        atomic_add(&shared.below, below);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have added theirs */
    if (me == 0 && shared.below)
        atomic_add(&state->below, shared.below);
}

/* By one work-item, when the bounds are found. */
CLSORT_INLINE void select_count_write(const struct select_range *range,
                                      __global struct select_state *state)
{
    struct select_bounds bounds;
    select_range_bounds(range, &bounds);
    state->low = bounds.low;
    state->high = bounds.high;
    state->low_index = bounds.low_index;
    state->high_index = bounds.high_index;
    state->before = range->before[0];
    state->between = select_range_between(range);
}

KERNEL void select_count(const struct select_params p, SELECT_ARGS)
{
    __local struct select_range_local shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    const uint array = (uint)get_group_id(0) / p.groups_per_array;
    __global struct select_state *state = SELECT_TABLE(struct select_state, &p, states) + array;
    if (!select_misled(&p, state))
        return;
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + (ulong)array * p.count;
    struct select_range range;
    uint is_last = 0;
    select_range_begin(&range, p.index_bits, p.count);
    for (uint round = 0; round < p.num_rounds && select_range_between(&range) > p.capacity;
         ++round) {
        const ulong slot = (ulong)round * p.num_arrays + array;
        volatile __global uint *bins =
            SELECT_TABLE(uint, &p, histograms) + slot * SELECT_BOUNDS * SELECT_BINS;
        volatile __global uint *tasks = SELECT_TABLE(uint, &p, tasks) + 2 * slot;
        const struct select_digit digit = select_range_digit(&range);
        select_range_clear(digit, &shared);
        uint num_done = 0;
        DEVICE_PHASES_TASKS(part, num_done, &tasks[0], p.groups_per_array, &answer) {
            const ulong size = (ulong)p.groups_per_array * GROUP_SIZE;
            for (ulong i = (ulong)part * GROUP_SIZE + get_local_id(0); i < p.count; i += size)
                select_range_count(&range, digit, SELECT_KEY(keys[i]), (uint)i, &shared);
        }
        /* The last ticket has come with a barrier: all are counted. */
        GROUP_LOOP(i, 0, SELECT_DIGIT_BINS(digit))
            if (shared.bins[i])
                atomic_add(&bins[i], shared.bins[i]);
        is_last = device_phases_done(&tasks[1], num_done, p.groups_per_array, &answer);
        if (is_last)
            device_phases_begin(&state->phases, round + 1);
        else if (!device_phases_wait(&state->phases, round + 1, p.spin_limit, &answer))
            return;
        GROUP_LOOP(i, 0, SELECT_DIGIT_BINS(digit))
            shared.bins[i] = device_load_relaxed(&bins[i]);
        select_range_narrow(&range, digit, p.skip, p.skip + p.limit - 1, &shared);
    }
    if (is_last && get_local_id(0) == 0)
        select_count_write(&range, state);
}

KERNEL void select_place(const struct select_params p, SELECT_ARGS)
{
    __global const ulong *candidates = SELECT_TABLE(const ulong, &p, candidates);
    __global const uint *candidate_indices = SELECT_TABLE(const uint, &p, candidate_indices);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        const uint array = (uint)(at / p.limit);
        if (array >= p.num_arrays)
            continue;
        __global const struct select_state *state =
            SELECT_TABLE(const struct select_state, &p, states) + array;
        const uint below = select_misled(&p, state) ? state->before : state->below;
        const ulong from = (ulong)array * p.capacity + (p.skip - below) + at % p.limit;
        select_write_stored(&p, keys_in, keys_out, values_in, payload_out, array,
                            SELECT_STORED_INDEX(candidates, candidate_indices, from),
                            (uint)(at % p.limit));
    }
}
