/** @file
 * What the work-items of one sub-group (warp, wavefront) can do together. No other installed header
 * for kernels treats devices differently.
 *
 * Define CLSORT_SUBGROUP for the whole program if the host knows the number of work-items of a
 * sub-group and the device has one of the forms below. Otherwise leave it 0 or undefined: then none
 * of these functions exist, and callers exchange through local memory instead.
 *
 * Work-items with consecutive local ids make a sub-group. Work-groups are one-dimensional, and
 * their size is a multiple of CLSORT_SUBGROUP. Every function is called by all work-items of a
 * sub-group. On Intel the kernel must ask for the size by
 * `__attribute__((intel_reqd_sub_group_size(16)))`.
 */
#ifndef CLSORT_SUBGROUP_H
#define CLSORT_SUBGROUP_H

#ifndef CLSORT_SUBGROUP
/** The work-items of a sub-group, a power of two up to 64; 0: there is none. */
#define CLSORT_SUBGROUP 0
#endif

/** For every function: it is inlined always, since PoCL 3.1 loses stores through a pointer to a
 * kernel's local array in a function that was not. */
#define CLSORT_INLINE static inline __attribute__((always_inline))

#if CLSORT_SUBGROUP > 0 || defined(CLSORT_DOXYGEN)

#if defined(__NV_CL_C_VERSION)
/** The value of the work-item in lane (own lane ^ mask) of the sub-group. NVIDIA offers no
 * sub-group extension in OpenCL C; its PTX has the instruction. */
CLSORT_INLINE uint clsort_subgroup_shuffle_xor(uint value, uint mask)
{
    uint other;
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                     : "=r"(other)
                     : "r"(value), "r"(mask));
    return other;
}

/** @cond */
/* Those whose value %1 has the same bit as this one's. */
#define CLSORT_VOTE(to, bit)                          \
    "  and.b32 " to ", %1, " #bit ";\n"               \
    "  setp.ne.u32 p, " to ", 0;\n"                   \
    "  vote.sync.ballot.b32 " to ", p, 0xffffffff;\n" \
    "  @!p not.b32 " to ", " to ";\n"
/* Takes all others out of %0; by two bits at once, since an instruction joins three words. */
#define CLSORT_VOTE_ONE(bit) CLSORT_VOTE("b", bit) "  and.b32 %0, %0, b;\n"
#define CLSORT_VOTE_TWO(bit, next) \
    CLSORT_VOTE("b", bit) CLSORT_VOTE("c", next) "  lop3.b32 %0, %0, b, c, 0x80;\n"
#define CLSORT_VOTES(votes, same, value) \
    __asm__ volatile("{ .reg .pred p; .reg .b32 b, c;\n" votes "}" : "+&r"(same) : "r"(value))
/** @endcond */

/** The work-items whose value has the same low bits as this one's, as a mask of lanes: one vote for
 * each bit. It is PTX because plain C takes 1.5 times as many instructions (measured on an H200),
 * and eight votes at once because a compiler then has less to do. On NVIDIA only. */
CLSORT_INLINE uint clsort_subgroup_match(uint value, uint bits)
{
    uint same = 0xffffffffu;
    for (; bits >= 8; bits -= 8, value >>= 8)
        CLSORT_VOTES(CLSORT_VOTE_TWO(1, 2) CLSORT_VOTE_TWO(4, 8) CLSORT_VOTE_TWO(16, 32)
                         CLSORT_VOTE_TWO(64, 128),
                     same, value);
    for (; bits > 0; --bits, value >>= 1)
        CLSORT_VOTES(CLSORT_VOTE_ONE(1), same, value);
    return same;
}
#undef CLSORT_VOTE
#undef CLSORT_VOTE_ONE
#undef CLSORT_VOTE_TWO
#undef CLSORT_VOTES

/** The lanes below this work-item's, as a mask. On NVIDIA only. */
CLSORT_INLINE uint clsort_subgroup_lanes_below(void)
{
    uint mask;
    __asm__("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

/** The value of work-item `lane` of the sub-group. On NVIDIA only. */
CLSORT_INLINE uint clsort_subgroup_shuffle(uint value, uint lane)
{
    uint other;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                     : "=r"(other)
                     : "r"(value), "r"(lane));
    return other;
}

/** The sum of the value and that of the work-item `step` lanes below, if there is one; else the
 * value. One instruction exchanges, and says whether there is one. On NVIDIA only. */
CLSORT_INLINE uint clsort_subgroup_add_below(uint value, uint step)
{
    __asm__ volatile("{ .reg .pred p; .reg .b32 b;\n"
                     "  shfl.sync.up.b32 b|p, %0, %1, 0, 0xffffffff;\n"
                     "  @p add.u32 %0, %0, b;\n}"
                     : "+&r"(value)
                     : "r"(step));
    return value;
}
/** Defined if the four functions that only NVIDIA has are there. */
#define CLSORT_SUBGROUP_VOTES 1
#elif defined(cl_intel_subgroups)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
CLSORT_INLINE uint clsort_subgroup_shuffle_xor(uint value, uint mask)
{
    return intel_sub_group_shuffle_xor(value, mask);
}
#elif defined(cl_khr_subgroup_shuffle)
CLSORT_INLINE uint clsort_subgroup_shuffle_xor(uint value, uint mask)
{
    return sub_group_shuffle_xor(value, mask);
}
#if defined(cl_khr_subgroup_ballot) && CLSORT_SUBGROUP <= 32
CLSORT_INLINE uint clsort_subgroup_match(uint value, uint bits)
{
    uint same = 0xffffffffu >> (32 - CLSORT_SUBGROUP);
    for (uint bit = 0; bit < bits; ++bit) {
        const uint is_set = value >> bit & 1;
        const uint vote = sub_group_ballot((int)is_set).x;
        same &= is_set ? vote : ~vote;
    }
    return same;
}

CLSORT_INLINE uint clsort_subgroup_lanes_below(void)
{
    return (1u << get_sub_group_local_id()) - 1;
}

CLSORT_INLINE uint clsort_subgroup_shuffle(uint value, uint lane)
{
    return sub_group_shuffle(value, lane);
}

CLSORT_INLINE uint clsort_subgroup_add_below(uint value, uint step)
{
    const uint lane = get_sub_group_local_id();
    const uint below = sub_group_shuffle(value, (lane - step) % CLSORT_SUBGROUP);
    return value + (lane >= step ? below : 0);
}
#define CLSORT_SUBGROUP_VOTES 1
#endif
#else
#error "CLSORT_SUBGROUP is set, but this device has no sub-group shuffle that clsort knows"
#endif

#endif /* CLSORT_SUBGROUP > 0 */

#endif
