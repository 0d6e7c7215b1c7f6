/* sample.cl: empties tables, and decides whether msd (msd/msd.h) sorts, or onesweep does.
 *
 * Idea: the keys of a sample are counted by the highest bits in which they differ. The squares of
 * the counts tell how many pairs of keys agree in these bits. If these are more than among random
 * keys, some values, or ranges of them, are frequent. Few different keys are listed here (few.h).
 * Keys that are even in a part of their range are an exception: level 1 of msd/msd.h stretches them
 * (stretch.h). Floats of 64 bits that are spread smoothly are mapped
 * (map.h). Keys that are partly in order are dealt (msd/deal.h). Keys of which there are many
 * each are not even, wherever they lie (repeats.h).
 *
 * Local memory: the counts of the sample, and what the headers need. One work-group. Runs before:
 * the kernels of msd/msd.h, onesweep/sort.cl. */
#include "base/config.h"
#include "sorts/sample/few.h"
#include "sorts/sample/repeats.h"
#include "sorts/sample/stretch.h"
#if STRETCH_MAPS
#include "sorts/sample/map.h"
#endif

/* Bins and elements of the sample: SAMPLE * SAMPLE / BINS / 2 pairs of random keys agree. Those of
 * Zipf's law at 2^24 do 10 times, of entropy 0.54 85 times as often. Keys in no
 * more than FEW_BINS bins may be few different ones. */
#define BINS ((uint)MSD_SAMPLE_BINS)
#define SAMPLE ((uint)MSD_SAMPLE)
#define FEW_BINS 32u
#define PLACES (GROUP_SIZE * (OWN_SAMPLE - 2u)) /* where it may turn */
#define FEW_TURNS (PLACES / 16)                 /* those in order are only copied */
/* Bounds for evenly spread keys. Random ones have SAMPLE * SAMPLE / BINS / 2 pairs, give or take a
 * fiftieth, and turn at two of three places, give or take a fiftieth. Sorted, reversed and
 * piecewise sorted ones seldom turn. */
#define EVEN_PAIRS (23 * (SAMPLE / 2) * (SAMPLE / BINS) / 20)
#define EVEN_TURNS (PLACES * 5 / 9)

/* A sum over all work-items: how often keys turn, how many work-items have a key above the one
 * before it, and how many have one below. */
#define SAMPLE_TURNS(sums) ((sums)&0x7ff)
#define SAMPLE_UP(sums) ((sums) >> 11 & 0x3ff)
#define SAMPLE_DOWN(sums) ((sums) >> 21)
#define SAMPLE_SUMS(turns, up, down) ((turns) | (up) << 11 | (down) << 21)
/* Another: how many work-items' first key has a larger neighbour behind it in the array, and how
 * many's a smaller one, and the pairs of equal keys that were seen. If either are three quarters,
 * neighbours are in order. */
#define NEAR_UP(sums) ((sums)&0x3ff)
#define NEAR_DOWN(sums) ((sums) >> 10 & 0x3ff)
#define NEAR_REPEATS(sums) ((sums) >> 20)
#define NEAR_SUMS(up, down, repeats) ((up) | (down) << 10 | (repeats) << 20)
#define NEAR_IN_ORDER(sums) (max(NEAR_UP(sums), NEAR_DOWN(sums)) * 4 > 3 * (uint)GROUP_SIZE)

#if MSD_SAMPLE % GROUP_SIZE || MSD_SAMPLE < 3 * GROUP_SIZE || MSD_SAMPLE > 0x7ff + 1
#error "sample.cl: each work-item has three neighbours of the sample, and all have as many"
#endif
#if GROUP_SIZE > 0x3ff
#error "sample.cl: NEAR_SUMS has ten bits for a number of work-items"
#endif

struct sample_sums {
    uint pairs; /* of keys that share a bin */
    uint used;  /* bins */
};

struct sample_local {
    uint bins[BINS];
    uint differing[2];
    struct sample_sums sums[2]; /* of the keys, and of the stretched ones, or of hashed ones */
    uint ways;                  /* SAMPLE_SUMS */
    uint near;                  /* NEAR_SUMS */
    uint marks[SAMPLE];         /* repeats.h */
    struct sample_stretch_local stretch;
    struct sample_few_local few;
#if STRETCH_MAPS
    struct sample_map_local map;
#endif
};

