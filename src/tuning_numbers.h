/* tuning_numbers.h: what was measured and does not depend on an item's size, beside the rows of
 * tuning_table.h. */
#ifndef TUNING_NUMBERS_H
#define TUNING_NUMBERS_H

/* clang-format off */
/* The radix sort of CPUs: measured with PoCL 3.1 on 2 cores of an AMD EPYC, on 1 MiB of cache a core and 32 MiB for all. */
#define CPU_TUNING                                                                   \
    {.alone_bytes = 128 << 10, .bucket_bytes = 128 << 10, .spare_bytes = 1 << 20,       \
     .run_bytes = 256 << 10, .stream_bytes = 128 << 20, .digit_bits = CPU_DIGIT_BITS}
/* Copies and the like there, one work-item a group: of 64 MiB in 10 ms, where groups of 64 take 28. */
#define CPU_MOVE {.group_size = 1, .items = 2048, .lanes = 1}
#define CPU_BUCKET_PART 8
#define CPU_DIGIT_BITS 11

/* Looks for other work-groups of a launch before one does without them: some ten milliseconds on an H200. On CPUs
 * they may have to wait for a core. */
#define DEVICE_PATIENCE (1 << 14)

#define NEVER UINT64_MAX

/* Radix sort from the most significant digit down: device, key and payload bytes at most, scattering group x
 * items, leaf group x items, log2 of a leaf's bins, loads of counting, tiles of a block, registers of
 * scattering and of leaves, votes wanted, groups of a compute unit for the deep levels in one launch, or 0 for a launch each,
 * and for crowded leaves, bits of such a level's digit at least, elements from which it is taken, and from which quicksort
 * stands before it for skewed ones that no passes sort.
 *
 * NVIDIA: measured on an H200, driver 580, 2^28 random elements (pairs of u64: 2^27), milliseconds of a
 * scatter and of the leaves. u32, with 512 x 20: 0.81, 1.9, and all of 2^22, 2^24, 2^26, 2^28 24.1, 43.5, 58.6, 63.3
 * Gkeys/s, where 256 x 28 has 27.3, 47.3, 61.1, 62.1, and 256 x 20 24.8, 45.7, 59.0, 59.3; scattering with 256 x 40 and 128 registers 1.11, with 96
 * 0.90, 256 x 32 with 80 0.86, tiles alone in their blocks 0.85; leaves with 256 x 20 and 64 registers 1.9,
 * with 128 2.5. Without a bound on registers the compiler takes 174, and a scatter 1.34. u64: 1.40, 2.6; 256 x
 * 20 1.43 and, for leaves of 256 x 18, 3.2. u32+u32: 1.9, 2.4; 512 x 10
 * 1.9, at 2^24 0.11 and not 0.10; with keys and values through local memory after each other 1.9, 4.2. u64+u64: 1.5, 3.1; 512 x 8
 * 1.7. With votes, for order: u32+u32 3.1, u64+u64 2.5. From 2^21 on, or 2^20, it is ahead of the other form.
 * Of skewed u64+u64 quicksort sorts 10.2, 13.9 and 16.7 Gkeys/s at 2^24 (entropy 0.54, Zipf, entropy 0.20), this one 7.1, 10.9 and 5.8; to
 * have it behind a sample costs random keys 6 % there, nothing at 2^28.
 * Deep levels: each segment has three tables of digits, and there can be as many as leaves. With room for 8 bits then, scratch
 * would be 1.20 copies of 2^24 u32, with 6 1.08. Crowded leaves: most often there are none, and a launch without work is the
 * faster the smaller it is.
 * CPU: for tests alone, which so cross every path with few keys, with payloads where a tuning file says so; PoCL 3.1 takes minutes to compile the deep levels'
 * one launch. Others: not measured. */
