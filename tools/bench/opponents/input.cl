/* input.cl: the kernels around input.h and look.h, which are put in front. In fill and look each
 * work-item takes every get_global_size(0)-th element. */
__kernel void fill(struct bench_input input, __global void *keys, __global void *values)
{
    bench_fill(&input, keys, values, get_global_id(0), get_global_size(0));
}

__kernel void look(struct bench_input input, __global const void *keys, __global const void *values,
                   __global const void *indices, __global const void *source,
                   __global const void *queries, __global const ulong *offsets,
                   __global struct bench_sums *sums)
{
    const struct bench_arrays arrays = {keys, values, indices, source, queries, offsets};
    sums[get_global_id(0)] = bench_look(&input, &arrays, get_global_id(0), get_global_size(0));
}

__kernel void head_start(uint rounds, __global struct bench_sums *sums)
{
    sums[get_global_id(0)].hash = bench_head_start(rounds);
}
