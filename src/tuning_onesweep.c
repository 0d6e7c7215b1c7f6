/* tuning_onesweep.c: the numbers of stable radix sort with a launch a pass, fitted to the device. */
#include "params.h"
#include "tuning.h"
#include "tuning_numbers.h"

enum { DEVICE_ANY = -1, ITEM_ANY = 0 };
#define ITEM_SIZE_ANY ITEM_ANY
#define ITEM_SIZE_1 1
#define ITEM_SIZE_2 2
#define ITEM_SIZE_4 4
#define ITEM_SIZE_8 8

/* clang-format off */
#define ONESWEEP_ROW(device, key, payload, group, items, regs, groups, bits, patience_, votes, \
                  least, most, stable_least, skew_least)                                            \
    {DEVICE_##device,                                                                               \
     ITEM_SIZE_##key,                                                                               \
     payload,                                                                                       \
     {.scatter = {group, items, 1},                                                                 \
      .registers = regs,                                                                            \
      .groups_per_unit = groups,                                                                    \
      .digit_bits = bits,                                                                           \
      .patience = patience_,                                                                          \
      .subgroup = votes,                                                                            \
      .min_count = least,                                                                           \
      .max_count = most,                                                                            \
      .stable_min = stable_least,                                                                   \
      .skew_min = skew_least}},
/* clang-format on */
static const struct {
    int class;
    uint32_t key_size;     /* at most */
    uint32_t payload_size; /* at most */
    struct onesweep_tuning tuning;
} onesweep_rows[] = {ONESWEEP_ROWS};
#undef ONESWEEP_ROW

struct onesweep_tuning tuning_onesweep_row(const struct device_facts *facts, uint32_t key_size,
                                           uint32_t payload_size)
{
    size_t i = 0;
    while ((onesweep_rows[i].class != DEVICE_ANY && onesweep_rows[i].class != (int)facts->class) ||
           (onesweep_rows[i].key_size != ITEM_ANY && onesweep_rows[i].key_size < key_size) ||
           onesweep_rows[i].payload_size < payload_size)
        ++i;
    return onesweep_rows[i].tuning;
}

uint32_t tuning_onesweep_local(const struct onesweep_tuning *tuning, uint32_t key_size,
                               uint32_t payload_size)
{
    const uint32_t radix = 1u << tuning->digit_bits;
    const uint32_t group_size = tuning->scatter.group_size;
    const uint32_t scan = tuning_scan_local(group_size, tuning->subgroup);
    const uint32_t digits = (key_size * 8 + tuning->digit_bits - 1) / tuning->digit_bits;
    const uint32_t copies = group_size >= 128 ? (digits > 4 ? 4 : 8) : 1;
    const uint32_t count = copies * digits * radix * 4 + scan + 3 * 4;
    const uint32_t rows = group_size / (tuning->subgroup ? tuning->subgroup : 1);
    const uint32_t widest = payload_size > key_size ? payload_size : key_size;
    const uint32_t slot = payload_size && widest <= 4 ? 8 : widest; /* narrow pairs as one */
    const uint32_t counters = rows * radix * 4;
    const uint32_t tile = (uint32_t)shape_slots(tuning->scatter) * slot;
    const uint32_t scatter = (counters > tile ? counters : tile) + 2 * radix * 4 + scan + 4 + 16;
    return (count > scatter ? count : scatter) + 16;
}

struct onesweep_tuning tuning_onesweep(const struct device_facts *facts, uint32_t key_size,
                                       uint32_t payload_size)
{
    union tuning_row row;
    tuning_row(facts, TUNING_ONESWEEP, key_size, payload_size, &row);
    struct onesweep_tuning tuning = row.onesweep;
    while (tuning.scatter.group_size > facts->max_group_size)
        tuning.scatter.group_size /= 2;
    tuning.subgroup = tuning_votes(facts, tuning.subgroup);
    /* A row of counters for each work-item would be too many. */
    if (row.onesweep.subgroup && !tuning.subgroup) {
        tuning.digit_bits = 0;
        return tuning;
    }
    if (tuning.subgroup && tuning.scatter.group_size % tuning.subgroup)
        tuning.subgroup = 0;
    while (tuning.scatter.items > 2 &&
           tuning_onesweep_local(&tuning, key_size, payload_size) > facts->local_size)
        tuning.scatter.items -= 1;
    while (tuning.digit_bits > ONESWEEP_MIN_BITS &&
           tuning_onesweep_local(&tuning, key_size, payload_size) > facts->local_size)
        tuning.digit_bits -= 1;
    if (tuning_onesweep_local(&tuning, key_size, payload_size) > facts->local_size)
        tuning.digit_bits = 0;
    tuning.registers = tuning_registers(facts, tuning.registers, &tuning.scatter);
    return tuning;
}
