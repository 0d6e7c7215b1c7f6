/* lists.h: steps that find the caller's segments on the device, for plans of segments and for sorts
 * that take lists of segments. */
#ifndef LISTS_H
#define LISTS_H

#include "plan/route.h"

/* What steps of cl/segments/segments.cl have in common. */
struct segments_steps {
    const struct route *route;
    struct plan *plan;
    uint32_t index_size; /* bytes */
    struct segments_params params;
    struct buffer_ref index; /* the elements' */
};

/* Adds a step for that many items of the kernel. */
void segments_add_step(const struct segments_steps *segments, enum kernel_id kernel,
                       uint64_t num_items);

/* Marks where segments begin, in tables that the first reserves. */
void segments_reserve_bits(struct segments_steps *segments);
void segments_add_bits(const struct segments_steps *segments);

#endif
