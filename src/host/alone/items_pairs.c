/* items_pairs.c: keys of any width with a payload of 64 bits. */
#define KEY_BITS 64
#define PAYLOAD_SIZE 8
#define HOST_SORT host_items_sort_pairs
#include "host/alone/items_sort.h"
