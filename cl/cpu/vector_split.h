/* vector_split.h: in which order to take the 8 lanes of a vector, so that those of a mask come
 * first and the others behind them. AVX2 has no instruction for that; AVX-512 compresses, but both
 * ends of a partition take one permutation instead of two compressions.
 *
 * Row m of the table is for mask m. Its lowest byte is the number of the first lane.
 *
 * Before including it, define SPLIT_TABLE, what stands in front of a table. */
#ifndef CLSORT_VECTOR_SPLIT_H
#define CLSORT_VECTOR_SPLIT_H

/* The rows of all masks of the lanes i to 0, which go in front of lanes above i: `num` lanes of the
 * mask, as the bytes `in`, and the `others`. */
#define ROW(num, in, others) ((in) | (others) << 8 * (num) % 64)
#define ROWS_0(num, in, others) ROW(num, in, (others) << 8), ROW((num) + 1, (in) << 8, others)
#define ROWS_1(num, in, others) \
    ROWS_0(num, in, (others) << 8 | 1), ROWS_0((num) + 1, (in) << 8 | 1, others)
#define ROWS_2(num, in, others) \
    ROWS_1(num, in, (others) << 8 | 2), ROWS_1((num) + 1, (in) << 8 | 2, others)
#define ROWS_3(num, in, others) \
    ROWS_2(num, in, (others) << 8 | 3), ROWS_2((num) + 1, (in) << 8 | 3, others)
#define ROWS_4(num, in, others) \
    ROWS_3(num, in, (others) << 8 | 4), ROWS_3((num) + 1, (in) << 8 | 4, others)
#define ROWS_5(num, in, others) \
    ROWS_4(num, in, (others) << 8 | 5), ROWS_4((num) + 1, (in) << 8 | 5, others)
#define ROWS_6(num, in, others) \
    ROWS_5(num, in, (others) << 8 | 6), ROWS_5((num) + 1, (in) << 8 | 6, others)
#define ROWS_7(num, in, others) \
    ROWS_6(num, in, (others) << 8 | 7), ROWS_6((num) + 1, (in) << 8 | 7, others)

SPLIT_TABLE ulong lanes_of_mask[256] = {ROWS_7(0, (ulong)0, (ulong)0)};

#endif
