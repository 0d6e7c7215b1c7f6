/* device.h: the facts of a device, queried once, and the choice of a device. */
#ifndef DEVICE_H
#define DEVICE_H

#include "clsort/clsort.h"

struct tuning_rows;  /* tuning/kinds.h */
struct tuning_table; /* tuning/tuning.h */

enum device_class {
    DEVICE_NVIDIA,
    DEVICE_AMD,
    DEVICE_INTEL,
    DEVICE_CPU,
    DEVICE_OTHER,
    DEVICE_NONE /* no device has been chosen yet */
};

/* Everything that planning may depend on. Tests make up devices of their own. */
struct device_facts {
    enum device_class class;
    uint32_t max_group_size;  /* work-items; lowered if a compiled kernel allows fewer */
    uint32_t subgroup_size;   /* work-items that can shuffle; 0: none or unknown */
    uint32_t vector_bytes;    /* of a vector register, if kernels should use vectors; else 0 */
    uint64_t local_size;      /* bytes of local memory for one work-group */
    uint64_t cache_size;      /* bytes of the cache of global memory; 0: unknown */
    uint32_t num_units;       /* compute units, at least 1 */
    int cpu_kernels;          /* a CPU, for which a work-group is one work-item */
    int unified_memory;       /* host and device share memory */
    uint64_t memory;          /* bytes of global memory, or UINT64_MAX */
    uint64_t max_alloc;       /* the most bytes of a buffer, or UINT64_MAX */
    uint64_t host_limit;      /* the most elements that the host may sort itself */
    int reports_kernel_limit; /* CL_KERNEL_WORK_GROUP_SIZE can be trusted (device.c) */
    uint64_t chunk_limit;     /* the most bytes of a staged chunk */

    /* The table for this device's name, or NULL for that of its class; and the sorter's own rows,
     * which override it, or NULL. */
    const struct tuning_table *tuning_table;
    const struct tuning_rows *tuning_rows;
};

/* Queries the facts, and lowers them by CLSORT_LIMIT. Returns DEVICE_UNSUPPORTED
 * if the device cannot be used at all, and TUNING if CLSORT_LIMIT is wrong. */
clsort_status device_query(cl_device_id device, struct device_facts *facts_ret);

/* Whether a device is available, little-endian, and has a compiler and OpenCL 1.2 or later. */
int device_is_usable(cl_device_id device);

/* The facts without a device: what CLSORT_LIMIT says of the host. Returns TUNING if it is wrong. */
clsort_status device_none(struct device_facts *facts_ret);

/* Lowers the facts by CLSORT_LIMIT, so that tests reach every route on any device. It is a
 * comma-separated list of subgroup=N, group=N, local=BYTES, vector=BYTES, cache=BYTES,
 * memory=BYTES, alloc=BYTES, host=ELEMENTS, chunk=BYTES, cpu=0 and unified=0. ERROR_TUNING if a
 * word is wrong; then it writes a sentence about it, with the final zero in size bytes at most, and
 * the facts are half lowered. */
clsort_status device_apply_limits(struct device_facts *facts, char *sentence, size_t size);

/* The largest power of two that is at most x, and at least 1. */
static inline uint32_t device_floor_power(uint64_t x)
{
    uint32_t power = 1;
    while (power <= x / 2 && power < 1u << 30)
        power *= 2;
    return power;
}

/* Whether `part` occurs in the name of the device or its platform, ignoring case. */
int device_is_named(cl_device_id device, const char *part);

/* The best usable device of a list, or NULL if none is usable. */
cl_device_id device_best(const cl_device_id *devices, uint32_t num_devices);

#endif
