/* device_barrier.h: a barrier for all work-groups of a launch, which can be given up.
 *
 * Idea: groups count themselves in, one work-item of each, and look until all have come (as CUDA's
 * cooperative groups do). OpenCL does not promise that the groups of a launch are there at the same time, so
 * the first barrier is given up after so many looks: who does so sets a bit of the counter, with a
 * compare-and-swap that fails if all have come meanwhile, and whoever comes or looks afterwards sees it. So
 * all groups agree. Once all have come, all are there, and none ends before the kernel does: later barriers
 * wait for groups that are running, and are not given up. */
#ifndef CLSORT_DEVICE_BARRIER_H
#define CLSORT_DEVICE_BARRIER_H

#include "config.h"

#define DEVICE_BARRIER_GIVEN_UP 0x80000000u

/* NVIDIA's GPUs whose sub-groups can vote (src/device.c) have these instructions, too. */
#if defined(__NV_CL_C_VERSION) && CLSORT_SUBGROUP > 0
#define DEVICE_HAS_SCOPES 1
#else
#define DEVICE_HAS_SCOPES 0
#endif

/* What this group has written is there for whoever comes to know of it, and it reads what others have
 * written: barrier() promises that within a group alone. NVIDIA's caches of a compute unit are not
 * coherent; its fence empties them. */
CLSORT_INLINE void device_fence(void)
{
#if DEVICE_HAS_SCOPES
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#elif defined(__NV_CL_C_VERSION)
    __asm__ volatile("membar.gl;" ::: "memory");
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

CLSORT_INLINE uint device_look(volatile __global uint *counter)
{
#if DEVICE_HAS_SCOPES
    uint value; /* no atomic addition, which those who come would wait for */
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
    return value;
#else
    return atomic_or(counter, 0);
#endif
}

/* Barrier number `round`, from 1 on, of num_groups groups; the counter was 0 before the launch. Whether all
 * have come. All work-items call; begins and ends with a barrier. */
CLSORT_INLINE uint device_barrier(volatile __global uint *counter, __local uint *come,
                                  uint num_groups, uint round, uint patience)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* this group's work is done */
    if (get_local_id(0) == 0) {
        const uint all = num_groups * round;
        device_fence();
        uint seen = atomic_inc(counter) + 1;
        for (uint looks = 0; seen < all && (round > 1 || looks < patience); ++looks)
            seen = device_look(counter);
        while (seen < all) {
            const uint before = atomic_cmpxchg(counter, seen, seen | DEVICE_BARRIER_GIVEN_UP);
            seen = before == seen ? DEVICE_BARRIER_GIVEN_UP : before;
        }
        device_fence();
        *come = seen < DEVICE_BARRIER_GIVEN_UP;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* it is known who has come */
    return *come;
}

#endif
