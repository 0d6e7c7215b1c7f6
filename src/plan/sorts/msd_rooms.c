/* msd_rooms.c: where the engine for evenly spread keys (cl/sorts/msd/msd.h) has its blocks of level
 * 1, and the rooms that level 2 fills if it does not move items to the output. */
#include "base/params.h"
#include "plan/route.h"

/* Level 1 counts the leaves if they are few, and if its counters of 16 bits hold a group's keys;
 * or, of 8 bits, several times what a group has of a leaf. */
int plan_msd_counts_leaves(const struct route *route)
{
    const uint64_t slots = shape_slots(route->even.split);
    const uint64_t tiles = ceil_div(route->num_elements, slots);
    const uint64_t keys = ceil_div(tiles, route->even_groups) * slots;
    const uint32_t bits = route->even_bits[0] + route->even_bits[1];
    const int are_bytes = route->even_in_order || route->even_bits[0] > MSD_FEW_BITS;
    return !route->even_is_short && bits <= MSD_COUNTED_BITS &&
           (are_bytes ? keys >> bits <= UINT8_MAX / 8 : keys <= UINT16_MAX);
}

/* A payload that takes an item of 16 bytes with its key lies apart from it, unless chunks are so
 * short that this would halve them too far (cl/sorts/msd/source.h). */
static int is_apart(const struct route *route)
{
    return route->payload.size && route->even_item == 16 &&
           MSD_CHUNK_BYTES(route->even_bits[1], route->even_item) == 64;
}

uint32_t plan_msd_rest_size(const struct route *route)
{
    const int is_joined = route->even_has_rooms && !is_apart(route);
    return route->even_is_short ? 2
           : is_joined          ? route->even_item
                                : route->key_size + route->payload.size;
}

uint32_t plan_msd_room_unit(const struct route *route)
{
    return route->even_is_short     ? 2
           : !route->even_has_rooms ? 0
           : is_apart(route)        ? route->key_size
                                    : route->even_item;
}

/* As msd_capacity.h makes rooms, whatever the digits are: of all elements, and of two digits. */
uint64_t plan_msd_num_room_items(const struct route *route)
{
    const uint64_t leaves = (uint64_t)1 << (route->even_bits[0] + route->even_bits[1]);
    const uint64_t rests = route->num_elements + 2 * (route->num_elements >> route->even_bits[0]);
    const uint64_t most = rests + rests / 8 + leaves * (2 + MSD_ROOM_MORE + MSD_ALIGNMENT);
    return ceil_div(most, MSD_ALIGNMENT) * MSD_ALIGNMENT;
}

/* Rooms, and behind them place for what leaves a bucket at once. */
uint64_t plan_msd_all_room_items(const struct route *route)
{
    return plan_msd_num_room_items(route) + 2 * shape_slots(route->even.split);
}

uint64_t plan_msd_rest_bytes(const struct route *route)
{
    return route->even_is_short || route->even_has_rooms
               ? plan_msd_all_room_items(route) * plan_msd_rest_size(route)
               : 0;
}

/* The tables of scratch take less than a sixteenth of what both take. */
int plan_msd_has_room(const struct route *route)
{
    const uint32_t element = route->key_size + route->payload.size;
    const uint64_t bytes = route->even_block_bytes + plan_msd_rest_bytes(route);
    const uint64_t most = route->facts->max_alloc;
    return bytes * 100 <= route->num_elements * element * route->even.room &&
           bytes <= most - most / 16;
}

/* Whole groups' blocks lie in the output, as many as it holds; bytes: of a block. Returns the
 * groups whose blocks do not. */
static uint64_t place_in_output(struct route *route, uint64_t bytes)
{
    const uint64_t group_bytes = route->even_group_blocks * bytes;
    const uint32_t sizes[] = {route->key_size, route->payload.size};
    uint64_t left = route->even_groups;
    for (int i = 0; i < 2; ++i) {
        const uint64_t array_bytes = route->num_elements * sizes[i];
        const uint64_t own = array_bytes > 64 ? (array_bytes - 64) / group_bytes : 0;
        const uint64_t groups = smaller(own, left);
        route->even_out_blocks[i] = groups * route->even_group_blocks;
        left -= groups;
    }
    return left;
}

/* Level 2 moves items into rooms in scratch where leaves would have to be counted before, if there
 * is enough of it. The blocks of level 1 lie in the output then, if that is not the input. An index
 * wants them in scratch (cl/sorts/msd/restore.cl). bytes: of a block. */
void plan_msd_place_blocks(struct route *route, uint64_t bytes)
{
    route->even_out_blocks[0] = route->even_out_blocks[1] = 0;
    route->even_block_bytes = route->even_blocks * bytes;
    route->even_has_rooms = !route->payload.is_index && !route->even_is_short &&
                            !route->even_in_order && !plan_msd_counts_leaves(route);
    if (route->even_has_rooms && !route->problem->in_place)
        route->even_block_bytes = place_in_output(route, bytes) * route->even_group_blocks * bytes;
    if (!route->even_has_rooms || plan_msd_has_room(route))
        return;
    route->even_has_rooms = 0;
    route->even_out_blocks[0] = route->even_out_blocks[1] = 0;
    route->even_block_bytes = route->even_blocks * bytes;
}
