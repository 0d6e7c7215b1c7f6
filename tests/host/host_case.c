/* host_case.c: arrays between canaries, sorted and checked. */
#include "host_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/oracle.h"

enum { canary_size = 512 };

/* An array on the host between canaries, aligned like its elements and no better. */
typedef struct host_array {
    void *block;           /* of malloc() */
    unsigned char *memory; /* in it, at a multiple of 64 */
    unsigned char *image;
    unsigned char *at;
    uint64_t size;
    uint64_t total;
} host_array;

static void host_array_create(host_array *a, const void *data, uint64_t size, uint64_t alignment,
                              uint64_t seed)
{
    a->size = size;
    a->total = 2 * canary_size + alignment + size;
    a->block = test_alloc(a->total + 63);
    a->memory = (unsigned char *)a->block + (64 - (uintptr_t)a->block % 64) % 64;
    a->image = test_alloc(a->total);
    data_bytes(a->memory, a->total, seed);
    a->at = a->memory + canary_size + alignment;
    if (data && size)
        memcpy(a->at, data, (size_t)size);
    memcpy(a->image, a->memory, (size_t)a->total);
}

static int host_array_intact(const host_array *a)
{
    const size_t before = (size_t)(a->at - a->memory);
    const size_t end = before + (size_t)a->size;
    return memcmp(a->memory, a->image, before) == 0 &&
           memcmp(a->memory + end, a->image + end, (size_t)a->total - end) == 0;
}

static int host_array_unchanged(const host_array *a)
{
    return memcmp(a->memory, a->image, (size_t)a->total) == 0;
}

static void host_array_free(host_array *a)
{
    free(a->block);
    free(a->image);
}

void host_case_run(clsort_sorter *sorter, const clsort_desc *desc, data_kind kind, uint64_t seed)
{
    const int stable = desc->stable || desc->algorithm == CLSORT_RANK;
    host_case_run_as(sorter, desc, stable, kind, seed);
}

void host_case_run_as(clsort_sorter *sorter, const clsort_desc *desc, int stable, data_kind kind,
                      uint64_t seed)
{
    sample s;
    host_array all[5];
    memset(all, 0, sizeof all);
    sample_init(&s, desc, kind, seed);
    const uint64_t keys_size = s.num_keys * s.key_size;
    const uint64_t values_size = s.num_keys * desc->value_size;
    const uint64_t alignment = data_alignment(desc->value_size, 8);
    host_array_create(&all[0], s.keys, keys_size, s.key_size, 1);
    if (desc->out_of_place)
        host_array_create(&all[1], NULL, keys_size, s.key_size, 2);
    if (desc->value_size)
        host_array_create(&all[2], s.values, values_size, alignment, 3);
    if (desc->value_size && desc->out_of_place)
        host_array_create(&all[3], NULL, values_size, alignment, 4);
    if (desc->index_size) {
        host_array_create(&all[4], NULL, s.num_keys * desc->index_size, desc->index_size, 5);
    }
    const clsort_arrays arrays = {.keys = all[0].at,
                                  .values = all[2].at,
                                  .keys_out = all[1].at,
                                  .values_out = all[3].at,
                                  .indices = all[4].at};
    const clsort_status status = clsort_sort(sorter, desc, &arrays);
    const char *what = NULL;
    if (status)
        what = clsort_status_text(status);
    else
        what = sample_check(&s, stable, desc->out_of_place ? all[1].at : all[0].at,
                            desc->out_of_place ? all[3].at : all[2].at, all[4].at);
    for (int i = 0; i < 5; ++i) {
        if (all[i].memory && !host_array_intact(&all[i]))
            what = "bytes before or after an array were written";
    }
    if ((desc->out_of_place || desc->index_size) &&
        (!host_array_unchanged(&all[0]) || (all[2].memory && !host_array_unchanged(&all[2]))))
        what = "the source was written";
    if (what) {
        print_error("%s\n  %s\n  data: %s, seed of the data: %llu\n", what, desc_text(desc),
                    data_names[kind], (unsigned long long)seed);
        fail();
    }
    for (int i = 0; i < 5; ++i)
        host_array_free(&all[i]);
    sample_free(&s);
}
