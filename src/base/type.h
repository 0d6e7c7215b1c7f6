/* type.h: the key types as a table. */
#ifndef TYPE_H
#define TYPE_H

#include "clsort/clsort.h"

enum key_kind { KEY_UNSIGNED, KEY_SIGNED, KEY_FLOAT };

struct key_type {
    const char *name;
    uint32_t bits;
    enum key_kind kind;
    uint32_t mantissa_bits; /* 0 for integers */
};

/* NULL for an unknown type. */
const struct key_type *key_type_of(clsort_type type);

#endif
