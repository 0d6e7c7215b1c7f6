/* host.h: the host's sorts behind one signature. */
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

#include "opponent.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts the items of struct bench_task; 0 where it has no sort of such items, which a count of 0
 * asks. */
typedef int host_function(const struct bench_input *input, void *items, size_t count);

host_function host_std_sort, host_std_stable_sort, host_par_sort, host_vqsort;

#ifdef __cplusplus
}
#endif

#endif
