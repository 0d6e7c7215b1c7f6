/* host_sort.h: small arrays of the host sorted by the calling thread, without a device. */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include "plan.h"

/* Whether a problem is for the calling thread: its algorithm is AUTO, its keys are numbers, and
 * they are no more than the tuning says for the device. */
int host_sort_takes(const struct device_facts *facts, const struct problem *problem);

/* Sorts arrays that have been checked; stable, whatever is asked for. Returns 0, with nothing
 * written, if memory is out. */
int host_sort(const struct problem *problem, const clsort_arrays *arrays);

#endif
