/* radix.h: the digit of an item, for radix sort by one digit a step (radix_*.cl).
 *
 * Items are ranked as digit_rank.h says. Without sub-groups a work-item is a sub-group of
 * one, and digits are narrower, so that the counters still fit. */
#ifndef CLSORT_RADIX_H
#define CLSORT_RADIX_H

#include "group/digit_rank.h"
#include "base/item.h"

#if ITEM_SIZE == 16
#define ITEM_ORDERED(item) ((item).x)
#else
#define ITEM_ORDERED(item) ITEM_KEY(item)
#endif
#define DIGIT(ordered, p) ((uint)((ordered) >> (p).shift) & (p).digit_mask)

#endif
