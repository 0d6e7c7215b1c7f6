/* text.c: a sorter's rows as a text that file.c reads. */
#include "tuning/tuning.h"

#include "base/math.h"
#include "base/writer.h"

#include <string.h>

#define MIN_POWER 16 /* bits of a number that is written as a power of two */

static void add_field(struct writer *text, const struct tuning_field *field, const void *row)
{
    const uint64_t value = tuning_field_value(field, row);
    const uint32_t bits = ceil_log2(value);
    if (bits >= MIN_POWER && bits < 64 && value == (uint64_t)1 << bits)
        writer_add(text, " %s=2^%u", field->name, (unsigned)bits);
    else
        writer_add(text, " %s=%llu", field->name, (unsigned long long)value);
}

static void add_row(struct writer *text, const struct device_facts *facts, enum tuning_kind_id id,
                    uint32_t first, uint32_t second)
{
    const struct tuning_kind *kind = &tuning_kinds[id];
    union tuning_row row = tuning_row(facts, id, first, second);
    const union tuning_row none = {0};
    if (memcmp(&row, &none, sizeof row) == 0)
        return; /* the device cannot */
    writer_add(text, "%s", kind->name);
    if (kind->sizes[0].name)
        writer_add(text, " %s=%u", kind->sizes[0].name, (unsigned)first);
    if (kind->sizes[1].name)
        writer_add(text, " %s=%u", kind->sizes[1].name, (unsigned)second);
    for (const struct tuning_field *field = kind->fields; field < kind[1].fields; ++field)
        add_field(text, field, &row);
    writer_add(text, "\n");
}

size_t tuning_rows_text(const struct device_facts *facts, char *text, size_t size)
{
    struct writer rows = {.bytes = text, .capacity = size};
    for (int id = 0; id < NUM_TUNING_KINDS; ++id) {
        const struct tuning_size *sizes = tuning_kinds[id].sizes;
        for (uint32_t i = 0; i < sizes[0].num_values; ++i)
            for (uint32_t j = 0; j < sizes[1].num_values; ++j)
                add_row(&rows, facts, (enum tuning_kind_id)id, sizes[0].values[i],
                        sizes[1].values[j]);
    }
    return rows.size + 1;
}
