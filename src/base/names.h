/* names.h: the names of arguments, for refusals (error.h). */
#ifndef CHECK_NAMES_H
#define CHECK_NAMES_H

#include "base/error.h"
#include "base/role.h"

/* The caller's name of a buffer or array: "keys_out", "columns[3]". */
const char *check_buffer_name(enum buffer_role role);

/* The members of a column or a record's field, and a list of values. */
enum member_part {
    COLUMN_TYPE,
    COLUMN_ORDER,
    FIELD_OFFSET,
    FIELD_TYPE,
    FIELD_ORDER,
    VALUE_SIZE,
    NUM_MEMBER_PARTS
};

/* The caller's name of a member: "desc.columns[3].type". number is below MAX_MEMBERS. */
const char *check_part_name(enum member_part part, uint32_t number);

/* A possible mistake: the status, and the name of the argument. */
struct mistake {
    int is_made;
    clsort_status status;
    const char *argument;
};

/* Refuses the first mistake that is made. Accepts if none is. */
struct refusal check_mistakes(const struct mistake *mistakes, size_t num);

/* Whether any of a struct's reserved members is not 0. */
int check_reserved(const uint32_t *reserved, size_t num);

#endif
