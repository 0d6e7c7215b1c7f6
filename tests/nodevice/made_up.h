/* Facts of made-up devices. */
#ifndef TESTS_MADE_UP_H
#define TESTS_MADE_UP_H

#include "device/device.h"

/* clang-format off */
#define FACTS(vendor, group, subgroup, local, ...) \
    {.class = DEVICE_##vendor, .max_group_size = group, .subgroup_size = subgroup, \
     .local_size = local, __VA_ARGS__}
#define NVIDIA_FACTS(...) FACTS(NVIDIA, 1024, 32, 48 << 10, __VA_ARGS__)
#define CPU_FACTS(...) FACTS(CPU, 4096, 0, 1 << 20, .vector_bytes = 64, __VA_ARGS__)
#define SMALL_FACTS FACTS(OTHER, 64, 0, 4096, .reports_kernel_limit = 1)
/* clang-format on */

#endif
