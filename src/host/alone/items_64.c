/* items_64.c: keys of 64 bits. */
#define KEY_BITS 64
#define PAYLOAD_SIZE 0
#define HOST_SORT host_items_sort_64
#include "host/alone/items_sort.h"
