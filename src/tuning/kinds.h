/* kinds.h: the rows of tuning as a text names them, and what a text sets (file.h),
 * which goes before the compiled-in numbers. */
#ifndef TUNING_KINDS_H
#define TUNING_KINDS_H

#include <stddef.h>
#include <stdint.h>

#define KIND(enumerator, name, first_size, second_size) TUNING_##enumerator,
enum tuning_kind_id {
#include "tuning/fields.h"
    NUM_TUNING_KINDS
};

/* A number of a row: 4 or 8 bytes of union tuning_row. */
struct tuning_field {
    const char *name;
    size_t offset, size;
    uint64_t min, max;
    int is_power; /* of two, or 0 where min is */
};

#define TUNING_SIZES 2 /* that a kind of row can depend on */

/* What a row applies to: bytes, each of the values for those above the one before it, the last
 * one for all that are larger. */
struct tuning_size {
    const char *name; /* NULL: the rows do not depend on a size */
    uint32_t values[4];
    uint32_t num_values; /* at least 1 */
};

/* A kind's fields end where those of the next kind begin. */
struct tuning_kind {
    const char *name;
    struct tuning_size sizes[TUNING_SIZES];
    const struct tuning_field *fields;
};

extern const struct tuning_kind tuning_kinds[NUM_TUNING_KINDS + 1];

#define TUNING_SIZE_ANY UINT32_MAX

struct tuning_setting {
    enum tuning_kind_id kind;
    uint32_t sizes[TUNING_SIZES]; /* values of the kind's, or TUNING_SIZE_ANY */
    const struct tuning_field *field;
    uint64_t value;
};

/* In the order of the text: a later one goes before an earlier one. */
struct tuning_rows {
    struct tuning_setting *settings;
    size_t num_settings;
};

/* Writes into a row of this kind what is set for the sizes whose values have these indices; those
 * that the kind does not have are ignored. rows may be NULL. */
void tuning_rows_apply(const struct tuning_rows *rows, enum tuning_kind_id kind,
                       const uint32_t at[TUNING_SIZES], void *row);

/* A field's value in a row. */
uint64_t tuning_field_value(const struct tuning_field *field, const void *row);

#endif
