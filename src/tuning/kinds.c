/* kinds.c: fields.h as tables, and rows that are read and written through them. Numbers of 4 bytes
 * are the first of 8, as the host is little-endian. */
#include "tuning/kinds.h"

#include "base/params.h"
#include "tuning/tuning.h"

#include <string.h>

_Static_assert(STRING_SPLITTERS == 4095, "as fields.h says");

/* TUNING_AT_...: the number of a kind's first field among all. */
#define KIND(enumerator, name, first_size, second_size) \
    TUNING_AT_##enumerator, TUNING_BEFORE_##enumerator = TUNING_AT_##enumerator - 1,
#define NUMBER(kind, name, member, least, most) TUNING_AT_##kind##_##name,
enum {
#include "tuning/fields.h"
    NUM_TUNING_FIELDS
};

#define FIELD(kind, name, member, least, most, is_power) \
    {#name,                                              \
     offsetof(union tuning_row, kind.member),            \
     sizeof(((union tuning_row *)0)->kind.member),       \
     least,                                              \
     most,                                               \
     is_power},
#define NUMBER(kind, name, member, least, most) FIELD(kind, name, member, least, most, 0)
#define POWER(kind, name, member, least, most) FIELD(kind, name, member, least, most, 1)
static const struct tuning_field fields[] = {
#include "tuning/fields.h"
};

#define KIND(enumerator, name, first_size, second_size) \
    {#name, {first_size, second_size}, fields + TUNING_AT_##enumerator},
#define SIZE(name, ...)                                              \
    {                                                                \
#name, {__VA_ARGS__ }, sizeof((uint32_t[]){__VA_ARGS__}) / 4 \
    }
#define NO_SIZE      \
    {                \
        NULL, {0}, 1 \
    }
const struct tuning_kind tuning_kinds[NUM_TUNING_KINDS + 1] = {
#include "tuning/fields.h"
    {NULL, {NO_SIZE, NO_SIZE}, fields + NUM_TUNING_FIELDS},
};

static int applies(const struct tuning_size *size, uint32_t value, uint32_t index)
{
    return !size->name || value == TUNING_SIZE_ANY || size->values[index] == value;
}

void tuning_rows_apply(const struct tuning_rows *rows, enum tuning_kind_id kind,
                       const uint32_t at[TUNING_SIZES], void *row)
{
    const struct tuning_size *sizes = tuning_kinds[kind].sizes;
    for (size_t i = 0; rows && i < rows->num_settings; ++i) {
        const struct tuning_setting *setting = &rows->settings[i];
        if (setting->kind != kind || !applies(&sizes[0], setting->sizes[0], at[0]) ||
            !applies(&sizes[1], setting->sizes[1], at[1]))
            continue;
        memcpy((char *)row + setting->field->offset, &setting->value, setting->field->size);
    }
}

uint64_t tuning_field_value(const struct tuning_field *field, const void *row)
{
    uint64_t value = 0;
    memcpy(&value, (const char *)row + field->offset, field->size);
    return value;
}