#define PART_DIGIT_BITS 8
#define PART_MIN_DIGIT_BITS 3
#define PART_ROWS                                                          \
    PART_ROW(NVIDIA, 4, 0, 256, 28, 512, 9, 12, 16, 3, 64, 40, 1, 4, 4, 6, 1 << 21, NEVER)  \
    PART_ROW(NVIDIA, 8, 0, 512, 10, 512, 9, 12, 8, 4, 64, 40, 1, 4, 4, 6, 1 << 20, NEVER)   \
    PART_ROW(NVIDIA, 4, 4, 256, 20, 512, 9, 12, 16, 4, 128, 64, 1, 4, 4, 6, 1 << 20, NEVER) \
    PART_ROW(NVIDIA, 8, 8, 256, 16, 512, 9, 12, 8, 4, 128, 64, 1, 4, 4, 6, 1 << 21, 1 << 24)  \
    PART_ROW(CPU, ANY, 0, 16, 3, 16, 5, 6, 2, 2, 0, 0, 0, 0, 4, 6, 1 << 8, NEVER)               \
    PART_ROW(CPU, ANY, 8, 16, 3, 16, 5, 6, 2, 2, 0, 0, 0, 0, 4, 6, NEVER, NEVER)                \
    PART_ROW(ANY, ANY, 0, 256, 16, 256, 10, 11, 8, 4, 0, 0, 0, 0, 4, 6, 1 << 17, NEVER)

/* Stable radix sort from the least significant digit up: device, key and payload bytes at most, group x items,
 * registers, groups of a compute unit, log2 of a digit's values, looks for other groups, votes wanted, elements
 * of an array from which it is taken and from which no more, from which where equal ones are to keep their order, and
 * from which it stands behind the form that begins with the highest digit, for skewed keys.
 *
 * NVIDIA: measured on an H200, driver 580, random elements, Gkeys/s of 2^24 and 2^28. u32: 39.8, 50.3; 256 x 28
 * 37.7, 48.6; 96 registers 36.5, 44.5; 256 x 24 with 64 36.1, 41.8; four words looked at at once and not six 1 %
 * less, one 12 %. u64, 2^24 and 2^27: 15.6, 17.9; 256 x 18 15.2, 17.2. u32+u32: 26.4, 30.8; 256 x 18
 * 25.1, 29.9, 512 x 10 with 64 registers 25.8, 28.9, 512 x 16 with 64 26.7, 29.7, 256 x 24 with 96 26.3, 30.0; with keys and
 * payloads apart in scratch, too, 22.8, 26.5. u64+u64, 2^24: 7.7; 512 x 6 7.6. The form that begins with the highest digit has 51
 * and 61, 35 and 41, 37 and 38, 17 and 19 of random keys, but in order 22 and 27, and of u16 66 and 115, this one 80
 * and 100, of u8 127 and 200, this one 80. To look at a sample and to have this one behind costs that one 12 microseconds. CPU: for tests
 * alone. Others: not measured. */
#define ONESWEEP_MIN_BITS 4
#define ONESWEEP_ROWS                                                                                 \
    ONESWEEP_ROW(NVIDIA, 1, 0, 256, 32, 80, 3, 8, DEVICE_PATIENCE, 1, NEVER, NEVER, NEVER, NEVER)           \
    ONESWEEP_ROW(NVIDIA, 2, 0, 256, 32, 80, 3, 8, DEVICE_PATIENCE, 1, 1 << 22, 1 << 26, NEVER, NEVER)       \
    ONESWEEP_ROW(NVIDIA, 4, 0, 256, 32, 80, 3, 8, DEVICE_PATIENCE, 1, 1 << 12, 1 << 21, NEVER, 1 << 23)     \
    ONESWEEP_ROW(NVIDIA, 8, 0, 256, 20, 80, 3, 8, DEVICE_PATIENCE, 1, 1 << 12, 1 << 20, NEVER, 1 << 23)     \
    ONESWEEP_ROW(NVIDIA, 4, 4, 256, 20, 80, 3, 8, DEVICE_PATIENCE, 1, 1 << 12, 1 << 20, 1 << 12, 1 << 23)   \
    ONESWEEP_ROW(NVIDIA, 8, 8, 512, 7, 64, 2, 8, DEVICE_PATIENCE, 1, NEVER, NEVER, NEVER, NEVER)            \
    ONESWEEP_ROW(CPU, ANY, 8, 16, 3, 0, 2, 5, 16, 0, NEVER, NEVER, NEVER, NEVER)              \
    ONESWEEP_ROW(ANY, ANY, 8, 256, 16, 0, 4, 8, DEVICE_PATIENCE, 1, NEVER, NEVER, NEVER, NEVER)

