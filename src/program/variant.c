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
    const uint32_t tile_size = variant->group_size * variant->items * variant->lanes;
    struct writer text = {.bytes = options, .capacity = VARIANT_OPTIONS_CAPACITY};
    writer_add(&text, "-cl-std=CL1.2");
#define ADD(macro, member) writer_add(&text, " -D" #macro "=%u", (unsigned)variant->member);
#define ADD_TILE_BITS writer_add(&text, " -DTILE_BITS=%u", (unsigned)log2_of(tile_size));
    VARIANT_LIST(ADD, ADD_TILE_BITS)
    if (variant->registers)
        writer_add(&text, " -cl-nv-maxrregcount=%u", (unsigned)variant->registers);
}
