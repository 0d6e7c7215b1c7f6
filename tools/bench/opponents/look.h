/* look.h: what checks the outputs of 'clsort bench', and copies of its inputs: numbers that are
 * added up over all elements, in any order. Read as input.h is. */
#ifndef BENCH_LOOK_H
#define BENCH_LOOK_H

/* Not in OpenCL C, where both are one text. */
#ifndef BENCH_INPUT_H
#include "input.h"
#endif

/* What is looked at: what the work has left, what it is given, or what it must leave, as keys that
 * are in order tell it. BENCH_OUTPUT_OF_ALL: the output of an opponent that sorts all keys for
 * BENCH_TOP, of which the wanted places are checked. */
enum bench_side { BENCH_OUTPUT, BENCH_INPUT, BENCH_EXPECTED, BENCH_OUTPUT_OF_ALL };

/* What one look at keys and values gives: numbers added up over all elements. */
struct bench_sums {
    u64 disorders; /* keys that are smaller than the one before */
    u64 hash;      /* of the pairs, whatever their order; of SEGMENTS, also of their segments */
    u64 placed;    /* of the pairs and their places */
};

/* What is looked at. Members that a work has no use for are not read. */
struct bench_arrays {
    BENCH_GLOBAL const void *keys;
    BENCH_GLOBAL const void *values;
    BENCH_GLOBAL const void *indices; /* with index_size; with place_size the places */
    BENCH_GLOBAL const void *source;  /* of TOP's output: the input */
    BENCH_GLOBAL const void *queries;
    BENCH_GLOBAL const u64 *offsets; /* with num_segments: where they begin, and the end */
};

BENCH_FUNCTION u64 bench_load(const struct bench_input *input, BENCH_GLOBAL const void *keys, u64 i)
{
    const u64 bits = input->bits;
    if (input->key_size == BENCH_RECORD_SIZE) {
        BENCH_GLOBAL const u32 *words = (BENCH_GLOBAL const u32 *)keys + i * BENCH_RECORD_WORDS;
        return ((u64)words[0] << 32) | (words[1] ^ 0x80000000u);
    }
    return bits == 8    ? (u64)((BENCH_GLOBAL const u8 *)keys)[i]
           : bits == 16 ? (u64)((BENCH_GLOBAL const u16 *)keys)[i]
           : bits == 32 ? (u64)((BENCH_GLOBAL const u32 *)keys)[i]
                        : ((BENCH_GLOBAL const u64 *)keys)[i];
}

BENCH_FUNCTION u64 bench_hash_value(const struct bench_input *input,
                                    BENCH_GLOBAL const void *values, u64 i, u64 hash)
{
    const u64 size = input->value_size;
    for (u64 at = 0; at < size && size % 4 == 0; at += 4)
        hash = bench_random(hash, ((BENCH_GLOBAL const u32 *)values)[i * (size / 4) + at / 4]);
    for (u64 at = 0; at < size && size % 4 != 0; at++)
        hash = bench_random(hash, ((BENCH_GLOBAL const u8 *)values)[i * size + at]);
    return hash;
}

/* The i-th of some numbers of 4 or 8 bytes. */
BENCH_FUNCTION u64 bench_number(u64 size, BENCH_GLOBAL const void *numbers, u64 i)
{
    return size == 4 ? (u64)((BENCH_GLOBAL const u32 *)numbers)[i]
                     : ((BENCH_GLOBAL const u64 *)numbers)[i];
}

/* Which element of the input is the i-th of the output, in a segment that begins there. */
BENCH_FUNCTION u64 bench_index(const struct bench_input *input, const struct bench_arrays *arrays,
                               u64 begin, u64 i)
{
    return input->index_size == 0 || input->side != BENCH_OUTPUT
               ? i
               : begin + bench_number(input->index_size, arrays->indices, i);
}

BENCH_FUNCTION u64 bench_load_ordered(const struct bench_input *input,
                                      BENCH_GLOBAL const void *keys, u64 i)
{
    return bench_ordered(input->kind, input->bits, bench_load(input, keys, i));
}

/* The segment of the element at i, by a galloping search from segment `from` on, which is the same
 * or an earlier one. Elements that are asked for are mostly near each other. */
