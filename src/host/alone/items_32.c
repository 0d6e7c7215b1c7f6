/* items_32.c: keys of at most 32 bits. */
#define KEY_BITS 32
#define PAYLOAD_SIZE 0
#define HOST_SORT host_items_sort_32
#include "host/alone/items_sort.h"
