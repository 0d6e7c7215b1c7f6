/* items_pairs_avx2.c: the same for processors with AVX2. */
#define KEY_BITS 64
#define PAYLOAD_SIZE 8
#define HOST_SORT host_items_sort_pairs_avx2
#define HOST_AVX2
#include "host/alone/items_sort.h"
