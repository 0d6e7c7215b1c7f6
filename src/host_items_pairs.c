/* host_items_pairs.c: keys of any width with a payload of 64 bits. */
#define KEY_BITS 64
#define PAYLOAD_SIZE 8
#include "host_items_sort.h"

struct host_pair *host_items_sort_pairs(struct host_pair *items, struct host_pair *spare,
                                        uint32_t count)
{
    return items_sort(items, spare, count) ? spare : items;
}
