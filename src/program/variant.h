/* variant.h: a variant is one form of a kernel file, given by its build options. */
#ifndef VARIANT_H
#define VARIANT_H

#include <stdint.h>

/* The macros of cl/base/config.h, in the order of the options: X(macro, member). TILE_BITS follows
 * from others. */
/* clang-format off */
#define VARIANT_LIST(X, TILE_BITS)    \
    X(KEY_BITS, key_bits)             \
    X(KEY_SIGNED, key_signed)         \
    X(KEY_MANTISSA, key_mantissa)     \
    X(KEY_DESCENDING, key_descending) \
    X(KEY_FIRST_BIT, key_first_bit)   \
    X(KEY_NUM_BITS, key_num_bits)     \
    X(RECORD_SIZE, record_size)       \
    X(PAYLOAD_SIZE, payload_size)     \
    X(PAYLOAD_INDEX, payload_index)   \
    X(GROUP_SIZE, group_size)         \
    X(ITEMS, items)                   \
    X(HELD, held)                     \
    X(BLOCK_LANES, block_lanes)       \
    X(CUTS_LEAVES, cuts_leaves)       \
    X(SHORT_RESTS, short_rests)       \
    X(LANES, lanes)                   \
    TILE_BITS                         \
    X(BANKS, banks)                   \
    X(CLSORT_SUBGROUP, subgroup)      \
    X(MOVE_UNIT, move_unit)           \
    X(RADIX_BITS, radix_bits)         \
    X(SPLITTERS, splitters)           \
    X(KEEPS_ORDER, keeps_order)       \
    X(REGISTERS, registers)           \
    X(LOCAL_SIZE, local_size)
/* clang-format on */

/* All are 32-bit members without padding, so that variants are equal if their bytes are. */
struct variant {
#define VARIANT_MEMBER(macro, member) uint32_t member;
    VARIANT_LIST(VARIANT_MEMBER, )
#undef VARIANT_MEMBER
    uint32_t record_text; /* the number of a text in the program cache; 0: none. Not a macro */
};

#define VARIANT_OPTIONS_CAPACITY 720

/* Writes the build options as a zero-terminated text. */
void variant_options(const struct variant *variant, char options[VARIANT_OPTIONS_CAPACITY]);

#endif
