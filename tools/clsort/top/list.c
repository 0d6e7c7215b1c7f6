#include "top/list.h"

#include "numbers/key.h"

#include <string.h>

bool top_list_begin(struct top_list *list, uint64_t need)
{
    enum { LEAST = 1 << 15, SOME = 8 }; /* elements, in a cache; and of the wanted ones */
    struct top_select *select = list->select;
    const uint64_t enough = need > UINT64_MAX / SOME ? UINT64_MAX : SOME * need;
    runs_close(&list->runs);
    list->need = need;
    list->num = 0;
    list->filter = top_filter_of(select->desc.type, select->desc.order);
    list->runs = (struct runs){.order = select->desc.order,
                               .keys = elements_of_type(select->desc.type),
                               .value_size = select->desc.index_size};
    if (!top_select_is_by_host(select))
        return top_select_open(select, need, 0, &list->capacity);
    const uint64_t most = top_select_host_most(select);
    list->capacity = enough > LEAST ? enough : LEAST;
    if (list->capacity > most)
        list->capacity = most;
    return true;
}

/* Those of `num` numbers that pass are copied behind the buffer's. */
static void append(struct top_list *list, const char *keys, uint64_t first, uint32_t num,
                   const uint16_t *positions, uint32_t num_passing)
{
    const size_t size = list->runs.keys.size, index_size = list->runs.value_size;
    char *to = (char *)list->keys.data + list->num * size;
    if (num_passing == num)
        memcpy(to, keys, num * size);
    for (uint32_t i = 0; num_passing < num && i < num_passing; i++)
        key_store(size, to, i, key_load(size, keys, positions[i]));
    for (uint32_t i = 0; index_size > 0 && i < num_passing; i++)
        key_store(index_size, list->indices.data, list->num + i, first + positions[i]);
    list->num += num_passing;
}

static bool reserve(struct top_list *list, uint64_t num)
{
    const uint64_t twice = num < list->capacity / 2 ? 2 * num : list->capacity;
    const uint64_t size = list->runs.keys.size, index_size = list->runs.value_size;
    return (num * size <= list->keys.capacity || bytes_reserve(&list->keys, twice * size)) &&
           (num * index_size <= list->indices.capacity ||
            bytes_reserve(&list->indices, twice * index_size));
}

/* Leaves the wanted ones alone, in order, and from now on takes only what comes before the last of
 * these. */
static bool reduce(struct top_list *list)
{
    struct top_found found;
    if (!top_select_places(list->select, list->keys.data, list->indices.data, list->num, 0,
                           list->need, &found))
        return false;
    memmove(list->keys.data, found.keys, list->need * list->runs.keys.size);
    if (found.indices)
        memcpy(list->indices.data, found.indices, list->need * list->runs.value_size);
    list->num = list->need;
    top_filter_set(&list->filter, list->keys.data, list->need - 1);
    return true;
}

/* The wanted ones of the buffer become a run. All runs are reduced when they have twice what is
 * needed. */
static bool write_run(struct top_list *list)
{
    const uint64_t num = list->num < list->need ? list->num : list->need;
    struct top_found found;
    if (!top_select_places(list->select, list->keys.data, list->indices.data, list->num, 0, num,
                           &found) ||
        !top_runs_add(list, &found))
        return false;
    list->num = 0;
    return list->runs.total / 2 < list->need || top_runs_reduce(list);
}

/* Looks for a device on which more fits, unless one is open. Few are not worth that. */
static bool grow(struct top_list *list, bool *is_larger_ret)
{
    enum { MANY = 1 << 22 }; /* elements that are wanted */
    struct top_select *select = list->select;
    uint64_t most = 0;
    *is_larger_ret = false;
    if (list->need < MANY || select->device.sorter || list->runs.num > 0 ||
        !device_exists(select->memory))
        return true;
    if (!top_select_open(select, list->need, 0, &most))
        return false;
    *is_larger_ret = most >= 2 * list->capacity;
    if (*is_larger_ret)
        list->capacity = most;
    else
        device_close(&select->device);
    return true;
}

static bool make_room(struct top_list *list)
{
    bool is_larger = false;
    if (list->need <= list->capacity / 2)
        return reduce(list);
    return grow(list, &is_larger) && (is_larger || write_run(list));
}

bool top_list_add(struct top_list *list, const void *keys, uint64_t first, uint64_t count)
{
    uint16_t positions[TOP_FILTER_MOST];
    const uint64_t quarter = list->capacity / 4;
    const uint64_t step = quarter < TOP_FILTER_MOST ? quarter : TOP_FILTER_MOST;
    for (uint64_t at = 0; at < count;) {
        const char *from = (const char *)keys + at * list->runs.keys.size;
        const uint32_t num = (uint32_t)(count - at < step ? count - at : step);
        if (list->capacity - list->num < num) {
            if (!make_room(list))
                return false;
            continue;
        }
        const uint32_t passing = top_filter_find(&list->filter, from, num, positions);
        if (!reserve(list, list->num + passing))
            return false;
        append(list, from, first + at, num, positions, passing);
        at += num;
    }
    return true;
}

bool top_list_write(struct top_list *list, uint64_t skip, uint64_t num, const struct top_sink *sink)
{
    struct top_found found;
    if (num == 0)
        return true;
    if (list->runs.num > 0)
        return (list->num == 0 || write_run(list)) && top_runs_write(list, skip, num, sink);
    return top_select_places(list->select, list->keys.data, list->indices.data, list->num, skip,
                             num, &found) &&
           sink->write(sink->context, &found);
}

void top_list_free(struct top_list *list)
{
    runs_close(&list->runs);
    bytes_free(&list->keys);
    bytes_free(&list->indices);
}
