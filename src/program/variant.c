/* variant.c: turns a variant into build options. */
#include "program/variant.h"

#include "base/writer.h"

/* The base-2 logarithm of a power of two; 0 for other numbers. */
static uint32_t log2_of(uint32_t power)
{
    uint32_t bits = 0;
    if (power & (power - 1))
        return 0;
    while (power >>= 1)
        ++bits;
    return bits;
}

void variant_options(const struct variant *variant, char options[VARIANT_OPTIONS_CAPACITY])
{
    const struct {
        const char *macro;
        uint32_t value;
    } macros[] = {
        {"KEY_BITS", variant->key_bits},
        {"KEY_SIGNED", variant->key_signed},
        {"KEY_MANTISSA", variant->key_mantissa},
        {"KEY_DESCENDING", variant->key_descending},
        {"KEY_FIRST_BIT", variant->key_first_bit},
        {"KEY_NUM_BITS", variant->key_num_bits},
        {"RECORD_SIZE", variant->record_size},
        {"PAYLOAD_SIZE", variant->payload_size},
        {"PAYLOAD_INDEX", variant->payload_index},
        {"GROUP_SIZE", variant->group_size},
        {"ITEMS", variant->items},
        {"HELD", variant->held},
        {"BLOCK_LANES", variant->block_lanes},
        {"CUTS_LEAVES", variant->cuts_leaves},
        {"SHORT_RESTS", variant->short_rests},
        {"LANES", variant->lanes},
        {"TILE_BITS", log2_of(variant->group_size * variant->items * variant->lanes)},
        {"BANKS", variant->banks},
        {"CLSORT_SUBGROUP", variant->subgroup},
        {"MOVE_UNIT", variant->move_unit},
        {"RADIX_BITS", variant->radix_bits},
        {"SPLITTERS", variant->splitters},
        {"KEEPS_ORDER", variant->keeps_order},
        {"REGISTERS", variant->registers},
        {"LOCAL_SIZE", variant->local_size},
    };
    struct writer text = {.bytes = options, .capacity = VARIANT_OPTIONS_CAPACITY};
    writer_add(&text, "-cl-std=CL1.2");
    for (size_t i = 0; i < sizeof macros / sizeof *macros; ++i)
        writer_add(&text, " -D%s=%u", macros[i].macro, (unsigned)macros[i].value);
    if (variant->registers)
        writer_add(&text, " -cl-nv-maxrregcount=%u", (unsigned)variant->registers);
}
