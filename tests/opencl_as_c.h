/* opencl_as_c.h: enough of OpenCL C for the device header to compile as C, with one work-item at a
 * time. Tests so look at its index arithmetic, and run the network under the host's sanitizers. */
#ifndef OPENCL_AS_C_H
#define OPENCL_AS_C_H

#include <stdint.h>

typedef uint32_t uint;

#define __local
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(flags) ((void)(flags))
#define get_local_id(dimension) ((uint)0)
#define get_local_size(dimension) ((uint)1)

static inline uint min(uint a, uint b)
{
    return a < b ? a : b;
}

static inline uint max(uint a, uint b)
{
    return a > b ? a : b;
}

#endif
