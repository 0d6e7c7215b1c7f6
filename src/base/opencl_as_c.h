/* opencl_as_c.h: enough of OpenCL C to compile files of cl/ and the device header as C, with one
 * work-item at a time. The library sorts small arrays on the host by the kernels' own code. Tests
 * check index arithmetic, and run the sorting network under the host's sanitizers.
 *
 * OpenCL's types are macros here, since system headers may declare types of these names. Include
 * system headers first. */
#ifndef OPENCL_AS_C_H
#define OPENCL_AS_C_H

#include <stdint.h>

#define uchar uint8_t
#define ushort uint16_t
#define uint uint32_t
#define ulong uint64_t

#define __global
#define __local
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(flags) ((void)(flags))
#define get_local_id(dimension) ((uint)0)
#define get_local_size(dimension) ((uint)1)

#ifndef __GNUC__
#define __attribute__(list)
#endif

#undef min
#undef max
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#define sub_sat(a, b) ((a) > (b) ? (a) - (b) : 0) /* for unsigned numbers */

/* The number of zeros above the highest one; without a one, the number of bits of x. */
#define clz(x) (sizeof(x) == 8 ? clz_64(x) : clz_64(x) - 32)

static inline uint32_t clz_64(uint64_t x)
{
    if (x == 0)
        return 64;
#ifdef __GNUC__
    return (uint32_t)__builtin_clzll(x);
#else
    uint32_t zeros = 0;
    for (uint32_t half = 32; half; half /= 2) {
        if (x >> (64 - half) == 0) {
            x <<= half;
            zeros += half;
        }
    }
    return zeros;
#endif
}

#endif
