/* cpu_cells.h: which part of an array's range of keys a key lies in, for sorts where a work-group
 * is one work-item (CPUs).
 *
 * A sample gives the range. It is cut into equal cells; where the sample crowds into a few places,
 * 64 coarse cells are cut further instead, each over the range of its own sample and in proportion to
 * it. Keys outside a range go to its first or last cell, so the number of the cell never decreases
 * with the key, whatever was sampled: a bad sample costs time, never order. */
#ifndef CLSORT_CPU_CELLS_H
#define CLSORT_CPU_CELLS_H

#include "item.h"

#if ITEM_SIZE == 16
#define ITEM_RADIX(item) KEY_DIGITS((key_t)(item).x)
#else
#define ITEM_RADIX(item) KEY_DIGITS((key_t)ITEM_KEY(item))
#endif

/* Functions too long to be copied to where they are called: half of the time to compile. */
#define CPU_CALLED static __attribute__((noinline))

#define SAMPLES 1024
#define COUNT_BLOCK 1024u
/* Cells found before they are counted, of vectors: 0.45 ns for a 4-byte key and not 0.67. Only of a flat
 * range; where tables say them it takes 2.1 and not 1.5. */
#define CELLS_AT_ONCE 64
#define CROWD 8 /* times its share makes a coarse cell crowded */

CLSORT_INLINE uint bits_of(key_t x)
{
    return KEY_WORK_BITS - (uint)clz(x);
}

/* The key of a buffer as the number to sort by. */
#define RADIX_AT(keys, at) KEY_DIGITS(KEY_ENCODE((key_t)(keys)[at]))

CLSORT_INLINE uint cell_in(key_t radix, key_t low, uint shift, uint last)
{
    const key_t above = sub_sat(radix, low) >> shift;
    return above < last ? (uint)above : last;
}

/* The lowest shift that leaves range below num. */
CLSORT_INLINE uint cell_shift(key_t range, uint num)
{
    const uint bits = bits_of(range);
    const uint cell_bits = 31 - clz(num);
    return sub_sat(bits, cell_bits);
}

/* What the cells are, in private memory, where the loops over all keys want it. */
struct cells {
    key_t low;
    uint shift, last;
    uint flat; /* no coarse cells: the cells are equal parts of the range */
    key_t lows[CPU_COARSE];
    uint shifts[CPU_COARSE], firsts[CPU_COARSE], lasts[CPU_COARSE];
};

/* Coarse cell `coarse` of a crowded range, cut into num cells from number `first` on. */
CLSORT_INLINE void cells_cut(struct cells *cells, uint coarse, key_t low, key_t range, uint first,
                             uint num)
{
    cells->lows[coarse] = low;
    cells->shifts[coarse] = cell_shift(range, num);
    cells->firsts[coarse] = first;
    cells->lasts[coarse] = num - 1;
}

/* A cell for every key of num_cells. */
CLSORT_INLINE void cells_exact(uint num_cells, struct cells *cells)
{
    cells->low = 0;
    cells->shift = 0;
    cells->last = num_cells - 1;
    cells->flat = 1;
}

/* At most num_cells cells for the keys of an array of at least one. */
CPU_CALLED void cells_sample(__global const stored_key_t *keys, ulong count, uint num_cells,
                             struct cells *cells)
{
    key_t sample[SAMPLES];
    const uint num = count < SAMPLES ? (uint)count : SAMPLES;
    const ulong step = count / num;
    key_t low = RADIX_AT(keys, 0);
    key_t high = low;
    for (uint i = 0; i < num; ++i) {
        const key_t radix = RADIX_AT(keys, i * step);
        sample[i] = radix;
        low = radix < low ? radix : low;
        high = radix > high ? radix : high;
    }
    cells->low = low;
    cells->shift = cell_shift(high - low, CPU_COARSE);
    cells->last = CPU_COARSE - 1;
    uint shares[CPU_COARSE];
    key_t lows[CPU_COARSE], highs[CPU_COARSE];
    for (uint i = 0; i < CPU_COARSE; ++i) {
        shares[i] = 0;
        lows[i] = ~(key_t)0;
        highs[i] = 0;
    }
    uint largest = 0;
    for (uint i = 0; i < num; ++i) {
        const uint cell = cell_in(sample[i], low, cells->shift, cells->last);
        lows[cell] = sample[i] < lows[cell] ? sample[i] : lows[cell];
        highs[cell] = sample[i] > highs[cell] ? sample[i] : highs[cell];
        shares[cell] += 1;
        largest = shares[cell] > largest ? shares[cell] : largest;
    }
    cells->flat = largest <= CROWD * num / CPU_COARSE || num_cells <= CPU_COARSE;
    if (cells->flat) {
        cells->shift = cell_shift(high - low, num_cells);
        cells->last = num_cells - 1;
        return;
    }
    uint first = 0;
    for (uint i = 0; i < CPU_COARSE; ++i) {
        const uint cut = 1 + (uint)((ulong)shares[i] * (num_cells - CPU_COARSE) / num);
        cells_cut(cells, i, shares[i] ? lows[i] : 0, shares[i] ? highs[i] - lows[i] : 0, first,
                  cut);
        first += cut;
    }
}

