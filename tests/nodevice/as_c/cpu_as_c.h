/* cpu_as_c.h: parts of cl/cpu/ as C, for keys of 32 bits. */
#ifndef TESTS_CPU_AS_C_H
#define TESTS_CPU_AS_C_H

#include <stdint.h>

enum { BINS_AS_C = 4096 };

/* How many of the keys, at least one, lie in the fullest of at most BINS_AS_C bins. */
uint64_t bins_fullest(const uint32_t *keys, uint64_t count);

#endif
