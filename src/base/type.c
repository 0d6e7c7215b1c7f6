/* type.c: the table of key types and their names. */
#include "base/type.h"

#include <string.h>

#define TYPE_ROW(enumerator, text, bits, kind, mantissa) {text, bits, KEY_##kind, mantissa},
static const struct key_type types[] = {CLSORT_TYPE_LIST(TYPE_ROW)};
#undef TYPE_ROW

const struct key_type *key_type_of(clsort_type type)
{
    return (unsigned)type < CLSORT_NUM_TYPES ? &types[type] : NULL;
}

const char *clsort_type_name(clsort_type type)
{
    const struct key_type *row = key_type_of(type);
    return row ? row->name : NULL;
}

uint32_t clsort_type_size(clsort_type type)
{
    const struct key_type *row = key_type_of(type);
    return row ? row->bits / 8 : 0;
}

clsort_status clsort_type_from_name(const char *name, clsort_type *type_ret)
{
    if (!name || !type_ret)
        return CLSORT_ERROR_NULL;
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
        if (strcmp(name, types[type].name) == 0) {
            *type_ret = (clsort_type)type;
            return CLSORT_OK;
        }
    }
    return CLSORT_ERROR_TYPE;
}
