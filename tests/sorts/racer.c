#include "racer.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/data.h"
#include "support/oracle.h"

static void *race(void *argument)
{
    racer *r = argument;
    uint32_t *keys = malloc(r->count * sizeof *keys);
    r->failed = !keys;
    for (int round = 0; round < r->num_rounds && !r->failed; ++round) {
        const clsort_desc desc = {.count = r->count, .algorithm = r->algorithm};
        const clsort_arrays arrays = {.keys = keys};
        data_fill(keys, CLSORT_U32, r->count, round % 3 == 2 ? DATA_FEW : DATA_RANDOM,
                  (uint64_t)round);
        const multiset had = multiset_of(keys, sizeof *keys, NULL, 0, r->count);
        r->failed |= clsort_sort(r->sorter, &desc, &arrays) != CLSORT_OK;
        for (uint64_t i = 1; i < r->count; ++i)
            r->failed |= keys[i - 1] > keys[i];
        r->failed |= !multiset_equal(multiset_of(keys, sizeof *keys, NULL, 0, r->count), had);
    }
    free(keys);
    return NULL;
}

void racers_run(racer racers[2])
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; ++i) {
        assert_false(racers[i].failed);
        clsort_destroy(racers[i].sorter);
    }
}
