/* several_sorters.c: sorts one array by all devices of this machine, a sorter for each. Different
 * sorters are independent: for sorts in several threads, give each thread a sorter of its own.
 * Output: 4194304 keys are in order */
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 22, MAX_DEVICES = 16 };

static void check(clsort_status status)
{
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        exit(1);
    }
}

int main(void)
{
    cl_device_id devices[MAX_DEVICES];
    uint32_t num_devices = 0, num_sorters = 0;
    check(clsort_devices(devices, MAX_DEVICES, &num_devices));
    if (num_devices > MAX_DEVICES)
        num_devices = MAX_DEVICES;
    clsort_sorter *sorters[MAX_DEVICES];
    for (uint32_t i = 0; i < num_devices; ++i) {
        clsort_status status = clsort_create(NULL, devices[i], &sorters[num_sorters]);
        if (status == CLSORT_ERROR_DEVICE_UNSUPPORTED)
            continue;
        check(status);
        ++num_sorters;
    }

    uint64_t *keys = (uint64_t *)malloc(COUNT * sizeof *keys);
    if (!keys)
        check(CLSORT_ERROR_HOST_MEMORY);
    for (uint64_t i = 0; i < COUNT; ++i)
        keys[i] = i * 0x9e3779b97f4a7c15u;
    clsort_desc desc = CLSORT_ZERO;
    desc.count = COUNT;
    desc.type = CLSORT_U64;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = keys;
    check(clsort_sort_many(sorters, num_sorters, &desc, &arrays));

    for (uint64_t i = 1; i < COUNT; ++i)
        if (keys[i - 1] > keys[i])
            return 1;
    printf("%d keys are in order\n", COUNT);
    for (uint32_t i = 0; i < num_sorters; ++i)
        clsort_destroy(sorters[i]);
    free(keys);
    return 0;
}
