/* A little of everything, for runs on many devices and under slow checkers: every algorithm on
 * every type, at sizes from one work-item's to many tiles. Payloads, orders, bit ranges and shapes
 * of data rotate, so that each meets each algorithm. */
#include <stdlib.h>

#include "support/case.h"

/* CPU radix sort splits the largest array between two work-items, which would take minutes on a
 * simulated device. */
static const uint64_t counts[] = {2, 37, 300, 2500, 33001};
enum { num_counts = sizeof counts / sizeof counts[0] };

/* Values and indices for the narrow, 32-bit and 64-bit types of each algorithm, in turn. */
enum { num_payloads = 6 };
static const uint32_t payloads[3][num_payloads][2] = {
    {{2, 0}, {0, 0}, {1, 0}, {3, 0}, {0, 8}, {4, 0}},
    {{0, 0}, {4, 0}, {0, 4}, {0, 0}, {4, 0}, {16, 0}},
    {{0, 0}, {8, 0}, {0, 8}, {0, 0}, {40, 0}, {4, 0}},
};

static void test_turns(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t largest = platform_is(fix, "Oclgrind") ? 300 : UINT64_MAX;
    for (int algorithm = CLSORT_AUTO; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        uint32_t turns[3] = {0};
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
            /* One payload for each type, shared by all sizes, so that few kernels are compiled. */
            const uint32_t half = type_infos[type].bits / 2;
            const uint32_t width = half < 16 ? 0 : half == 16 ? 1 : 2;
            const uint32_t turn = turns[width]++;
            const uint32_t *payload = payloads[width][turn % num_payloads];
            for (int c = 0; c < num_counts; ++c) {
                const clsort_desc desc = {
                    .count = counts[c],
                    .num_arrays = c == 1 ? 3 : 1,
                    .type = (clsort_type)type,
                    .order = type % 3 == 1 ? CLSORT_DESCENDING : CLSORT_ASCENDING,
                    .first_bit = type % 5 == 4 ? half - 2 : 0,
                    .end_bit = type % 5 == 4 ? half + 3 : 0,
                    .algorithm = (clsort_algorithm)algorithm,
                    .stable = turn % 2,
                    .value_size = payload[0],
                    .index_size = payload[1],
                    .out_of_place = c % 2 && !payload[1],
                };
                if (counts[c] <= largest && fixture_takes(desc.algorithm))
                    case_run_desc(fix, &desc,
                                  (data_kind)((uint32_t)(type + 7 * c) % NUM_DATA_KINDS));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns)};
    return fixture_run("quick", tests, sizeof tests / sizeof tests[0]);
}
