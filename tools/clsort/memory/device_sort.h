/* device_sort.h: the calls that a device takes long for, with their share for the progress. Every
 * failure prints its message. */
#ifndef CLSORT_TOOL_DEVICE_SORT_H
#define CLSORT_TOOL_DEVICE_SORT_H

#include "memory/device.h"

/* Sorts on the device's queue, and waits. The share is that of the plan's bytes which the finished
 * steps move. */
bool device_sort(const struct device *device, const clsort_desc *desc,
                 const clsort_buffers *buffers);

/* clsort_sort() by the device's sorter, or host_sort() if there is none. */
bool device_sort_arrays(const struct device *device, const clsort_desc *desc,
                        const clsort_arrays *arrays);

/* Copies to a buffer of the device, and from it. The stage's total counts the bytes. */
bool device_send(const struct device *device, cl_mem buffer, const void *data, uint64_t size);
bool device_receive(const struct device *device, cl_mem buffer, void *data, uint64_t size);

#endif
