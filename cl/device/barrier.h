/* barrier.h: a barrier for all work-groups of a launch, which can be given up.
 *
 * Idea: groups count themselves in, one work-item of each, and poll until all have arrived (as
 * CUDA's cooperative groups do). OpenCL does not promise that the groups of a launch run at the
 * same time, so the first barrier is given up after a number of polls. The group that gives up
 * sets a bit of the counter, by a compare-and-swap that fails if all have arrived meanwhile;
 * every group that arrives or polls later sees the bit. So all groups agree. Once all have
 * arrived, all run, and none ends before the kernel does: later barriers wait for groups that
 * are running, and are not given up. */
#ifndef CLSORT_DEVICE_BARRIER_H
#define CLSORT_DEVICE_BARRIER_H

#include "base/config.h"

#define DEVICE_BARRIER_GIVEN_UP 0x80000000u

/* NVIDIA's GPUs whose sub-groups can vote (src/device/device.c) have these instructions, too. */
#if defined(__NV_CL_C_VERSION) && CLSORT_SUBGROUP > 0
#define DEVICE_HAS_SCOPES 1
#else
#define DEVICE_HAS_SCOPES 0
#endif

/* device_fence() makes this group's writes visible to groups that learn of them, and theirs to
 * this one: barrier() promises that within a group alone. NVIDIA's caches of a compute unit are
 * not coherent; its fence empties them, and one work-item's covers what the barrier before it has
 * shown to that. On AMD's GPUs a barrier waits for no write, so each work-item has a fence of its
 * own: device_fence_each(). Intel's compiler makes a fence of the whole GPU of mem_fence(), as of
 * OpenCL 2.0's fence for a device (seen in its code for Arc), though OpenCL C 1.2 promises no more
 * than one for the work-group. The other two read and write a word that other groups write. */
#if DEVICE_HAS_SCOPES

CLSORT_INLINE void device_fence(void)
{
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
}

CLSORT_INLINE uint device_load_relaxed(volatile __global uint *word)
{
    uint value; /* no atomic operation, which groups that arrive would wait for */
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

CLSORT_INLINE void device_store_relaxed(volatile __global uint *word, uint value)
{
    __asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
}

#else

#if defined(__NV_CL_C_VERSION)
#define DEVICE_FENCE() __asm__ volatile("membar.gl;" ::: "memory")
#elif defined(__AMDGCN__) /* whose mem_fence() is for the work-group alone */
#define DEVICE_FENCE() __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent")
#else
#define DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

CLSORT_INLINE void device_fence(void)
{
    DEVICE_FENCE();
}

CLSORT_INLINE uint device_load_relaxed(volatile __global uint *word)
{
    return atomic_or(word, 0);
}

CLSORT_INLINE void device_store_relaxed(volatile __global uint *word, uint value)
{
    atomic_xchg(word, value);
}

#endif /* DEVICE_HAS_SCOPES */

#ifdef __NV_CL_C_VERSION
#define device_fence_each()
#else
#define device_fence_each device_fence
#endif

/* Barrier number `round`, from 1 on, of num_groups groups; the counter was 0 before the launch.
 * Returns whether all have arrived. All work-items call; begins and ends with a barrier. */
CLSORT_INLINE uint device_barrier(volatile __global uint *counter, __local uint *arrived,
                                  uint num_groups, uint round, uint spin_limit)
{
    device_fence_each();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* this group's work is done */
    if (get_local_id(0) == 0) {
        const uint all = num_groups * round;
        device_fence();
        uint seen = atomic_inc(counter) + 1;
#pragma unroll 1
        for (uint polls = 0; seen < all && (round > 1 || polls < spin_limit); ++polls)
            seen = device_load_relaxed(counter);
#pragma unroll 1
        while (seen < all) {
            const uint before = atomic_cmpxchg(counter, seen, seen | DEVICE_BARRIER_GIVEN_UP);
            seen = before == seen ? DEVICE_BARRIER_GIVEN_UP : before;
        }
        device_fence();
        *arrived = seen < DEVICE_BARRIER_GIVEN_UP;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* it is known whether all have arrived */
    device_fence_each();
    return *arrived;
}

#endif
