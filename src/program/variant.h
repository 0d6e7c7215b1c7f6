/* variant.h: a variant is one form of a kernel file, given by its build options. */
#ifndef VARIANT_H
#define VARIANT_H

#include <stddef.h>
#include <stdint.h>

/* One member for each macro of cl/base/config.h. All are 32-bit members without padding, so that
 * variants are equal if their bytes are. */
struct variant {
    uint32_t key_bits;
    uint32_t key_signed;
    uint32_t key_mantissa;
    uint32_t key_descending;
    uint32_t key_first_bit;
    uint32_t key_num_bits;
    uint32_t payload_size;
    uint32_t payload_index;
    uint32_t group_size;
    uint32_t items;
    uint32_t held;
    uint32_t block_lanes;
    uint32_t cuts_leaves;
    uint32_t short_rests;
    uint32_t lanes;
    uint32_t banks;
    uint32_t subgroup;
    uint32_t move_unit;
    uint32_t radix_bits;
    uint32_t splitters;
    uint32_t keeps_order;
    uint32_t registers;
    uint32_t local_size;
    uint32_t record_size;
    uint32_t record_text; /* the number of a text in the program cache; 0: none. Not a macro */
};

#define VARIANT_OPTIONS_CAPACITY 720

/* Writes the build options as a zero-terminated text. */
void variant_options(const struct variant *variant, char options[VARIANT_OPTIONS_CAPACITY]);

#endif
