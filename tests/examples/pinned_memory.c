/* pinned_memory.c: three ways to make sorts of arrays faster. Keep the sorter, compile before the
 * first sort, and use memory that the device reads without a copy.
 * Output: 1000000 keys are in order, twice */
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000 };

static void check(clsort_status status)
{
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        exit(1);
    }
}

int main(void)
{
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter));
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.type = CLSORT_I32;
    check(clsort_prepare(sorter, &desc)); /* compiles, so that no sort has to */

    void *memory = NULL;
    check(clsort_host_alloc(sorter, COUNT * sizeof(int32_t), &memory));
    int32_t *keys = (int32_t *)memory;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = keys;
    /* For arrays in other memory: let four threads copy, within the call alone. */
    check(clsort_set_host_threads(sorter, 4));

    for (int round = 0; round < 2; ++round) {
        for (int32_t i = 0; i < COUNT; ++i)
            keys[i] = rand() - RAND_MAX / 2;
        check(clsort_sort(sorter, &desc, &arrays));
        for (int32_t i = 1; i < COUNT; ++i)
            if (keys[i - 1] > keys[i])
                return 1;
    }
    printf("%d keys are in order, twice\n", COUNT);
    check(clsort_host_free(sorter, memory));
    clsort_destroy(sorter);
    return 0;
}
