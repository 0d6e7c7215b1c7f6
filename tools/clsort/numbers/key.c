#include "numbers/key.h"

#define SIGN(bits) (UINT64_C(1) << ((bits)-1))
#define KEY_TYPE(name, text, bits, kind, mantissa)                                               \
    {bits,                                                                                       \
     KEY_##kind,                                                                                 \
     mantissa,                                                                                   \
     {KEY_##kind == KEY_FLOAT ? SIGN(bits) - 1 : 0, KEY_##kind == KEY_UNSIGNED ? 0 : SIGN(bits), \
      KEY_##kind == KEY_FLOAT ? SIGN((mantissa) + 1) - 1 : 0, 0}},
const struct key_type key_types[CLSORT_NUM_TYPES] = {CLSORT_TYPE_LIST(KEY_TYPE)};
