/* check_names.h: the names of arguments, for refusals (error.h). */
#ifndef CHECK_NAMES_H
#define CHECK_NAMES_H

#include "error.h"
#include "plan.h"

/* A buffer or array as the caller knows it: "keys_out", "columns[3]". */
const char *check_buffer_name(enum buffer_role role);

/* What a column or a record's field has. */
enum member_part {
    COLUMN_TYPE,
    COLUMN_ORDER,
    FIELD_OFFSET,
    FIELD_TYPE,
    FIELD_ORDER,
    NUM_MEMBER_PARTS
};

/* "desc.columns[3].type"; number is below MAX_MEMBERS. */
const char *check_part_name(enum member_part part, uint32_t number);

/* What can be wrong with an argument, and its name. */
struct mistake {
    int is_made;
    const char *argument;
};

/* Refuses with this status the first mistake that is made; accepts if none is. */
struct refusal check_mistakes(clsort_status status, const struct mistake *mistakes, size_t num);

#endif