BENCH_FUNCTION u64 bench_segment(const struct bench_input *input, const struct bench_arrays *arrays,
                                 u64 i, u64 from)
{
    const u64 num = input->num_segments;
    u64 segment = from, step = 1;
    if (input->row_length > 0)
        return i / input->row_length;
    for (; step < num - segment && arrays->offsets[segment + step] <= i; step *= 2)
        segment += step;
    for (; step > 0; step /= 2)
        segment += step < num - segment && arrays->offsets[segment + step] <= i ? step : 0;
    return segment;
}

/* Whether the element at i may stand behind the one at i - 1, of the same segment. */
BENCH_FUNCTION int bench_is_behind(const struct bench_input *input,
                                   const struct bench_arrays *arrays, u64 begin, u64 i)
{
    const u64 index = bench_index(input, arrays, begin, i);
    const u64 before = bench_index(input, arrays, begin, i - 1);
    if (index >= input->count || before >= input->count)
        return 0;
    const u64 key = bench_load_ordered(input, arrays->keys, index);
    const u64 last = bench_load_ordered(input, arrays->keys, before);
    if (key != last)
        return key > last;
    if (input->index_size > 0)
        return index > before;
    if (!input->has_places || !input->is_stable)
        return 1;
    const u64 num_words = input->value_size / 4;
    BENCH_GLOBAL const u32 *places = (BENCH_GLOBAL const u32 *)arrays->values;
    return places[i * num_words] > places[(i - 1) * num_words];
}

BENCH_FUNCTION u64 bench_hash(const struct bench_input *input, const struct bench_arrays *arrays,
                              u64 begin, u64 i)
{
    if (input->index_size > 0)
        return bench_random(11, bench_index(input, arrays, begin, i));
    u64 hash = bench_random(11, bench_load(input, arrays->keys, i));
    if (input->key_size == BENCH_RECORD_SIZE) {
        BENCH_GLOBAL const u32 *words =
            (BENCH_GLOBAL const u32 *)arrays->keys + i * BENCH_RECORD_WORDS;
        hash = bench_random(hash, ((u64)words[2] << 32) | words[3]);
    }
    return bench_hash_value(input, arrays->values, i, hash);
}

/* Keys that an output out of place has, of BENCH_TOP also those that short segments leave; the
 * largest number where 64 bits do not suffice. */
BENCH_FUNCTION u64 bench_num_outputs(const struct bench_input *input)
{
    const u64 num_rows = input->num_segments > 0 ? input->num_segments : 1;
    const u64 largest = ~(u64)0;
    if (input->work != BENCH_TOP)
        return input->count;
    return input->limit > largest / num_rows ? largest : num_rows * input->limit;
}

/* Where a row or segment begins, and the one before it ends. */
BENCH_FUNCTION u64 bench_row_begin(const struct bench_input *input,
                                   const struct bench_arrays *arrays, u64 row)
{
    return input->row_length > 0 ? row * input->row_length : arrays->offsets[row];
}

/* The place among all keys that the i-th of TOP's output tells, by its index or its value, of a row
 * that begins there. */
BENCH_FUNCTION u64 bench_told_place(const struct bench_input *input,
                                    const struct bench_arrays *arrays, u64 begin, u64 i)
{
    if (input->place_size > 0)
        return begin + bench_number(input->place_size, arrays->indices, i);
    return ((BENCH_GLOBAL const u32 *)arrays->values)[i * (input->value_size / 4)];
}

/* Whether the i-th place of TOP's output, which lies at `at`, has an equal key in the same row.
 * Indices, which the library alone returns, and the places of stable sorts must also rise among
 * equal keys, so that none is there twice. */
BENCH_FUNCTION int bench_is_of_row(const struct bench_input *input,
                                   const struct bench_arrays *arrays, u64 i, u64 at)
{
    const u64 begin = bench_row_begin(input, arrays, i / input->limit);
    const u64 end = bench_row_begin(input, arrays, i / input->limit + 1);
    const int is_index = input->place_size > 0;
    if (!is_index && !(input->value_size > 0 && input->has_places))
        return 1;
    const u64 place = bench_told_place(input, arrays, begin, at);
    const u64 key = bench_load(input, arrays->keys, at);
    if (place < begin || place >= end || bench_load(input, arrays->source, place) != key)
        return 0;
    if ((!is_index && !input->is_stable) || i % input->limit == 0 ||
        bench_load(input, arrays->keys, at - 1) != key)
        return 1;
    return place > bench_told_place(input, arrays, begin, at - 1);
}

