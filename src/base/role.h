/* role.h: what a buffer or an array is to a sort. */
#ifndef ROLE_H
#define ROLE_H

#include <stdint.h>

#define MAX_MEMBERS 16 /* of a row: columns, or fields of a record; a sort each at most */

/* What a step's buffer stands for until the sort is run. OUT is the plain one when in place. */
enum buffer_role {
    BUFFER_NONE, /* the kernel does not touch it */
    BUFFER_KEYS,
    BUFFER_KEYS_OUT,
    BUFFER_VALUES,
    BUFFER_VALUES_OUT,
    BUFFER_INDICES,
    BUFFER_OFFSETS,
    BUFFER_OFFSETS_OUT,
    BUFFER_QUERIES,
    BUFFER_LOWER,
    BUFFER_UPPER,
    BUFFER_RESULT,
    BUFFER_COLUMN, /* the first of all columns, and so on: role_is_in() */
    BUFFER_COLUMN_OUT = BUFFER_COLUMN + MAX_MEMBERS,
    BUFFER_LISTED = BUFFER_COLUMN_OUT + MAX_MEMBERS, /* values_list */
    BUFFER_LISTED_OUT = BUFFER_LISTED + MAX_MEMBERS,
    BUFFER_QUERY_COLUMN = BUFFER_LISTED_OUT + MAX_MEMBERS,
    BUFFER_SCRATCH = BUFFER_QUERY_COLUMN + MAX_MEMBERS,
    NUM_BUFFER_ROLES
};

/* Whether a role is in the list that begins with the role `first`. */
static inline int role_is_in(enum buffer_role role, enum buffer_role first)
{
    return role >= first && (uint32_t)role < (uint32_t)first + MAX_MEMBERS;
}

/* Whether a role's buffer holds what is sorted. */
static inline int role_is_source(enum buffer_role role)
{
    return role == BUFFER_KEYS || role == BUFFER_VALUES || role_is_in(role, BUFFER_COLUMN) ||
           role_is_in(role, BUFFER_LISTED);
}

/* Where the elements of a source go out of place. Other roles stay as they are. */
static inline enum buffer_role role_out(enum buffer_role role)
{
    const int list = role < BUFFER_COLUMN ? 1 : MAX_MEMBERS;
    return role_is_source(role) ? (enum buffer_role)((int)role + list) : role;
}

#endif
