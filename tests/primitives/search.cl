/* search.cl: group_search_tree.h: the first `num_splitters` numbers of the input are splitters
 * in order. */
#include "base/config.h"
#define SEARCH_ITEM uint
#define SEARCH_LESS(splitter, own) ((splitter) < (own))
#define SEARCH_ITEMS ITEMS
#include "group/search_tree.h"

/* out[2 * i]: splitters before element i; then 1 if it equals one. */
KERNEL void search(__global const uint *in, __global uint *out, uint n, uint num_splitters)
{
    __local uint tree[1024];
    const uint me = get_local_id(0);
    GROUP_SEARCH_FILL(tree, in, num_splitters);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tree is there */
    for (uint first = 0; first < n; first += TILE_SLOTS) {
        uint own[ITEMS], before[ITEMS], nearest[ITEMS];
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = in[num_splitters + min(first + i * GROUP_SIZE + me, n - 1)];
        group_search_descend(own, tree, num_splitters, before, nearest);
        for (uint i = 0; i < ITEMS; ++i) {
            const uint at = first + i * GROUP_SIZE + me;
            if (at < n) {
                out[2 * at] = before[i];
                out[2 * at + 1] = tree[nearest[i]] == own[i];
            }
        }
    }
}
