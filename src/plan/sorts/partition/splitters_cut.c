/* splitters_cut.c: how partition quicksort cuts arrays: its levels, the size of their buckets, and
 * bounds of the lists that the device writes, for any input. */
#include "plan/sorts/partition/splitters.h"

#define MAX_PARTS 8
#define SAMPLES 32 /* of as many elements as fill a leaf */

/* base^exponent, or a number above the limit. */
static uint64_t power(uint64_t base, uint32_t exponent, uint64_t limit)
{
    uint64_t result = 1;
    while (exponent-- > 0 && result <= limit)
        result *= base;
    return result;
}

/* The fewest levels whose buckets fit in a leaf. */
static uint32_t levels_of(const struct partition_tuning *tuning, uint64_t count)
{
    const uint64_t room = shape_slots(tuning->leaf), most = (uint64_t)1 << tuning->bucket_bits;
    uint32_t levels = 1;
    while (levels < SPLITTERS_LEVELS && power(most, levels, count) * room < count * 2)
        ++levels;
    return levels;
}

/* In order, tiles write shorter rows into more buckets, which costs more than a level of several;
 * not more than the second of two, which mostly waits for launches. */
void plan_splitters_widen(const struct route *route, struct partition_tuning *tuning)
{
    const uint64_t count = route->problem->count;
    struct partition_tuning wide = *tuning;
    if (!tuning_splitters_widen(route->facts, route->item_size, route->moves_in_order, &wide))
        return;
    const uint32_t levels = levels_of(&wide, count);
    if (levels < levels_of(tuning, count) && (levels == 1 || !route->moves_in_order))
        *tuning = wide;
}

/* Takes the fewest levels. Then shrinks the buckets, to no less than an
 * eighth of a leaf, so that several fill it. All levels make about as many buckets. */
void plan_splitters_cut(struct splitters *sort)
{
    const uint64_t count = sort->problem->count;
    const uint64_t room = sort->leaf_size;
    const uint64_t most = (uint64_t)1 << sort->tuning->bucket_bits;
    if (count <= room)
        return;
    const uint32_t levels = levels_of(sort->tuning, count);
    const uint64_t all = power(most, levels, count);
    const uint64_t target = larger(larger(ceil_div(count, all), room / MAX_PARTS), 1);
    const uint64_t wanted = ceil_div(count, target);
    /* The fewest buckets on each level that give the wanted number on the last. */
    uint64_t buckets = most, too_few = 1;
    while (buckets - too_few > 1) {
        const uint64_t middle = (buckets + too_few) / 2;
        if (power(middle, levels, wanted) < wanted)
            too_few = middle;
        else
            buckets = middle;
    }
    uint64_t size = target;
    for (uint32_t i = levels; i-- > 0; size *= buckets)
        sort->bucket_size[i] = size < count ? size : count;
    sort->num_levels = levels;
    sort->num_passes = ceil_log2(ceil_div(count, room));
    sort->first.params.partition.small_size = (uint32_t)larger(smaller(3 * target, room / 2), 1);
    /* The fewer buckets fill a leaf, the better their pivots have to be. */
    sort->first.params.partition.samples_per_bucket =
        (uint32_t)larger(SAMPLES * target / room, SAMPLES / MAX_PARTS);
}

uint64_t plan_splitters_wanted(const struct splitters *sort, uint64_t size, uint64_t bucket_size)
{
    const uint64_t most = (uint64_t)1 << sort->tuning->bucket_bits;
    const uint64_t wanted = ceil_div(size, bucket_size);
    return wanted < 2 ? 2 : smaller(wanted, most);
}

/* How long the lists can become. All segments except the arrays are larger than a leaf. Two
 * neighbouring leaves of a segment have more than fill_size elements together, which is no less
 * than small_size, or a bucket that stands apart between them. Copies and pieces have a leaf's
 * size, except the last of a bucket. A bucket of e equal elements, more than small_size, has up to
 * e / leaf_size + 1 copies, and ends the leaf before it. That is two more than e / leaf_size. */
void plan_splitters_bound_lists(struct splitters *sort)
{
    const uint64_t n = sort->route->num_elements;
    const uint64_t by_size = n / (sort->leaf_size + 1);
    const uint64_t apart = n / (sort->first.params.partition.small_size + 1);
    sort->max_segments[0] = sort->problem->num_arrays;
    sort->max_leaves = 2 * apart + ceil_div(n, sort->leaf_size);
    for (uint32_t i = 0; i < sort->num_levels; ++i) {
        const uint64_t segments = sort->max_segments[i];
        const uint64_t one =
            plan_splitters_wanted(sort, i == 0 ? sort->problem->count : n, sort->bucket_size[i]);
        sort->max_buckets[i] = segments * one;
        if (i > 0 && n / sort->bucket_size[i] + 2 * segments < sort->max_buckets[i])
            sort->max_buckets[i] = n / sort->bucket_size[i] + 2 * segments;
        sort->max_segments[i + 1] = by_size;
        sort->max_leaves += segments + by_size;
    }
}

uint64_t plan_splitters_max_blocks(const struct splitters *sort, uint32_t level)
{
    const uint64_t n = sort->route->num_elements;
    const uint64_t size =
        level < sort->num_levels ? sort->first.params.partition.block_size : sort->leaf_size;
    return n / size + sort->max_segments[level];
}
