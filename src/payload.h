/* payload.h: what moves with the keys, for every algorithm the same: nothing, the values
 * themselves, or the elements' indices, which a last step then applies to the values. */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "plan.h"

struct payload {
    uint32_t size;          /* bytes inside the sort: 0, 1, 2, 4, 8 */
    int is_index;           /* settles ties */
    int stored;             /* wanted after the sort */
    int gathers;            /* values are to be moved by it afterwards */
    struct buffer_ref from; /* NONE for an index: the first step makes it */
    struct buffer_ref work; /* where it lies between steps and after the last; NONE if neither */
    uint64_t work_size;     /* bytes of scratch that `work` is to be given; 0: none */
};

/* What moves. places_ties: the sort keeps equal keys in order by itself. */
struct payload payload_choose(const struct problem *problem, int places_ties);

/* For a sort that keeps nothing in memory between its first and its last step. */
void payload_leave_work(struct payload *payload);

/* Gives `work` its scratch, if it needs any. */
void payload_reserve(struct payload *payload, struct plan *plan);

/* Whether a sort must keep equal elements in their order, or it would be seen: of keys alone, and of
 * values if that is asked for; an index is that order. */
int payload_keeps_order(const struct problem *problem, const struct payload *payload);

/* What a plan without an order of its own for equal elements promises: plan->stable. */
int payload_is_stable(const struct problem *problem, const struct payload *payload);

/* Bytes of an element in registers and local memory: 4, 8 or 16, as cl/item.h says; of a record and
 * its payload at most. */
uint32_t payload_item_size(const struct problem *problem, const struct payload *payload);

/* A variant for the problem's keys and the payload; the shape is the algorithm's. */
struct variant payload_variant(const struct problem *problem, const struct payload *payload);

#endif
