/* tuning_table.h: the rows. First match wins; ANY matches everything. Groups are halved and
 * lanes cut where the device's limits ask for it, so a row may be hopeful.
 *
 * Columns: device, item bytes, group size x elements of bitonic tile, bitonic window, rank tile,
 * rank stream and moves, vector packs wanted, bytes of local memory's banks, sub-group shuffles
 * wanted, largest count for which AUTO takes rank sort. */
/* clang-format off */

/* NVIDIA: not measured yet. */
ROW(NVIDIA, 4,   512, 16,   256, 16,   256, 8,   256, 4,   256, 4,   0,  128, 1,   256)
ROW(NVIDIA, 8,   512,  8,   256, 16,   256, 8,   256, 4,   256, 4,   0,  128, 1,   256)
ROW(NVIDIA, 16,  256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,  128, 1,   256)

/* AMD, Intel and other GPUs: not measured; 16 KiB tiles fit every device seen. */
ROW(AMD,    ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,  128, 1,   256)
ROW(INTEL,  ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,   64, 1,   256)

/* CPUs through PoCL: not measured yet. */
ROW(CPU,    4,   128, 16,    64, 16,    64, 16,   64, 4,    64, 4,   1,    0, 0,  1024)
ROW(CPU,    8,   128, 16,    64, 16,    64, 16,   64, 4,    64, 4,   1,    0, 0,  1024)
ROW(CPU,    16, 1024,  8,   256,  8,    64, 16,   64, 4,    64, 4,   1,    0, 0,  1024)

/* Whatever else. */
ROW(ANY,    ANY, 256,  8,   256,  8,   256, 4,   256, 4,   256, 4,   0,  128, 0,   256)
/* clang-format on */
