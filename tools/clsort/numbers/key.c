#include "numbers/key.h"

#define KEY_TYPE(name, text, bits, kind, mantissa) {bits, KEY_##kind, mantissa},
const struct key_type key_types[CLSORT_NUM_TYPES] = {CLSORT_TYPE_LIST(KEY_TYPE)};
