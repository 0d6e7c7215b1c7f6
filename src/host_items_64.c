/* host_items_64.c: keys of 64 bits. */
#define KEY_BITS 64
#define PAYLOAD_SIZE 0
#include "host_items_sort.h"

uint64_t *host_items_sort_64(uint64_t *items, uint64_t *spare, uint32_t count)
{
    return items_sort(items, spare, count) ? spare : items;
}