/* Merge sort's tile on devices that are no CPUs: device, item bytes at most, group x items. Smaller
 * where local memory asks for it. NVIDIA: measured on an H200, driver 580, 2^24 random elements. u32: 1.02
 * ms; 128 x 17 1.04, 256 x 8, which has bank conflicts, 1.56. u64: 1.68; 256 x 17 1.72, 256 x 8 2.57.
 * Records of 16 bytes: 5.07; 256 x 11 5.00, 64 x 15 5.35, 256 x 8 11.2. Others: not measured. */
#define MERGE_ROWS                  \
    MERGE_ROW(NVIDIA, 4, 256, 17)   \
    MERGE_ROW(NVIDIA, 8, 128, 17)   \
    MERGE_ROW(NVIDIA, 16, 128, 15)  \
    MERGE_ROW(NVIDIA, ANY, 64, 15)  \
    MERGE_ROW(ANY, ANY, 256, 8)

/* Partition quicksort: device, item bytes at most, group x items of a leaf, of a sample, of counting and of a
 * scatter's tile, log2 of a segment's buckets, tiles of a block, votes wanted, registers of leaves, elements up
 * to which one group merges what is left of a segment, groups of a compute unit that merge in one launch otherwise. NVIDIA:
 * measured on an H200, driver 580, 2^24 random elements, ms. u32: 0.79; leaves of 128 x 17 0.79, at 2^20
 * 0.142 and not 0.122; 512 x 17 0.86; 8 bits 0.78, at 2^20 0.132. u64: 0.95; 256 x 14 in a scatter 0.98,
 * leaves of 128 x 17 1.20, of 128 x 23 1.17. Records of 16 bytes: 1.31, leaves of
 * 128 x 9 1.36, of 128 x 5 1.42, of 128 x 15 1.63, of 64 x 15 1.74; 512 buckets 1.41, 1024 1.42; 256 x 12 in a scatter 1.38. Larger ones: not measured. CPU: for tests alone, which so cross every path
 * with few elements. Others: not measured. */
#define QUICK_MIN_BITS 1 /* of what fits: large records on devices with 1 KiB of local memory */
#define QUICK_ROWS                                               \
    QUICK_ROW(NVIDIA, 4, 256, 17, 512, 5, 256, 8, 256, 20, 9, 8, 1, 64, 1 << 18, 2)   \
    QUICK_ROW(NVIDIA, 8, 256, 17, 512, 5, 256, 8, 512, 8, 9, 8, 1, 64, 1 << 18, 2)   \
    QUICK_ROW(NVIDIA, 16, 128, 7, 512, 3, 256, 4, 256, 8, 8, 8, 1, 0, 1 << 18, 2)   \
    QUICK_ROW(NVIDIA, ANY, 64, 15, 256, 3, 128, 1, 128, 8, 8, 8, 1, 0, 1 << 18, 2)   \
    QUICK_ROW(CPU, ANY, 16, 5, 16, 5, 16, 2, 16, 4, 5, 2, 0, 0, 1 << 10, 0)           \
    QUICK_ROW(ANY, ANY, 256, 7, 256, 7, 256, 4, 256, 8, 8, 8, 0, 0, 1 << 16, 0)

/* The same of one array in one launch: device, item bytes at most, group, elements of a work-item in
 * registers, of a leaf, registers, groups of a compute unit, log2 of buckets, a sample's group x items, group
 * x items where one group does it all, largest counts for which AUTO takes either: of all keys, of 8 or 16
 * bits. Only where groups of a launch are known to run at the same time. NVIDIA: measured on an H200, driver
 * 580, 2^20 random elements, microseconds of the sample and the rest. u32: 12, 59; a sample of 1024 x 5,
 * which takes more groups than there are compute units, 24. u64: 13, 65; leaves of 256 x 15 87, since
 * a bucket was too large for one. u32+u32 16, 85. u64+u64 12, 142. CPU: for tests alone. */
