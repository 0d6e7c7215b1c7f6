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