/* TOP's output, or the same places of rows that are in order. Short segments have fewer. */
BENCH_FUNCTION struct bench_sums bench_look_top(const struct bench_input *input,
                                                const struct bench_arrays *arrays, u64 first,
                                                u64 stride)
{
    struct bench_sums sums = {0, 0, 0};
    const u64 count = bench_num_outputs(input);
    for (u64 i = first; i < count; i += stride) {
        const u64 row = i / input->limit;
        const u64 place = bench_row_begin(input, arrays, row) + input->skip + i % input->limit;
        if (place >= bench_row_begin(input, arrays, row + 1))
            continue;
        const u64 at = input->side == BENCH_OUTPUT ? i : place;
        const u64 hash = bench_random(11, bench_load(input, arrays->keys, at));
        sums.disorders += input->side != BENCH_EXPECTED && !bench_is_of_row(input, arrays, i, at);
        sums.hash += hash;
        sums.placed += bench_random(hash, i);
    }
    return sums;
}

/* RUNS' output, or the keys that it is to be of. placed: how many. */
BENCH_FUNCTION struct bench_sums bench_look_runs(const struct bench_input *input,
                                                 const struct bench_arrays *arrays, u64 first,
                                                 u64 stride)
{
    struct bench_sums sums = {0, 0, 0};
    for (u64 i = first; i < input->count; i += stride) {
        const u64 key = bench_load_ordered(input, arrays->keys, i);
        const u64 last = i > 0 ? bench_load_ordered(input, arrays->keys, i - 1) : 0;
        if (i > 0 && key <= last) {
            sums.disorders += input->side == BENCH_OUTPUT || key < last;
            continue;
        }
        sums.hash += bench_random(11, bench_load(input, arrays->keys, i));
        sums.placed++;
    }
    return sums;
}

/* SEARCH's output: a disorder for each place that is not the query's. */
BENCH_FUNCTION struct bench_sums bench_look_search(const struct bench_input *input,
                                                   const struct bench_arrays *arrays, u64 first,
                                                   u64 stride)
{
    struct bench_sums sums = {0, 0, 0};
    for (u64 i = first; i < input->num_queries; i += stride) {
        const u64 query = bench_load_ordered(input, arrays->queries, i);
        const u64 place = bench_number(input->place_size, arrays->indices, i);
        sums.disorders +=
            place > input->count ||
            (place > 0 && bench_load_ordered(input, arrays->keys, place - 1) >= query) ||
            (place < input->count && bench_load_ordered(input, arrays->keys, place) < query);
    }
    return sums;
}

/* The sums over the elements first, first + stride ... of keys and values. With index_size, keys
 * are the input and indices the output. */
BENCH_FUNCTION struct bench_sums bench_look(const struct bench_input *input,
                                            const struct bench_arrays *arrays, u64 first,
                                            u64 stride)
{
    struct bench_sums sums = {0, 0, 0};
    const int is_input = input->side == BENCH_INPUT;
    if (input->work == BENCH_TOP && !is_input)
        return bench_look_top(input, arrays, first, stride);
    if (input->work == BENCH_RUNS && !is_input)
        return bench_look_runs(input, arrays, first, stride);
    if (input->work == BENCH_SEARCH && !is_input)
        return bench_look_search(input, arrays, first, stride);
    const int has_segments = input->work == BENCH_SEGMENTS && input->num_segments > 0;
    u64 segment = 0, begin = 0;
    for (u64 i = first; i < input->count; i += stride) {
        if (has_segments) {
            segment = bench_segment(input, arrays, i, segment);
            begin = bench_row_begin(input, arrays, segment);
        }
        u64 hash = bench_hash(input, arrays, begin, i);
        if (has_segments)
            hash = bench_random(hash, segment);
        sums.disorders += i > begin && !bench_is_behind(input, arrays, begin, i);
        sums.hash += hash;
        sums.placed += bench_random(hash, i);
    }
    return sums;
}

#endif
