/* host_items_32.c: keys of at most 32 bits. */
#define KEY_BITS 32
#define PAYLOAD_SIZE 0
#include "host_items_sort.h"

uint32_t *host_items_sort_32(uint32_t *items, uint32_t *spare, uint32_t count)
{
    return items_sort(items, spare, count) ? spare : items;
}
