/* limits.h: the environment variable CLSORT_LIMIT, by which tests make a device smaller. */
#ifndef DEVICE_LIMITS_H
#define DEVICE_LIMITS_H

#include "device/device.h"

/* Lowers the facts by CLSORT_LIMIT, so that tests reach every route on any device. It is a
 * comma-separated list of subgroup=N, group=N, local=BYTES, vector=BYTES, cache=BYTES,
 * memory=BYTES, alloc=BYTES, host=ELEMENTS, chunk=BYTES, cpu=0 and unified=0. ERROR_TUNING if a
 * word is wrong; then it writes a sentence about it, with the final zero in size bytes at most, and
 * the facts are half lowered. */
clsort_status device_apply_limits(struct device_facts *facts, char *sentence, size_t size);

#endif
