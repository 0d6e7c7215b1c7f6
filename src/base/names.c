/* names.c: the names of arguments, as static texts. */
#include "base/names.h"

/* The names of numbered columns or fields: the text before and after each number. */
#define NUMBERED(before, behind)                                                                  \
    {                                                                                             \
        before "[0]" behind, before "[1]" behind, before "[2]" behind, before "[3]" behind,       \
            before "[4]" behind, before "[5]" behind, before "[6]" behind, before "[7]" behind,   \
            before "[8]" behind, before "[9]" behind, before "[10]" behind, before "[11]" behind, \
            before "[12]" behind, before "[13]" behind, before "[14]" behind,                     \
            before "[15]" behind,                                                                 \
    }

const char *check_buffer_name(enum buffer_role role)
{
    static const char *const names[NUM_BUFFER_ROLES] = {
        [BUFFER_NONE] = "",
        [BUFFER_KEYS] = "keys",
        [BUFFER_KEYS_OUT] = "keys_out",
        [BUFFER_VALUES] = "values",
        [BUFFER_VALUES_OUT] = "values_out",
        [BUFFER_INDICES] = "indices",
        [BUFFER_OFFSETS] = "offsets",
        [BUFFER_OFFSETS_OUT] = "offsets_out",
        [BUFFER_QUERIES] = "queries",
        [BUFFER_LOWER] = "lower",
        [BUFFER_UPPER] = "upper",
        [BUFFER_RESULT] = "result",
        [BUFFER_SCRATCH] = "scratch",
    };
    static const char *const lists[][MAX_MEMBERS] = {
        NUMBERED("columns", ""),         NUMBERED("columns_out", ""),   NUMBERED("values_list", ""),
        NUMBERED("values_list_out", ""), NUMBERED("query_columns", ""),
    };
    if (role < BUFFER_COLUMN || role == BUFFER_SCRATCH)
        return names[role];
    const uint32_t number = (uint32_t)role - BUFFER_COLUMN;
    return lists[number / MAX_MEMBERS][number % MAX_MEMBERS];
}

const char *check_part_name(enum member_part part, uint32_t number)
{
    static const char *const names[NUM_MEMBER_PARTS][MAX_MEMBERS] = {
        [COLUMN_TYPE] = NUMBERED("desc.columns", ".type"),
        [COLUMN_ORDER] = NUMBERED("desc.columns", ".order"),
        [FIELD_OFFSET] = NUMBERED("desc.record.fields", ".offset"),
        [FIELD_TYPE] = NUMBERED("desc.record.fields", ".type"),
        [FIELD_ORDER] = NUMBERED("desc.record.fields", ".order"),
        [VALUE_SIZE] = NUMBERED("desc.value_sizes", ""),
    };
    return names[part][number];
}

struct refusal check_mistakes(const struct mistake *mistakes, size_t num)
{
    for (size_t i = 0; i < num; ++i) {
        if (mistakes[i].is_made)
            return refuse(mistakes[i].status, mistakes[i].argument);
    }
    return accepted();
}

int check_reserved(const uint32_t *reserved, size_t num)
{
    uint32_t any = 0;
    for (size_t i = 0; i < num; ++i)
        any |= reserved[i];
    return any != 0;
}
