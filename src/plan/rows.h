/* rows.h: sorts by several numbers, made of sorts by one (composed/columns.c). Rows of columns and
 * records by their fields are sorted so, and segments by their number and key. */
#ifndef ROWS_H
#define ROWS_H

#include "plan/route.h"

/* Members that are one key. */
struct row_key {
    uint32_t first, end;
    uint32_t bits;     /* of the members */
    uint32_t key_bits; /* of the key: 32 or 64 */
};

struct rows {
    const struct route *route;
    const struct problem *problem;
    struct plan *plan;
    struct row_key groups[MAX_MEMBERS + 1];
    uint32_t num_groups;
    uint32_t index_size; /* 0: none are carried */
    uint32_t num_words;  /* keys of a row that lie side by side; 0: the same as 1 */
    struct buffer_ref key, index;
    uint32_t number_size; /* bytes of a segment's number, the first member; 0: there are none */
    struct buffer_ref numbers;
};

/* Packs the problem's members into keys, and reserves the scratch of the largest. */
void rows_group(struct rows *rows);
void rows_reserve_key(struct rows *rows);

/* Packs the members of one group into keys (flags: cl/move/columns.cl), and unpacks them to the
 * columns that begin at a role. */
void rows_pack(struct rows *rows, const struct row_key *group, enum buffer_role columns,
               uint32_t flags);
void rows_unpack(struct rows *rows, uint32_t group, enum buffer_role columns, uint32_t flags);

/* Sorts the rows' indices by each key, from the last to the first. has_index: they are there. */
void rows_sort(struct rows *rows, int has_index);

#endif
