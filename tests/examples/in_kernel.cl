/* in_kernel.cl: a kernel that builds its data and sorts it without leaving.
 *
 * Every work-group has one query point. It computes the distances of all points to it, sorts
 * them in local memory, and writes the indices of the k nearest, nearest first; of equal
 * distances the smaller index first. Build with -I and the folder that has
 * clsort/clsort_device.h in it, and -D MAX_POINTS=..., 8 bytes of local memory each; num_points
 * is at most that, and k at most num_points. Any group size. */
struct neighbour {
    float distance;
    uint index;
};

#define CLSORT_NAME neighbour
#define CLSORT_ITEM struct neighbour
#define CLSORT_LESS(a, b) \
    ((a).distance < (b).distance || ((a).distance == (b).distance && (a).index < (b).index))
#include "clsort/clsort_device.h"

__kernel void nearest(__global const float2 *points, uint num_points,
                      __global const float2 *queries, uint k, __global uint *nearest_indices)
{
    __local struct neighbour neighbours[MAX_POINTS];
    const uint query = get_group_id(0);
    for (uint i = get_local_id(0); i < num_points; i += get_local_size(0)) {
        const float2 d = points[i] - queries[query];
        neighbours[i].distance = d.x * d.x + d.y * d.y;
        neighbours[i].index = i;
    }
    clsort_neighbour_group_bitonic(neighbours, num_points);
    for (uint i = get_local_id(0); i < k; i += get_local_size(0))
        nearest_indices[query * k + i] = neighbours[i].index;
}