CLSORT_INLINE void cells_write(const struct cells *cells, __global struct cpu_state *state)
{
    state->low = cells->low;
    state->shift = cells->shift;
    state->last = cells->last;
    state->flat = cells->flat;
    for (uint i = 0; i < CPU_COARSE && !cells->flat; ++i) {
        state->coarse[i].low = cells->lows[i];
        state->coarse[i].shift = cells->shifts[i];
        state->coarse[i].first = cells->firsts[i];
        state->coarse[i].last = cells->lasts[i];
    }
}

CLSORT_INLINE void cells_read(__global const struct cpu_state *state, struct cells *cells)
{
    cells->low = (key_t)state->low;
    cells->shift = state->shift;
    cells->last = state->last;
    cells->flat = state->flat;
    for (uint i = 0; i < CPU_COARSE && !cells->flat; ++i) {
        cells->lows[i] = (key_t)state->coarse[i].low;
        cells->shifts[i] = state->coarse[i].shift;
        cells->firsts[i] = state->coarse[i].first;
        cells->lasts[i] = state->coarse[i].last;
    }
}

/* The cell of a key; flat is a constant where it is called, so that each loop has one form. */
CLSORT_INLINE uint cell_of(const struct cells *cells, key_t radix, int flat)
{
    const uint cell = cell_in(radix, cells->low, cells->shift, cells->last);
    if (flat)
        return cell;
    return cells->firsts[cell] +
           cell_in(radix, cells->lows[cell], cells->shifts[cell], cells->lasts[cell]);
}

/* Which ways neighbours go, as bits: whether some key comes before its predecessor, and whether some
 * comes after it. Equal keys that can be told apart must not change places: they go up. */
#define GOES_DOWN 1u
#define GOES_UP 2u
#if PAYLOAD_SIZE || KEY_PARTIAL
#define DIRECTION(before, radix) ((radix) < (before) ? GOES_DOWN : GOES_UP)
#else
#define DIRECTION(before, radix) \
    (((radix) < (before) ? GOES_DOWN : 0) | ((radix) > (before) ? GOES_UP : 0))
#endif

/* Adds the keys [begin, end) to the counts of their cells. Returns which ways they go, the first one
 * seen from the key in front of it. */
CLSORT_INLINE uint cells_count(__global const stored_key_t *keys, ulong begin, ulong end,
                               const struct cells *cells, int flat, __global uint *counts)
{
    uint directions = 0;
    for (ulong first = begin; first < end; first += COUNT_BLOCK) {
        const ulong last = min(first + COUNT_BLOCK, end);
        for (ulong i = max(first, 1ul); i < last; ++i) { /* of vectors */
            const key_t before = RADIX_AT(keys, i - 1);
            const key_t radix = RADIX_AT(keys, i);
            directions |= DIRECTION(before, radix);
        }
        ulong i = first;
        for (; flat && i + CELLS_AT_ONCE <= last; i += CELLS_AT_ONCE) {
            uint own[CELLS_AT_ONCE];
            for (uint k = 0; k < CELLS_AT_ONCE; ++k)
                own[k] = cell_of(cells, RADIX_AT(keys, i + k), flat);
            for (uint k = 0; k < CELLS_AT_ONCE; ++k)
                counts[own[k]] += 1;
        }
        for (; i < last; ++i)
            counts[cell_of(cells, RADIX_AT(keys, i), flat)] += 1;
    }
    return directions;
}

#endif
