/* payload.h: what moves with the keys. It is the same for all algorithms: nothing, the values
 * themselves, or the elements' indices, by which a last step gathers the values. */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "plan/plan.h"

struct payload {
    uint32_t size;          /* bytes inside the sort: 0, 1, 2, 4, 8 */
    int is_index;           /* settles ties */
    int stored;             /* wanted after the sort */
    int gathers;            /* values are to be moved by it afterwards */
    struct buffer_ref from; /* NONE for an index: the first step makes it */
    struct buffer_ref work; /* where it lies between steps and after the last; NONE if neither */
    uint64_t work_size;     /* bytes of scratch that `work` is to be given; 0: none */
};

/* Chooses. places_ties: the sort keeps equal keys in order by itself. */
struct payload payload_choose(const struct problem *problem, int places_ties);

/* For a sort that keeps nothing in memory between its first step and its last. */
void payload_leave_work(struct payload *payload);

/* Gives `work` its scratch, if it needs any. */
void payload_reserve(struct payload *payload, struct plan *plan);

/* Whether equal elements must keep their input order: always if their order shows in the keys
 * alone, and with values if that is asked for. An index is that order itself. */
int payload_keeps_order(const struct problem *problem, const struct payload *payload);

/* Whether a sort that does not keep equal elements in order by itself is stable. */
int payload_is_stable(const struct problem *problem, const struct payload *payload);

/* Bytes of an element in registers and local memory: 4, 8 or 16, as cl/base/item.h says. For a
 * record and its payload, the most that it can be. */
uint32_t payload_item_size(const struct problem *problem, const struct payload *payload);

/* The same of a record that stays in its slot, with the numbers of slots:
 * cl/group/merge_slots.h. */
uint32_t payload_slot_size(const struct problem *problem, const struct payload *payload);

/* The largest piece, a power of two up to 8 bytes, that divides an element. */
uint32_t payload_piece(uint32_t size);

/* The variant for a problem's keys and payload. The algorithm adds its shape. */
struct variant payload_variant(const struct problem *problem, const struct payload *payload);

#endif
