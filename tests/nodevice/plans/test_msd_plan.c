/* Plans of msd (cl/sorts/msd/msd.h), without a device, for devices of
 * few and of many units and for all counts: of random keys next to none is left to another sort.
 * For each plan it is shown by averages and deviations that level 1 has blocks enough, that leaves
 * fit, and that so do the late items of a leaf. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "nodevice/made_up.h"
#include "support/data.h"
#include "support/fixture.h"
#include "plan/route.h"

#define DEVIATIONS 5 /* of a million, less than one is that far above the average */
enum { MIN_POWER = 20, MAX_POWER = 30, STEPS = 4 /* from a power of two to the next one */ };

static const struct {
    const char *name;
    clsort_desc desc;
} kinds[] = {
    {"u32", {0}},
    {"u32 index", {.index_size = 4}},
    {"u32 +4", {.value_size = 4}},
    {"u32 +8", {.value_size = 8}},
    {"u64", {.type = CLSORT_U64}},
    {"u64 +4", {.type = CLSORT_U64, .value_size = 4}},
    {"u64 +8", {.type = CLSORT_U64, .value_size = 8}},
};
enum { NUM_KINDS = sizeof kinds / sizeof *kinds };
static const uint32_t units[] = {1, 2, 4, 8, 16, 24, 40, 46, 60, 80, 108, 132, 142};
enum { NUM_UNITS = sizeof units / sizeof *units };

/* An average, and the root of the mean square from it. */
struct spread {
    double mean, deviation;
};

/* Says what does not fit; returns false then. */
static int fits(const struct route *route, size_t kind, const char *what, struct spread likely,
                double room)
{
    const int is_fit = likely.mean + DEVIATIONS * likely.deviation <= room;
    if (!is_fit)
        print_error("%s, %u units, 2^%.3f: %s: %.1f, give or take %.1f, in %.0f\n",
                    kinds[kind].name, route->facts->num_units, log2((double)route->num_elements),
                    what, likely.mean, likely.deviation, room);
    return is_fit;
}

/* Whether msd sorts this. The facts and the problem stay where the route points to. */
static int choose(size_t kind, uint64_t count, struct device_facts *facts, struct problem *problem,
                  struct route *route)
{
    clsort_desc desc = kinds[kind].desc;
    desc.count = count;
    assert_int_equal(check_desc(&desc, problem).status, CLSORT_OK);
    assert_int_equal(plan_choose(facts, problem, route), CLSORT_OK);
    return route->form == FORM_MSD;
}

static struct device_facts device_of(uint32_t num_units)
{
    return (struct device_facts)NVIDIA_FACTS(.num_units = num_units, .memory = UINT64_MAX,
                                             .max_alloc = UINT64_MAX);
}

static uint64_t count_of(uint32_t step)
{
    return (uint64_t)exp2(MIN_POWER + (double)step / STEPS);
}

/* ---- Blocks of level 1 ---- */
/* Streams are simulated; what many plans have in common, once. */
enum { NUM_QUANTILES = 1 << 14, MIN_STREAMS = 200, MAX_STREAMS = 1000, MAX_KNOWN = 4096 };

/* How many keys of a tile have one digit: the quantiles of a binomial distribution. */
static void make_quantiles(uint16_t *quantiles, uint64_t slots, uint64_t bits)
{
    const double odds = 1 / (exp2((double)bits) - 1);
    double chance = exp((double)slots * log1p(-exp2(-(double)bits))), below = chance;
    uint32_t value = 0;
    for (uint32_t i = 0; i < NUM_QUANTILES; ++i) {
        for (; below < (i + 0.5) / NUM_QUANTILES && value < slots; ++value) {
            chance *= odds * (double)(slots - value) / (value + 1);
            below += chance;
        }
        quantiles[i] = (uint16_t)value;
    }
}

/* What the blocks of one digit depend on. */
struct stream {
    uint64_t slots, block, chunk, tiles, bits;
};

/* The blocks that a group takes for one digit of random keys, as split_take() of
 * cl/sorts/msd/split.cl takes them. */
