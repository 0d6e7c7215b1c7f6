/* device.h: what is known of a device, queried once; and how devices are listed and chosen. */
#ifndef DEVICE_H
#define DEVICE_H

#include "clsort/clsort.h"

struct tuning_rows;  /* tuning_kinds.h */
struct tuning_table; /* tuning.h */

enum device_class {
    DEVICE_NVIDIA,
    DEVICE_AMD,
    DEVICE_INTEL,
    DEVICE_CPU,
    DEVICE_OTHER,
    DEVICE_NONE /* not looked for yet */
};

/* Everything that planning may depend on. Tests make up their own. */
struct device_facts {
    enum device_class class;
    uint32_t max_group_size; /* work-items; lowered if a kernel turns out to allow fewer */
    uint32_t subgroup_size;  /* work-items that can shuffle; 0: none, or not known */
    uint32_t vector_bytes; /* width of a vector register where kernels should use vectors, else 0 */
    uint64_t local_size;   /* bytes of local memory a work-group may have */
    uint64_t cache_size;   /* bytes of the cache in front of memory; 0: not known */
    uint32_t num_units;    /* compute units, at least 1 */
    int cpu_kernels;       /* a work-group is a loop on one thread: a CPU */
    uint64_t part_min; /* for tests: elements from which radix sort begins with the most significant
                          digit; UINT64_MAX: never; 0: as the tuning says */
    int unified_memory;       /* host and device share memory */
    uint64_t memory;          /* bytes of global memory, UINT64_MAX if not known, */
    uint64_t max_alloc;       /* and of one buffer */
    uint64_t chunk_limit;     /* for tests: bytes of a staged chunk, at most */
    uint64_t host_limit;      /* lowers the elements that the host may sort by itself */
    int reports_kernel_limit; /* CL_KERNEL_WORK_GROUP_SIZE means something (see device.c) */
    const struct tuning_table *tuning_table; /* of devices that are called so; NULL: the class's */
    const struct tuning_rows *tuning_rows; /* before the compiled-in ones; NULL: none. Not asked of
                                              the device: the sorter's */
};

/* Queries the facts, and applies the environment variable CLSORT_LIMIT, which lowers them: a comma-separated
 * list of subgroup=N, group=N, local=BYTES, vector=BYTES, cache=BYTES, memory=BYTES, alloc=BYTES, host=ELEMENTS,
 * chunk=BYTES, part=ELEMENTS (0: never), cpu=0 and unified=0. It is for tests, which so reach every route on
 * any device. DEVICE_UNSUPPORTED if the device cannot be used at all. */
clsort_status device_query(cl_device_id device, struct device_facts *facts_ret);

/* What is known where no device has been looked for: what CLSORT_LIMIT says of the host. */
struct device_facts device_none(void);

/* Whether text is a part of the device's or its platform's name, whatever the case. */
int device_is_named(cl_device_id device, const char *part);

/* The best of some devices that can be used, NULL if none can. */
cl_device_id device_best(const cl_device_id *devices, uint32_t num_devices);

#endif
