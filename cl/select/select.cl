/* select.cl: the steps of select.h.
 *
 * select_sample:  one element of each part of an array into the sample; empties the other tables.
 * select_collect: the pass by the sample's bounds; with SELECT_FLAG_AGAIN the second pass, if
 *                 needed, by the bounds found by counting.
 * select_count:   counts digits of those elements that agree with a bound so far. A digit is a
 *                 phase (device/phases.h): the group that ends it adds the digit to the bounds.
 * select_place:   writes the wanted elements, which are sorted.
 *
 * Local memory: the histograms of both bounds, or a few counters. Sorts of the sample and of the
 * collected elements run between the steps. */
#include "base/config.h"
#include "device/phases.h"
#include "base/random.h"
#include "select/collect.h"

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
    for (ulong i = me; i < (ulong)p.capacity * p.num_arrays; i += size) {
        candidates[i] = ~0ul;
        if (KEY_BITS == 64)
            indices[i] = ~0u;
    }
    const ulong num_bins = (ulong)p.num_rounds * p.num_arrays * SELECT_BOUNDS * SELECT_BINS;
    for (ulong i = me; i < num_bins; i += size)
        SELECT_TABLE(uint, &p, histograms)[i] = 0;
    for (ulong i = me; i < 2ul * p.num_rounds * p.num_arrays; i += size)
        SELECT_TABLE(uint, &p, tasks)[i] = 0;
    for (ulong i = me; i < p.num_arrays; i += size) {
        __global struct select_state *state = SELECT_TABLE(struct select_state, &p, states) + i;
        for (uint bound = 0; bound < SELECT_BOUNDS; ++bound) {
            state->key[bound] = 0;
            state->index[bound] = 0;
            state->before[bound] = 0;
            state->size[bound] = p.count;
        }
        state->free_key = ~0ul;
        state->free_index = ~0u;
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
        select_counted_bounds(state, &bounds);
        const uint size = p.groups_per_array * GROUP_SIZE;
        for (uint i = select_between(state) + group * GROUP_SIZE + me; i < p.capacity; i += size) {
            sink.candidates[i] = ~0ul;
            if (KEY_BITS == 64)
                sink.indices[i] = ~0u;
        }
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

struct select_count_local {
    uint bins[SELECT_BOUNDS][SELECT_BINS];
    uint answer, is_enough;
};

/* A digit: of the key, or of the index. */
struct select_count_digit {
    uint is_index, shift;
};

CLSORT_INLINE void select_count_find(const struct select_params *p, uint round,
                                     struct select_count_digit *digit)
{
    const uint key_rounds = (KEY_NUM_BITS + RADIX_BITS - 1) / RADIX_BITS;
    digit->is_index = round >= key_rounds;
    const uint bits = digit->is_index ? p->index_bits : KEY_NUM_BITS;
    const uint number = digit->is_index ? round - key_rounds : round;
    digit->shift = sub_sat(bits, (number + 1) * RADIX_BITS);
}

/* Counts a part of the elements. The bounds do not change until all parts are counted. */
CLSORT_INLINE void select_count_part(const struct select_params *p,
                                     __global const stored_key_t *keys, uint part,
                                     volatile __global const struct select_state *state,
                                     struct select_count_digit digit,
                                     __local struct select_count_local *shared)
{
    const key_t fixed_key = ~(key_t)state->free_key;
    const uint fixed_index = ~state->free_index;
    const key_t bound_keys[SELECT_BOUNDS] = {(key_t)state->key[0], (key_t)state->key[1]};
    const uint bound_indices[SELECT_BOUNDS] = {state->index[0], state->index[1]};
    const ulong size = (ulong)p->groups_per_array * GROUP_SIZE;
    for (ulong i = (ulong)part * GROUP_SIZE + get_local_id(0); i < p->count; i += size) {
        const key_t key = SELECT_KEY(keys[i]);
        const uint index = (uint)i;
        const uint bin =
            (digit.is_index ? index >> digit.shift : (uint)(key >> digit.shift)) % SELECT_BINS;
#pragma unroll
        for (uint bound = 0; bound < SELECT_BOUNDS; ++bound)
            if ((key & fixed_key) == bound_keys[bound] &&
                (index & fixed_index) == bound_indices[bound])
                atomic_inc(&shared->bins[bound][bin]);
    }
}

/* Adds the digit of the wanted place to a bound. */
CLSORT_INLINE void select_narrow(const struct select_params *p, __global struct select_state *state,
                                 volatile __global uint *bins, uint bound,
                                 struct select_count_digit digit)
{
    const uint place = bound ? p->skip + p->limit - 1 : p->skip;
    uint before = state->before[bound], bin = 0, size = device_load_relaxed(&bins[0]);
    while (bin + 1 < SELECT_BINS && before + size <= place) {
        before += size;
        size = device_load_relaxed(&bins[++bin]);
    }
    state->before[bound] = before;
    state->size[bound] = size;
    if (digit.is_index)
        state->index[bound] |= bin << digit.shift;
    else
        state->key[bound] |= (ulong)bin << digit.shift;
}

/* By the work-item that adds a digit to both bounds. */
CLSORT_INLINE void select_narrow_both(const struct select_params *p,
                                      __global struct select_state *state,
                                      volatile __global uint *bins, struct select_count_digit digit)
{
    for (uint bound = 0; bound < SELECT_BOUNDS; ++bound)
        select_narrow(p, state, bins + bound * SELECT_BINS, bound, digit);
    if (digit.is_index)
        state->free_index = (1u << digit.shift) - 1;
    else
        state->free_key = (1ul << digit.shift) - 1;
}

KERNEL void select_count(const struct select_params p, SELECT_ARGS)
{
    __local struct select_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint array = (uint)get_group_id(0) / p.groups_per_array;
    const uint me = get_local_id(0);
    __global struct select_state *state = SELECT_TABLE(struct select_state, &p, states) + array;
    if (!select_misled(&p, state))
        return;
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + (ulong)array * p.count;
    for (uint round = 0; round < p.num_rounds; ++round) {
        const ulong slot = (ulong)round * p.num_arrays + array;
        volatile __global uint *bins =
            SELECT_TABLE(uint, &p, histograms) + slot * SELECT_BOUNDS * SELECT_BINS;
        volatile __global uint *tasks = SELECT_TABLE(uint, &p, tasks) + 2 * slot;
        struct select_count_digit digit;
        select_count_find(&p, round, &digit);
        GROUP_LOOP(i, 0, SELECT_BOUNDS * SELECT_BINS)
            shared.bins[i / SELECT_BINS][i % SELECT_BINS] = 0;
        uint num_done = 0; /* device_phases_take() has barriers: all are 0 */
        DEVICE_PHASES_TASKS(part, num_done, &tasks[0], p.groups_per_array, &shared.answer)
            select_count_part(&p, keys, part, state, digit, &shared);
        GROUP_LOOP(i, 0, SELECT_BOUNDS * SELECT_BINS) {
            const uint num = shared.bins[i / SELECT_BINS][i % SELECT_BINS];
            if (num)
                atomic_add(&bins[i], num);
        }
        if (device_phases_done(&tasks[1], num_done, p.groups_per_array, &shared.answer)) {
            if (me == 0)
                select_narrow_both(&p, state, bins, digit);
            device_phases_begin(&state->phases, round + 1);
        } else if (!device_phases_wait(&state->phases, round + 1, p.spin_limit, &shared.answer)) {
            return;
        }
        if (me == 0) /* others may end the next round meanwhile: one work-item decides */
            shared.is_enough = select_between(state) <= p.capacity;
        barrier(CLK_LOCAL_MEM_FENCE); /* it is decided */
        if (shared.is_enough)
            return;
    }
}

#if PAYLOAD_SIZE == 8
typedef ulong index_t;
#else
typedef uint index_t;
#endif

KERNEL void select_place(const struct select_params p, SELECT_ARGS)
{
    __global const ulong *candidates = SELECT_TABLE(const ulong, &p, candidates);
    __global const uint *candidate_indices = SELECT_TABLE(const uint, &p, candidate_indices);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0);
    __global stored_key_t *to = AT(stored_key_t, keys_out, 1);
    __global index_t *indices = AT(index_t, payload_out, 3);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        const uint array = (uint)(at / p.limit);
        if (array >= p.num_arrays)
            continue;
        __global const struct select_state *state =
            SELECT_TABLE(const struct select_state, &p, states) + array;
        const uint below = select_misled(&p, state) ? state->before[0] : state->below;
        const ulong from = (ulong)array * p.capacity + (p.skip - below) + at % p.limit;
        const uint index = SELECT_STORED_INDEX(candidates, candidate_indices, from);
        if (p.flags & FLAG_STORE_KEYS)
            to[at] = keys[(ulong)array * p.count + index];
        if (p.flags & FLAG_STORE_PAYLOAD)
            indices[at] = (index_t)index;
    }
}