static uint64_t take_blocks(const struct stream *s, const uint16_t *quantiles, rng *r,
                            uint64_t *keys_ret)
{
    uint64_t blocks = 0, left = 0, held = 0, random = 0, keys = 0;
    for (uint64_t tile = 0; tile <= s->tiles; ++tile) {
        const int is_end = tile == s->tiles; /* the rest of less than a chunk goes, too */
        random = tile % 4 ? random >> 16 : rng_next(r);
        const uint64_t more = is_end ? 0 : quantiles[random % NUM_QUANTILES];
        keys += more;
        held += more;
        const uint64_t whole = is_end ? held : held / s->chunk * s->chunk;
        if (left < whole) {
            left = ceil_div(whole, s->block) * s->block;
            blocks += left / s->block;
        }
        left -= whole;
        held -= whole;
    }
    *keys_ret = keys;
    return blocks;
}

/* The same of all digits. They have a certain number of keys together: so what a digit's blocks
 * vary with its keys is left out. */
static struct spread simulate(const struct stream *s)
{
    static uint16_t quantiles[NUM_QUANTILES];
    const uint64_t wanted = 100000 / s->tiles;
    const uint64_t num = smaller(larger(wanted, MIN_STREAMS), MAX_STREAMS);
    const double digits = exp2((double)s->bits), share = (double)(s->tiles * s->slots) / digits;
    rng r = {s->tiles};
    double blocks = 0, keys = 0, square = 0, square_keys = 0, product = 0;
    make_quantiles(quantiles, s->slots, s->bits);
    for (uint64_t i = 0; i < num; ++i) {
        uint64_t own;
        const double x = (double)take_blocks(s, quantiles, &r, &own), y = (double)own - share;
        blocks += x / (double)num;
        keys += y / (double)num;
        square += x * x / (double)num;
        square_keys += y * y / (double)num;
        product += x * y / (double)num;
    }
    const double slope = (product - blocks * keys) / (square_keys - keys * keys);
    const double variance = square - blocks * blocks - slope * slope * (square_keys - keys * keys);
    return (struct spread){digits * (blocks - slope * keys),
                           sqrt(digits * (variance > 0 ? variance : 0))};
}

static struct spread likely_blocks(const struct stream *s)
{
    static struct {
        struct stream stream;
        struct spread likely;
    } known[MAX_KNOWN];
    size_t i = 0;
    while (i < MAX_KNOWN && known[i].stream.tiles && memcmp(&known[i].stream, s, sizeof *s) != 0)
        ++i;
    assert_true(i < MAX_KNOWN);
    if (!known[i].stream.tiles) {
        known[i].stream = *s;
        known[i].likely = simulate(s);
    }
    return known[i].likely;
}

static void test_blocks(void **state)
{
    (void)state;
    unsigned num_plans = 0, num_bad = 0;
    for (size_t kind = 0; kind < NUM_KINDS; ++kind)
        for (size_t u = 0; u < NUM_UNITS; ++u)
            for (uint32_t i = 0; i <= (MAX_POWER - MIN_POWER) * STEPS; ++i) {
                struct device_facts facts = device_of(units[u]);
                struct problem problem;
                struct route route;
                if (!choose(kind, count_of(i), &facts, &problem, &route))
                    continue;
                const uint64_t slots = shape_slots(route.msd.tuning.split);
                const struct stream s = {
                    .slots = slots,
                    .block = (uint64_t)route.msd.tuning.split.items * route.msd.tuning.block_lanes,
                    .chunk = MSD_CHUNK_BYTES(route.msd.bits[0], route.msd.item) / route.msd.item,
                    .tiles = ceil_div(ceil_div(route.num_elements, slots), route.msd.groups),
                    .bits = route.msd.bits[0],
                };
                num_bad += !fits(&route, kind, "blocks of a group", likely_blocks(&s),
                                 (double)route.msd.group_blocks);
                ++num_plans;
            }
    print_message("%u plans\n", num_plans);
    assert_int_equal(num_bad, 0);
    assert_true(num_plans > 2000);
}

/* ---- Leaves ---- */
/* Elements of a leaf that find their bin taken: their own spread, and what comes of the leaf's
 * size. */
static struct spread likely_late(double size, uint32_t bin_bits)
{
    const double bins = exp2(bin_bits), fill = size / bins;
    const double own = bins * exp(-fill) * (1 - (1 + fill) * exp(-fill));
    const double of_size = (1 - exp(-fill)) * sqrt(size);
    return (struct spread){size - bins * (1 - exp(-fill)), sqrt(own + of_size * of_size)};
}

