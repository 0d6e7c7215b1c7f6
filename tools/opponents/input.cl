/* input.cl: the kernels around input.h, which is put in front. Each work-item takes every
 * get_global_size(0)-th element. */
__kernel void fill(struct bench_input input, __global void *keys, __global void *values)
{
    bench_fill(&input, keys, values, get_global_id(0), get_global_size(0));
}

__kernel void look(struct bench_input input, __global const void *keys, __global const void *values,
                   __global const void *indices, __global struct bench_sums *sums)
{
    sums[get_global_id(0)] =
        bench_look(&input, keys, values, indices, get_global_id(0), get_global_size(0));
}
