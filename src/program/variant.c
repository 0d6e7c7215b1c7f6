/* variant.c: turns a variant into build options. */
#include "program/variant.h"

#include "base/math.h"
#include "base/writer.h"

void variant_options(const struct variant *variant, char options[VARIANT_OPTIONS_CAPACITY])
{
    const uint32_t tile_size = variant->group_size * variant->items * variant->lanes;
    const int is_power = (tile_size & (tile_size - 1)) == 0;
    const uint32_t tile_bits = is_power ? ceil_log2(tile_size) : 0;
    struct writer text = {.bytes = options, .capacity = VARIANT_OPTIONS_CAPACITY};
    writer_add(&text, "-cl-std=CL1.2");
#define ADD(macro, member) writer_add(&text, " -D" #macro "=%u", (unsigned)variant->member);
#define ADD_TILE_BITS writer_add(&text, " -DTILE_BITS=%u", (unsigned)tile_bits);
    VARIANT_LIST(ADD, ADD_TILE_BITS)
    if (variant->registers)
        writer_add(&text, " -cl-nv-maxrregcount=%u", (unsigned)variant->registers);
}
