/* host.h: sorts of host arrays for the library's own use. */
#ifndef HOST_H
#define HOST_H

#include "clsort/clsort.h"

/* clsort_sort() for a sorter that has been entered. More than `most_in_pieces` elements that do not
 * fit on the device end as DEVICE_MEMORY. */
clsort_status host_sort_entered(clsort_sorter *sorter, const clsort_desc *desc,
                                const clsort_arrays *arrays, uint64_t most_in_pieces);

#endif
