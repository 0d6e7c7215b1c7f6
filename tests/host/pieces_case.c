#include "pieces_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/data.h"

const char *const pieces_limits[NUM_PIECES_LIMITS] = {
    "unified=0,host=0,chunk=4096,memory=60000",
    "unified=0,chunk=256,memory=20000",
    "unified=0,host=0,chunk=1024,alloc=7000",
    "memory=60000",
};

clsort_sorter *pieces_sorter(const fixture *fix, const char *limit, uint32_t num_threads)
{
    clsort_sorter *sorter = sorter_limited(fix, limit);
    expect_status(clsort_set_host_threads(sorter, num_threads), CLSORT_OK);
    return sorter;
}

static void *add_array(pieces_arrays *all, size_t size, uint64_t seed)
{
    if (!size)
        return NULL;
    all->at[all->num] = test_alloc(size);
    all->sizes[all->num] = size;
    data_bytes(all->at[all->num], size, seed);
    for (size_t i = 0; i < size; ++i)
        all->at[all->num][i] &= 3; /* many are equal */
    return all->at[all->num++];
}

void pieces_open(pieces_arrays *all, const clsort_desc *desc)
{
    const size_t count = (size_t)desc->count, out = desc->out_of_place ? count : 0;
    memset(all, 0, sizeof *all);
    const size_t key = desc->record ? desc->record->size : clsort_type_size(desc->type);
    for (uint32_t i = 0; i < desc->num_columns; ++i) {
        const size_t size = clsort_type_size(desc->columns[i].type);
        all->columns[i] = add_array(all, count * size, i);
        all->columns_out[i] = add_array(all, out * size, i);
    }
    if (!desc->num_columns) {
        all->arrays.keys = add_array(all, count * key, 5);
        all->arrays.keys_out = add_array(all, out * key, 6);
    }
    all->arrays.values = add_array(all, count * desc->value_size, 7);
    all->arrays.values_out = add_array(all, out * desc->value_size, 8);
    all->arrays.indices = add_array(all, count * desc->index_size, 9);
    all->arrays.columns = desc->num_columns ? all->columns : NULL;
    all->arrays.columns_out = desc->num_columns && out ? all->columns_out : NULL;
}

void pieces_close(pieces_arrays *all)
{
    for (int i = 0; i < all->num; ++i)
        free(all->at[i]);
}

void pieces_run_both(clsort_sorter *const *small, uint32_t num, clsort_sorter *large,
                     const clsort_desc *desc)
{
    pieces_arrays one, other;
    pieces_open(&one, desc);
    pieces_open(&other, desc);
    expect_status(num ? clsort_sort_many(small, num, desc, &one.arrays)
                      : clsort_sort(small[0], desc, &one.arrays),
                  CLSORT_OK);
    expect_status(clsort_sort(large, desc, &other.arrays), CLSORT_OK);
    for (int i = 0; i < one.num; ++i)
        assert_memory_equal(one.at[i], other.at[i], one.sizes[i]);
    pieces_close(&one);
    pieces_close(&other);
}