/* Keys beside a work-item's own: the next work-item's first one, so that what is between them is
 * seen, and the one that lies behind its own first one in the array. */
struct sample_others {
    key_t next, neighbour;
};

/* In which bits the sample's keys differ, how often they go up, down, and turn, whether neighbours
 * are in order, and how many are equal. Begins and ends with a barrier. */
CLSORT_INLINE void sample_compare(const key_t *own, struct sample_others others,
                                  __local struct sample_local *shared)
{
    key_t differing = 0;
    uint turns = 0, up = 0, down = 0;
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k) {
        const key_t other = k + 1 < OWN_SAMPLE ? own[k + 1] : others.next;
        differing |= own[k] ^ other;
        if (k + 2 < OWN_SAMPLE)
            turns += (own[k] < own[k + 1]) != (own[k + 1] < own[k + 2]);
        up |= own[k] < other;
        down |= own[k] > other;
    }
    repeats_mark(own, shared->marks);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is 0, and marked */
    GROUP_JOIN_OR(&shared->differing[0], (uint)differing);
    if (KEY_BITS == 64)
        GROUP_JOIN_OR(&shared->differing[1], (uint)((ulong)differing >> 32));
    GROUP_JOIN_ADD(&shared->ways, SAMPLE_SUMS(turns, up, down));
    GROUP_JOIN_ADD(&shared->near,
                   NEAR_SUMS((uint)(own[0] < others.neighbour), (uint)(own[0] > others.neighbour),
                             repeats_seen(own, shared->marks)));
    barrier(CLK_LOCAL_MEM_FENCE); /* all have told */
}

/* Counts the sample in bins, of which this work-item's keys have those given. Begins and ends with
 * a barrier. */
