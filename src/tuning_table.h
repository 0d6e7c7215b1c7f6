/* tuning_table.h: the rows. First match wins; ANY matches everything. Groups are halved and
 * lanes cut where the device's limits ask for it, so a row may be hopeful.
 *
 * Columns: device, item bytes, group size x elements of bitonic tile, bitonic window, rank tile,
 * rank stream and moves, vector packs wanted, bytes of local memory's banks, sub-group shuffles
 * wanted, largest count for which AUTO takes rank sort; radix sort's tile, bits of a digit, sub-group
 * votes wanted, work-groups of a pass, smallest count for which AUTO takes it. Moves know no item:
 * they take the 8-byte row. */
/* clang-format off */

/* NVIDIA: measured on an H200, driver 580, 2^24 random elements. Shuffles pay for 4-byte items alone
 * (at 2^20 7.1 against 6.4 Gkeys/s; 2^24 the same); for 8 bytes they cost 20% of a tile's time, for
 * 16 bytes 100%, against a window through local memory. Windows of 64 lose 8% to windows of 32.
 * Radix at 2^28 u32: 27 Gkeys/s; 128 x 32: 23, 64 x 32: 23, 512 x 8: 17. */
ROW(NVIDIA, 4,   256, 32,   128, 32,   512, 2,   128, 4,   256, 4,   0,  128, 1,   256,   256, 16, 8, 1, 1056, 1 << 19)
ROW(NVIDIA, 8,   256, 16,   256, 16,   512, 2,   128, 4,   256, 4,   0,  128, 0,   256,   128, 32, 8, 1, 1056, 1 << 20)
ROW(NVIDIA, 16,  128, 16,   256, 16,   512, 2,   128, 4,   256, 4,   0,  128, 0,   256,   128, 16, 8, 1, 2112, 1 << 19)

/* AMD, Intel and other GPUs: not measured; 16 KiB tiles fit every device seen. */
ROW(AMD,    ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,  128, 1,   256,   256,  8, 4, 0, 1024, 1 << 18)
ROW(INTEL,  ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,   64, 1,   256,   256,  8, 4, 0, 1024, 1 << 18)

/* CPUs through PoCL: measured with PoCL 3.1 on 2 cores of an AMD EPYC with AVX-512, 10^6 and 10^7
 * keys: 16 packs of 16 keys are the vector registers there are. */
ROW(CPU,    4,   128, 16,    64, 16,    64, 16,   64, 4,    64, 4,   1,    0, 0,     0,   64,  8, 4, 0,   64, 0)
ROW(CPU,    8,   128, 16,    64, 16,    64, 16,   64, 4,    64, 4,   1,    0, 0,     0,   64,  8, 4, 0,   64, 0)
ROW(CPU,    16, 1024,  8,   256,  8,    64, 16,   64, 4,    64, 4,   1,    0, 0,     0,   64,  8, 4, 0,   64, 0)

/* Whatever else. */
ROW(ANY,    ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,  128, 0,   256,   256,  8, 4, 0, 1024, 1 << 18)
/* clang-format on */

/* The radix sort of CPUs: measured as above, on 1 MiB of cache a core and 32 MiB for all. */
#ifndef SERIAL_TUNING
#define SERIAL_TUNING                                                                   \
    {.alone_bytes = 128 << 10, .bucket_bytes = 128 << 10, .spare_bytes = 1 << 20,       \
     .run_bytes = 256 << 10, .stream_bytes = 32 << 20, .digit_bits = SERIAL_DIGIT_BITS}
#define SERIAL_BUCKET_PART 8
#define SERIAL_DIGIT_BITS 11

/* Merge sort's tile on other devices: not measured. Smaller where local memory asks for it. */
#define MERGE_TUNING {.group_size = 256, .items = 8, .lanes = 1}

/* Elements of all arrays up to which clsort_sort() keeps arrays of the host from the device, where
 * the sorter's device is of this class; NONE: where there is no sorter, and a device would have to be
 * found and its kernels made ready first.
 *
 * CPU: measured as above, medians of microseconds by the device and by the calling thread:
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
#endif
