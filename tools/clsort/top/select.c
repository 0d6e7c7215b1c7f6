#include "top/job.h"

#include "cli/message.h"

enum {
    LEAST = 1 << 12,     /* elements, whatever the memory, */
    HOST_MOST = 1 << 20, /* and where their sort is fast: runs of them are cut faster than merged */
    CHUNK_MOST = 8 << 20, /* bytes: enough for several threads that read */
    CHUNK_LEAST = 64 << 10,
    CHUNK_SHARE = 8
};

/* Bytes of a key and its index. */
static uint64_t element_size(const struct top_select *select)
{
    return clsort_type_size(select->desc.type) + select->desc.index_size;
}

uint64_t top_select_chunk(const struct top_select *select)
{
    const uint64_t share = select->memory / CHUNK_SHARE;
    return share < CHUNK_LEAST ? CHUNK_LEAST : smaller(share, CHUNK_MOST);
}

bool top_select_is_by_host(const struct top_select *select)
{
    const clsort_desc desc = {.type = select->desc.type, .count = LEAST};
    return !select->device.sorter && (device_is_needless(&desc, select->selection) ||
                                      device_is_absent(&desc, select->selection, select->memory));
}

/* The selection that the library is asked for: indices are values that move with the keys. */
static clsort_desc desc_of(const struct top_select *select, uint64_t count)
{
    clsort_desc desc = select->desc;
    desc.count = count;
    desc.value_size = desc.index_size;
    desc.index_size = 0;
    desc.stable = desc.value_size > 0;
    return desc;
}

uint64_t top_select_host_most(const struct top_select *select)
{
    const uint64_t memory = (select->memory - top_select_chunk(select)) / 2;
    clsort_desc desc = desc_of(select, HOST_MOST);
    while (desc.count > LEAST && desc.count * element_size(select) + host_sort_cost(&desc) > memory)
        desc.count = desc.count * 3 / 4;
    return desc.count;
}

static bool fits(const struct top_select *select, uint64_t count, uint64_t need,
                 uint64_t num_segments)
{
    clsort_desc desc = desc_of(select, count);
    desc.limit = need < count ? need : 0;
    desc.out_of_place = 1;
    if (num_segments) {
        desc = select->desc;
        desc.count = count;
        desc.num_segments = smaller(num_segments, count);
        desc.offset_size = sizeof(uint64_t);
    }
    const uint64_t elements = (count + smaller(need, count)) * element_size(select);
    const uint64_t arrays = elements + desc.num_segments * 2 * desc.offset_size;
    uint64_t host;
    return device_fits(&select->device, &desc, arrays, count * element_size(select), &host) &&
           arrays + host <= select->memory - top_select_chunk(select);
}

uint64_t top_select_open(struct top_select *select, uint64_t need, uint64_t num_segments)
{
    enum { MANY = 1 << 22, FEW = 4 }; /* elements, and of the wanted ones */
    const uint64_t some = need > UINT64_MAX / FEW ? UINT64_MAX : FEW * need;
    uint64_t low = LEAST, high = select->memory / clsort_type_size(select->desc.type) + LEAST + 1;
    if (!select->device.sorter) {
        if (!device_open(&select->device, select->selection))
            die_told();
        device_limit_host(&select->device, select->memory);
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (fits(select, middle, need, num_segments))
            low = middle;
        else
            high = middle;
    }
    return smaller(low, some > MANY ? some : MANY);
}

/* Sorts all where it is. */
static struct top_found select_on_host(const struct top_select *select, void *keys, void *indices,
                                       uint64_t count, uint64_t skip)
{
    const clsort_desc desc = desc_of(select, count);
    const clsort_arrays arrays = {.keys = keys, .values = indices};
    /* One thread's vectors are faster than several threads and a merge. */
    if (desc.value_size || !clsort_sorts_on_host(NULL, &desc))
        host_sort(&desc, &arrays);
    else
        device_check(clsort_sort(NULL, &desc, &arrays), NULL);
    return (struct top_found){.keys = (char *)keys + skip * clsort_type_size(desc.type),
                              .indices = desc.value_size ? (char *)indices + skip * desc.value_size
                                                         : NULL};
}

static struct top_found select_on_device(struct top_select *select, void *keys, void *indices,
                                         uint64_t count, uint64_t skip, uint64_t num)
{
    clsort_desc desc = desc_of(select, count);
    bytes_need(&select->keys_out, num * clsort_type_size(desc.type));
    bytes_need(&select->indices_out, num * desc.value_size);
    desc.skip = skip;
    desc.limit = skip == 0 && num == count ? 0 : num;
    desc.out_of_place = 1;
    device_sort_arrays(&select->device, &desc,
                       &(clsort_arrays){.keys = keys,
                                        .values = indices,
                                        .keys_out = select->keys_out.data,
                                        .values_out = select->indices_out.data});
    return (struct top_found){select->keys_out.data, select->indices_out.data};
}

struct top_found top_select_places(struct top_select *select, void *keys, void *indices,
                                   uint64_t count, uint64_t skip, uint64_t num)
{
    if (num == 0)
        return (struct top_found){0};
    return select->device.sorter ? select_on_device(select, keys, indices, count, skip, num)
                                 : select_on_host(select, keys, indices, count, skip);
}

void top_select_close(struct top_select *select)
{
    bytes_free(&select->keys_out);
    bytes_free(&select->indices_out);
    device_close(&select->device);
}
