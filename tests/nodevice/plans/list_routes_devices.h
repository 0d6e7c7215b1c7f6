/* list_routes_devices.h: the made-up devices of golden/routes.txt. */
#ifndef LIST_ROUTES_DEVICES_H
#define LIST_ROUTES_DEVICES_H

#include "nodevice/made_up.h"

#define UNLIMITED .memory = UINT64_MAX, .max_alloc = UINT64_MAX
static const struct {
    const char *name, *meaning;
    struct device_facts facts;
} devices[] = {
    {"h200", "NVIDIA, 132 units, sub-groups of 32, 48 KiB of local memory",
     NVIDIA_FACTS(.num_units = 132, UNLIMITED)},
    {"t4", "NVIDIA, 40 units, sub-groups of 32, 48 KiB of local memory",
     NVIDIA_FACTS(.num_units = 40, UNLIMITED)},
    {"pascal", "an older NVIDIA, 20 units, no sub-groups, 48 KiB of local memory",
     FACTS(NVIDIA, 1024, 0, 48 << 10, .num_units = 20, UNLIMITED)},
    {"amd", "AMD, 104 units, sub-groups of 64, groups of 256, 64 KiB of local memory",
     FACTS(AMD, 256, 64, 64 << 10, .num_units = 104, UNLIMITED)},
    {"intel", "Intel, 96 units, sub-groups of 16, groups of 512, 64 KiB of local memory",
     FACTS(INTEL, 512, 16, 64 << 10, .num_units = 96, UNLIMITED)},
    {"other", "an unknown GPU, 16 units, groups of 256, 32 KiB of local memory",
     FACTS(OTHER, 256, 0, 32 << 10, .num_units = 16, UNLIMITED)},
    {"cpu", "a CPU of 8 cores, 32 MiB of cache",
     CPU_FACTS(.cache_size = 32 << 20, .num_units = 8, .cpu_kernels = 1, UNLIMITED)},
    {"limited", "the same as a small GPU, as tests limit it: groups of 32, 4 KiB of local memory",
     FACTS(CPU, 32, 0, 4 << 10, .vector_bytes = 64, .cache_size = 32 << 20, .num_units = 8,
           UNLIMITED)},
};

#endif
