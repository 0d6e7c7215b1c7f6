/* input.cl: the kernels around input.h, which is put in front. Each work-item takes every
 * get_global_size(0)-th element. */
__kernel void fill(struct versus_input input, __global void *keys, __global uint *values)
{
    versus_fill(&input, keys, values, get_global_id(0), get_global_size(0));
}

__kernel void look(struct versus_input input, __global const void *keys,
                   __global const uint *values, __global struct versus_sums *sums)
{
    sums[get_global_id(0)] =
        versus_look(&input, keys, values, get_global_id(0), get_global_size(0));
}
