/* sort.h: sorts small arrays of the host on the calling thread, without a device. */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include "plan/plan.h"

/* Whether the calling thread sorts this problem: the algorithm is AUTO, the keys are numbers, and
 * there are no more of them than the tuning says for the device. */
int host_sort_takes(const struct device_facts *facts, const struct problem *problem);

/* Sorts arrays that have been checked. The sort is always stable. Returns 0, with nothing written,
 * if there is no memory. */
int host_sort(const struct problem *problem, const clsort_arrays *arrays);

#endif
