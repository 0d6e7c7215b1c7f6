/* cpu_as_c.c: bins of keys, as the CPUs' radix sort finds them. */
#include "cpu_as_c.h"

#define KEY_BITS 32
#include "host/alone/key_as_c.h"

/* The keys are counted here. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include "cpu/bins.h"

uint64_t bins_fullest(const uint32_t *keys, uint64_t count)
{
    static uint64_t counts[BINS_AS_C];
    struct cpu_bins bins;
    uint64_t fullest = 0;
    for (uint32_t i = 0; i < BINS_AS_C; ++i)
        counts[i] = 0;
    bins_sample(keys, count, BINS_AS_C, &bins);
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t size = ++counts[bin_of(&bins, keys[i], (int)bins.flat)];
        fullest = size > fullest ? size : fullest;
    }
    return fullest;
}
