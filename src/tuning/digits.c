/* digits.c: partition by digits, fitted to the device. */
#include "base/params.h"
#include "tuning/tuning.h"

#define MIN_ITEMS 2
#define MIN_DIGIT_BITS 3    /* PARTITION_LEVELS of cl/base/params.h for keys of 64 bits */
#define MAX_SLOTS (1 << 15) /* of a tile: places have 16 bits */

uint32_t tuning_digits_count_local(const struct partition_tuning *tuning)
{
    const uint32_t radix = 1u << tuning->bucket_bits;
    const uint32_t list =
        radix * LIST_LOCAL + tuning_scan_local(tuning->scatter.group_size, tuning->subgroup) + 48;
    return list + 16; /* and what has been seen */
}

/* In order sub-groups have counters of their own, and keys and payloads go one array after the
 * other. Otherwise narrow pairs go as one. */
static uint32_t scatter_local(const struct partition_tuning *tuning, struct digits_element element)
{
    const uint32_t radix = 1u << tuning->bucket_bits;
    const uint32_t group_size = tuning->scatter.group_size;
    const uint32_t subgroup = tuning->subgroup ? tuning->subgroup : 1;
    const uint32_t copies = element.keeps_order ? group_size / subgroup : 1;
    const uint32_t widest =
        element.payload_size > element.key_size ? element.payload_size : element.key_size;
    const uint32_t is_joined = element.payload_size && widest <= 4 && !element.keeps_order;
    return radix * copies * 4 + (uint32_t)shape_slots(tuning->scatter) * (is_joined ? 8 : widest) +
           tuning_scan_local(group_size, tuning->subgroup) + radix * 4 /* where digits go */ + 12;
}

uint32_t tuning_digits_leaf_local(const struct partition_tuning *tuning, uint32_t key_size,
                                  uint32_t payload_size)
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->leaf);
    const uint32_t bins = ((1u << tuning->bin_bits) / 2 + 1) * 4;
    const uint32_t places = payload_size ? slots * 2 : 0;
    return (bins > places ? bins : places) +
           tuning_scan_local(tuning->leaf.group_size, tuning->subgroup) +
           slots * (payload_size   ? 8
                    : key_size < 4 ? 4
                                   : key_size) +
           (tuning->leaf.group_size + 2) * 4 /* merging */ + 24;
}

static void fit_slots(struct shape *shape, uint64_t max)
{
    while (shape_slots(*shape) > max && tuning_shrink(shape, MIN_ITEMS))
        ;
}

/* Smaller leaves until local memory holds one; 0 if that cannot be. */
static int fit_leaf(const struct device_facts *facts, uint32_t key_size, uint32_t payload_size,
                    uint32_t least, struct partition_tuning *row)
{
    while ((row->leaf_local = tuning_digits_leaf_local(row, key_size, payload_size)) >
           facts->local_size) {
        if (row->leaf.items > 4)
            row->leaf.items /= 2;
        else if (row->bin_bits > 4)
            row->bin_bits -= 1;
        else if (row->leaf.group_size > 2 * least)
            row->leaf.group_size /= 2;
        else
            return 0;
    }
    return row->leaf.group_size % least == 0;
}

/* The same for scattering, and for counting. Scanning needs less. */
static int fit_scatter(const struct device_facts *facts, struct digits_element element,
                       uint32_t least, struct partition_tuning *row)
{
    while (tuning_digits_count_local(row) > facts->local_size && row->bucket_bits > MIN_DIGIT_BITS)
        row->bucket_bits -= 1;
    while ((row->scatter_local = scatter_local(row, element)) > facts->local_size) {
        if (row->scatter.items > 4)
            row->scatter.items /= 2;
        else if (row->scatter.group_size > 2 * least)
            row->scatter.group_size /= 2;
        else if (row->bucket_bits > MIN_DIGIT_BITS)
            row->bucket_bits -= 1;
        else
            return 0;
    }
    return row->scatter.group_size % least == 0;
}

struct partition_tuning tuning_digits(const struct device_facts *facts,
                                      struct digits_element element)
{
    struct partition_tuning row =
        tuning_row(facts, TUNING_DIGITS, element.key_size, element.payload_size).digits;
    /* Keeping an order without votes takes a row of counters for each work-item: for tests. */
    const uint32_t votes = tuning_votes(facts, row.subgroup);
    const int lacks_votes = element.keeps_order && row.subgroup && !votes;
    const uint32_t least = votes ? votes : 1;
    row.subgroup = votes;
    if (!row.bucket_bits || lacks_votes) {
        row.bucket_bits = 0;
        return row;
    }
    tuning_fit_shape(facts, &row.scatter);
    tuning_fit_shape(facts, &row.leaf);
    fit_slots(&row.scatter, MAX_SLOTS);
    fit_slots(&row.leaf, element.payload_size ? 1 << REST_SLOT_BITS : MAX_SLOTS);
    if (!fit_leaf(facts, element.key_size, element.payload_size, least, &row) ||
        !fit_scatter(facts, element, least, &row))
        row.bucket_bits = 0;
    return row;
}
