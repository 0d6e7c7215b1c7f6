/* items_32_avx2.c: the same for processors with AVX2. */
#define KEY_BITS 32
#define PAYLOAD_SIZE 0
#define HOST_SORT host_items_sort_32_avx2
#define HOST_AVX2
#include "host/alone/items_sort.h"