CLSORT_INLINE void sample_count(__local struct sample_local *shared, const uint *own_bins,
                                __local struct sample_sums *sums)
{
    uint pairs = 0, used = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the last counts have been read */
    GROUP_LOOP(i, 0, BINS)
        shared->bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0 */
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        atomic_inc(&shared->bins[own_bins[k]]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
    GROUP_LOOP(i, 0, BINS) {
        const uint count = shared->bins[i];
        pairs += count > 1 ? count * (count - 1) / 2 : 0;
        used += count > 0;
    }
    GROUP_JOIN_ADD(&sums->pairs, pairs);
    GROUP_JOIN_ADD(&sums->used, used);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are added up */
}

/* Whether the keys are even where they are stretched, or mapped. Begins and ends with a barrier. */
#if STRETCH_MAPS
CLSORT_INLINE uint sample_stretches(const struct msd_params *q, const key_t *own,
                                    __global void *scratch, __local struct sample_local *shared,
                                    struct key_stretch *stretch_ret)
{
    uint bins[OWN_SAMPLE];
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        bins[k] = sample_few_slot(own[k], 0);
    sample_count(shared, bins, &shared->sums[1]); /* equal keys share a bin, whatever it is */
    const uint may_map = q->flags & MSD_FLAG_MAPS && shared->sums[1].pairs < EVEN_PAIRS;
    return map_make(q, own, may_map, &shared->stretch, &shared->map, shared->bins,
                    MSD_TABLE(struct float_map, map), stretch_ret);
}
#else
CLSORT_INLINE uint sample_stretches(const struct msd_params *q, const key_t *own,
                                    __global void *scratch, __local struct sample_local *shared,
                                    struct key_stretch *stretch_ret)
{
    (void)scratch;
    key_t ends[2];
    uint bins[OWN_SAMPLE];
    stretch_ends(own, &shared->stretch, ends);
    *stretch_ret = stretch_between(ends, q->least_range);
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        bins[k] = (uint)(msd_stretch(stretch_ret, 0, own[k]) >> (KEY_WORK_BITS - 31 + clz(BINS)));
    sample_count(shared, bins, &shared->sums[1]);
    return stretch_ret->is_used && shared->sums[1].pairs < EVEN_PAIRS;
}
#endif

/* How msd/msd.h's level 1 may go through the keys, if they are even: MSD_EVEN or MSD_DEALT;
 * or 0 if it may not. A sample that only goes up, or only down, is mostly that of an array in
 * order, which other sorts see. */
CLSORT_INLINE uint sample_way(const struct msd_params *q, uint ways, uint near)
{
    const uint is_mixed = SAMPLE_UP(ways) && SAMPLE_DOWN(ways);
    const uint may_deal = q->flags & MSD_FLAG_DEALS && q->count < DEAL_MOST;
    const uint way = SAMPLE_TURNS(ways) >= EVEN_TURNS && !(NEAR_IN_ORDER(near) && may_deal)
                         ? MSD_EVEN
                     : is_mixed && may_deal ? MSD_DEALT
                                            : 0;
    if (REPEATS_ARE_MANY(q, NEAR_REPEATS(near)))
        return 0;
    return way;
}

/* Whether the keys are spread evenly and not in order, and how msd may go through them; by
 * one work-group, which has drawn the sample. */
CLSORT_INLINE uint sample_is_even(const struct msd_params *q, const key_t *own,
                                  struct sample_others others, __global void *scratch,
                                  __local struct sample_local *shared,
                                  struct key_stretch *stretch_ret)
{
    uint bins[OWN_SAMPLE];
    if (get_local_id(0) == 0) {
        shared->differing[0] = shared->differing[1] = shared->ways = shared->near = 0;
        shared->sums[0] = shared->sums[1] = (struct sample_sums){0, 0};
    }
    sample_compare(own, others, shared);
    const ulong all = (ulong)shared->differing[1] << 32 | shared->differing[0];
    const uint bits = 64 - (uint)clz(all);
    const uint shift = sub_sat(bits, 31 - (uint)clz(BINS));
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        bins[k] = (uint)(own[k] >> shift) % BINS;
    sample_count(shared, bins, &shared->sums[0]);
    const uint way = sample_way(q, shared->ways, shared->near);
    stretch_ret->is_used = 0;
    if (bits == q->num_bits && shared->sums[0].pairs < EVEN_PAIRS)
        return way;
    if (way && q->num_bits == KEY_BITS && sample_stretches(q, own, scratch, shared, stretch_ret))
        return way;
    stretch_ret->is_used = 0;
    return 0;
}

KERNEL void msd_sample(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params *q = &p;
    __local struct sample_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    __global const stored_key_t *keys = msd_keys(q, MSD_BUFFERS, BUFFER_IN);
    key_t own[OWN_SAMPLE];
#pragma unroll
    for (uint k = 0; k < OWN_SAMPLE; ++k)
        own[k] = MSD_ORDER(keys[sample_place(q, me * OWN_SAMPLE + k)]);
    const struct sample_others others = {
        MSD_ORDER(keys[sample_place(q, min((me + 1) * OWN_SAMPLE, SAMPLE - 1))]),
        MSD_ORDER(keys[sample_place(q, me * OWN_SAMPLE) + 1])};
    struct key_stretch stretch;
    const uint is_even = sample_is_even(q, own, others, scratch, &shared, &stretch);
    __global uint *control = MSD_TABLE(uint, control);
    GROUP_LOOP(i, 0, sizeof(struct msd_control) / 4)
        control[i] = i == 0 ? !is_even : i == 1 ? is_even : 0; /* these come first */
    GROUP_LOOP(i, 0, is_even ? q->num_totals : 0)
        MSD_TABLE(uint, totals)[i] = 0;
    GROUP_LOOP(i, 0, q->onesweep_size / 4)
        MSD_TABLE(uint, onesweep)[i] = 0;
    if (stretch.is_used) {
        barrier(CLK_GLOBAL_MEM_FENCE); /* the tables are empty */
        if (me == 0)
            MSD_CONTROL->stretch = stretch;
    }
    if (!is_even && shared.sums[0].used > 1 && shared.sums[0].used <= FEW_BINS &&
        SAMPLE_TURNS(shared.ways) >= FEW_TURNS) {
        const uint num_few = sample_few_list(own, &shared.few, shared.bins);
        barrier(CLK_GLOBAL_MEM_FENCE); /* the tables are empty, the list comes there */
        sample_few_write(&shared.few, num_few, MSD_TABLE(struct onesweep_control, onesweep));
    }
}
