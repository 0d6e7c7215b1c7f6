/* tile.h: the slots of a work-group's tile and the elements that lie in them (params.h says how
 * arrays are dealt to tiles). */
#ifndef CLSORT_TILE_H
#define CLSORT_TILE_H

#include "base/params.h"

struct tile {
    ulong first_array;
    ulong first_index; /* in its array, of slot 0 */
    ulong whole_base;  /* element of slot 0 in the buffers, if whole */
    int whole;         /* every slot is an element of one array: no tests, no division of labour */
};

/* The array that a slot lies in and the index in it; an index not below count is padding. */
struct tile_element {
    ulong base; /* first element of the array in the buffers */
    ulong index;
    ulong count; /* 0 for a slot behind the last array */
};

/* Results through pointers: a returned struct makes Oclgrind's compiler emit what it cannot run. */
CLSORT_INLINE void tile_find(const struct tile_params *p, uint num_slots, struct tile *tile)
{
    const ulong group = get_group_id(0);
    tile->first_array = group / p->tiles_per_array * p->arrays_per_tile;
    tile->first_index = group % p->tiles_per_array * num_slots;
    tile->whole_base = tile->first_array * p->count + tile->first_index;
    tile->whole = 1u << p->slot_bits == num_slots && tile->first_index + num_slots <= p->count;
}

CLSORT_INLINE void tile_locate(const struct tile_params *p, const struct tile *tile, uint slot,
                               struct tile_element *element)
{
    const ulong array = tile->first_array + (slot >> p->slot_bits);
    element->base = array * p->count;
    element->index = tile->first_index + (slot & ((1u << p->slot_bits) - 1));
    element->count = array < p->num_arrays ? p->count : 0;
}

#endif