#define WHOLE_PATIENCE (1 << 15)
#define WHOLE_ROWS                                                                         \
    WHOLE_ROW(NVIDIA, 4, 256, 8, 17, 64, 4, 10, 1024, 4, 1024, 5, 1 << 20, 1 << 17)        \
    WHOLE_ROW(NVIDIA, 8, 256, 8, 17, 64, 4, 10, 1024, 4, 1024, 5, 1 << 20, 1 << 17)        \
    WHOLE_ROW(NVIDIA, 16, 256, 8, 9, 64, 4, 9, 512, 5, 512, 5, 1 << 20, 1 << 17)           \
    WHOLE_ROW(CPU, ANY, 16, 4, 9, 0, 0, 5, 16, 5, 16, 5, 0, 0)                             \
    WHOLE_ROW(ANY, ANY, 256, 8, 9, 0, 0, 8, 256, 7, 256, 7, 0, 0)

/* Records of an array from which on AUTO sorts them by radix sort, where their fields have at most 64 bits
 * together, or by quicksort, and not by merge sort. CPU: measured as said above, milliseconds by merge and by radix sort:
 *                           2^10           2^12           2^14           2^16           2^18        2^20
 *    4 bytes by 1 u32   0.035 0.040    0.082 0.068    0.253 0.129     1.05 0.423     6.66 1.70    19.4  6.5
 *   16 bytes by 2 u32   0.039 0.051    0.102 0.087    0.606 0.261     1.51 0.568     6.20 1.96    27.4 12.5
 *   64 bytes by 2 u32   0.062 0.056    0.155 0.097    0.367 0.245     1.62 0.704     8.26 5.28    44.9 21.7
 * Of 16 bytes by four u32, two keys: 0.047 0.085, 0.106 0.114, 0.780 0.448, 3.29 1.76, 14.2 8.9, 59.8 70.8.
 * NVIDIA: an H200, 16 bytes by 2 u32, milliseconds of the host by merge sort, quicksort and radix sort:
 * 2^8 0.038 0.026 -, 2^12 0.075 0.052 -, 2^16 0.12 0.06 0.15, 2^18 0.18 0.10 0.16, 2^20 0.30 0.22 0.28, 2^22 - 0.53 0.64, 2^24 3.3
 * 1.8 1.7, 2^28 - 28 26. Other GPUs: not measured, so always merge sort.
 * Columns: radix sort where equal records keep their order; where they need not; quicksort, there. */
#define RECORD_ROWS(X)                        \
    X(CPU, 1 << 13, 1 << 13, UINT64_MAX)      \
    X(NVIDIA, 1 << 20, 1 << 24, 1 << 8)      \
    X(ANY, UINT64_MAX, UINT64_MAX, UINT64_MAX)

/* The sort of strings: group_size where a work-group is more than one work-item. Not measured. */
#define STRING_TUNING                                                                  \
    {.group_size = 256, .splitters = 1023, .splitter_strings = 32, .chunks_per_unit = 16, \
     .chunk_strings = 1024, .tie_strings = 4096}

/* Elements of all arrays up to which clsort_sort() keeps arrays of the host from the device, where
 * the sorter's device is of this class; NONE: where there is no sorter, and a device would have to be
 * found and its kernels made ready first.
 *
 * CPU: measured as said above, medians of microseconds by the device and by the calling thread:
 *                    2^8         2^12         2^14         2^15         2^16         2^17
 *   u32          47   1.1     51    14    105    51    146   107    373   229    662   499
 *   u64          46   1.6     65    18    115    69    247   142    441   429    706   962
 *   u32+u32      58   1.6     85    24    127    91    262   192    465   499    790  1069
 *   u32 indices  46   1.4     62    22    119    82    290   171    455   438    787   949
 * 2^14, since above it more cores than these two would win. NONE: as above, the kernels taken from
 * PoCL's cache, milliseconds: u32 at 2^16 66 and 0.3, at 2^20 78 and 5.8; u64+u64 at 2^20 85 and 36, at
 * 2^21 106 and 82, at 2^22 146 and 177. GPUs: not measured; a transfer of 64 KiB and a launch cost
 * some 40 microseconds there. */
#define HOST_ROWS(X) X(NONE, 1 << 20) X(CPU, 1 << 14) X(ANY, 1 << 14)
/* clang-format on */

#endif
