/* rank.h: counting of clsort_device.h for the library's own items. Only keys are compared: position
 * settles ties. */
#ifndef CLSORT_RANK_H
#define CLSORT_RANK_H

#include "base/item.h"

#define CLSORT_NAME item
#define CLSORT_ITEM ITEM
#define CLSORT_LESS(a, b) ITEM_KEY_LESS(a, b)
#define CLSORT_ITEMS ITEMS
#include "clsort_device.h"

#endif