/* BIN_MAX_LATE of cl/sorts/msd/finish.h, without those that are late from the beginning. */
static double room_of_late(const struct msd_tuning *row)
{
    const uint64_t slots = shape_slots(row->leaf);
    const uint64_t likely = slots * slots >> (row->bin_bits + 1);
    return (double)larger(likely, slots / MSD_LATE_SHARE(slots, likely));
}

static uint32_t leaf_bits(size_t kind, uint64_t count, struct device_facts *facts,
                          struct problem *problem, struct route *route)
{
    return choose(kind, count, facts, problem, route) ? route->msd.bits[0] + route->msd.bits[1] : 0;
}

/* The route of the largest leaves from `count` on: below `end`, the most keys that are cut by as
 * many bits. Returns false if msd does not sort `count`. */
static int choose_largest(size_t kind, uint64_t count, uint64_t end, struct device_facts *facts,
                          struct problem *problem, struct route *route)
{
    const uint32_t bits = leaf_bits(kind, count, facts, problem, route);
    while (bits && end - count > 1) {
        const uint64_t middle = count + (end - count) / 2;
        if (leaf_bits(kind, middle, facts, problem, route) == bits)
            count = middle;
        else
            end = middle;
    }
    return bits && leaf_bits(kind, count, facts, problem, route) == bits;
}

static void test_leaves(void **state)
{
    (void)state;
    unsigned num_plans = 0, num_bad = 0;
    for (size_t kind = 0; kind < NUM_KINDS; ++kind)
        for (size_t u = 0; u < NUM_UNITS; ++u)
            for (uint32_t i = 0; i < (MAX_POWER - MIN_POWER) * STEPS; ++i) {
                struct device_facts facts = device_of(units[u]);
                struct problem problem;
                struct route route;
                if (!choose_largest(kind, count_of(i), count_of(i + 1), &facts, &problem, &route))
                    continue;
                const uint32_t bits = route.msd.bits[0] + route.msd.bits[1];
                const uint32_t bins =
                    (uint32_t)smaller(route.msd.tuning.bin_bits, problem.num_bits - bits);
                const double size = (double)route.num_elements / exp2(bits);
                num_bad +=
                    !fits(&route, kind, "elements of a leaf", (struct spread){size, sqrt(size)},
                          (double)shape_slots(route.msd.tuning.leaf));
                num_bad += !fits(&route, kind, "late elements of a leaf", likely_late(size, bins),
                                 room_of_late(&route.msd.tuning));
                ++num_plans;
            }
    print_message("%u plans\n", num_plans);
    assert_int_equal(num_bad, 0);
    assert_true(num_plans > 2000);
}

/* ---- The sample ---- */
/* What the sample of a device with 132 units is told. */
static struct msd_params sample_params(size_t kind, uint64_t count)
{
    struct device_facts facts = device_of(132);
    struct problem problem;
    struct route route;
    struct plan plan = {0};
    assert_true(choose(kind, count, &facts, &problem, &route));
    assert_int_equal(plan_make(&facts, &problem, &plan), CLSORT_OK);
    assert_int_equal(plan.steps[0].kernel, KERNEL_MSD_SAMPLE);
    const struct msd_params params = plan.steps[0].params.msd;
    plan_finish(&plan);
    return params;
}

/* From how many of each key on the sample leaves an array to onesweep; of u32, u64 and u64+u64.
 * Keys are stretched where there is a number for four of them. */
static void test_sample(void **state)
{
    (void)state;
    static const struct {
        size_t kind;
        uint64_t count;
        uint32_t most;
    } cases[] = {{0, 1 << 22, 24}, {0, 1 << 28, 32}, {1, 1 << 24, 32},
                 {2, 1 << 22, 24}, {4, 1 << 22, 32}, {6, 1 << 22, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct msd_params p = sample_params(cases[i].kind, cases[i].count);
        assert_int_equal(p.most_repeats, cases[i].most);
        assert_true(p.least_range == cases[i].count / 4);
    }
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests_name("msd_plan", tests, NULL, NULL) ? 1 : 0;
}
