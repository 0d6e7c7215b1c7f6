/* network.h: the bitonic network of clsort_device.h for the library's own items. */
#ifndef CLSORT_NETWORK_H
#define CLSORT_NETWORK_H

#include "base/pack.h"

#define CLSORT_NAME item
#define CLSORT_ITEM ITEM
#define CLSORT_LESS(a, b) ITEM_LESS(a, b)
#define CLSORT_ITEMS ITEMS
#define CLSORT_LAST ITEM_LAST
#ifdef ITEM_MIN
#define CLSORT_MIN(a, b) ITEM_MIN(a, b)
#define CLSORT_MAX(a, b) ITEM_MAX(a, b)
#endif
#define CLSORT_BANKS ITEM_BANKS
#define CLSORT_LANES LANES
#define CLSORT_PACK PACK
#define CLSORT_LANE_NUMBERS PACK_LANES
#define CLSORT_ONE_UNIT
#include "clsort_device.h"

#endif
