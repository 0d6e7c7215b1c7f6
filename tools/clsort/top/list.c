#include "top/job.h"

#include <stdlib.h>
#include <string.h>

/* Numbers that are looked at in one call, at most. */
enum { FILTER_MOST = 4096 };

/* From now on only those pass that come before a key of an array, none that are equal to it. */
static void filter_set(struct top_filter *filter, const void *keys, uint64_t position)
{
    const struct key_type *type = &key_types[filter->type];
    const uint64_t bits = key_load((size_t)type->bits / 8, keys, position);
    filter->end = key_rank(type, bits) ^ filter->map.last;
    filter->passes_all = false;
}

/* A block of numbers is first only counted, by vectors where the compiler finds them: in nearly all
 * blocks of a long input none passes. */
#define DEFINE_FIND(T)                                                                          \
    static uint32_t find_##T(const struct top_filter *filter, const void *data, uint32_t count, \
                             uint16_t *positions)                                               \
    {                                                                                           \
        enum { BLOCK = 64 };                                                                    \
        const T *keys = data;                                                                   \
        const struct key_map map = filter->map;                                                 \
        const T end = (T)filter->end;                                                           \
        uint32_t num = 0;                                                                       \
        for (uint32_t i = 0; i < count; i += BLOCK) {                                           \
            const uint32_t size = count - i < BLOCK ? count - i : BLOCK;                        \
            T has_any = 0;                                                                      \
            for (uint32_t k = 0; k < size; k++)                                                 \
                has_any |= (T)(KEY_PLACE(T, map, keys[i + k]) < end);                           \
            for (uint32_t k = 0; has_any && k < size; k++) {                                    \
                positions[num] = (uint16_t)(i + k);                                             \
                num += KEY_PLACE(T, map, keys[i + k]) < end;                                    \
            }                                                                                   \
        }                                                                                       \
        return num;                                                                             \
    }

KEY_DEFINE(DEFINE_FIND)

/* Writes the positions of those that pass, in rising order; returns how many. `positions` has room
 * for `count` of them. */
static uint32_t filter_find(const struct top_filter *filter, const void *keys, uint32_t count,
                            uint16_t *positions)
{
    for (uint32_t i = 0; filter->passes_all && i < count; i++)
        positions[i] = (uint16_t)i;
    if (filter->passes_all)
        return count;
    return KEY_CALL(find, key_types[filter->type].bits, filter, keys, count, positions);
}

bool top_list_begin(struct top_list *list, uint64_t need)
{
    enum { LEAST = 1 << 15, SOME = 8 }; /* elements, in a cache; and of the wanted ones */
    struct top_select *select = list->select;
    const clsort_desc *desc = &select->desc;
    const uint64_t enough = need > UINT64_MAX / SOME ? UINT64_MAX : SOME * need;
    runs_close(&list->runs);
    list->need = need;
    list->num = 0;
    list->filter = (struct top_filter){.type = desc->type,
                                       .map = key_map_of(desc->type, desc->order),
                                       .passes_all = true};
    list->runs = (struct runs){.order = desc->order,
                               .keys = elements_of_type(desc->type),
                               .value_size = desc->index_size};
    if (!top_select_is_by_host(select))
        return top_select_open(select, need, 0, &list->capacity);
    list->capacity = smaller(enough > LEAST ? enough : LEAST, top_select_host_most(select));
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
    filter_set(&list->filter, list->keys.data, list->need - 1);
    return true;
}

/* Moves the first bytes of a place of one file to the same place of another. */
static bool copy(const struct spill *from, const struct spill *to, uint64_t at, uint64_t size)
{
    enum { PART = 1 << 16 };
    char part[PART];
    for (uint64_t done = 0, more; done < size; done += more) {
        more = size - done < PART ? size - done : PART;
        if (!spill_read_few(from, part, (size_t)more, at + done) ||
            !spill_write_few(to, part, (size_t)more, at + done))
            return false;
    }
    return true;
}

static bool move_to_disk(struct top_list *list)
{
    struct runs *runs = &list->runs;
    struct spill spill;
    if (!spill_open(&spill, list->dir, 0))
        return false;
    spill.size = runs->spill.size;
    bool ok = true;
    for (uint64_t i = 0; i < runs->num && ok; i++) {
        const struct run *run = runs_at(runs, i);
        ok = copy(&runs->spill, &spill, run->keys_at, run->count * runs->keys.size) &&
             copy(&runs->spill, &spill, run->values_at, run->count * runs->value_size);
    }
    spill_close(&runs->spill);
    runs->spill = spill;
    list->is_on_disk = true;
    return ok;
}

/* Whether there is a file with room for `count` elements more. Runs move to the disk when they need
 * more memory than there is for them. */
static bool make_file(struct top_list *list, uint64_t count)
{
    struct runs *runs = &list->runs;
    const uint64_t size = (runs->total + count) * (runs->keys.size + runs->value_size);
    if (runs->num == 0) {
        list->is_on_disk =
            !top_select_is_by_host(list->select) || !spill_open_in_memory(&runs->spill);
        if (list->is_on_disk)
            return spill_open(&runs->spill, list->dir, 0);
    }
    return list->is_on_disk || size <= list->select->memory / 2 || move_to_disk(list);
}

/* From now on only what comes before the last of all runs passes. */
static bool set_filter(struct top_list *list)
{
    const struct runs *runs = &list->runs;
    const uint32_t size = runs->keys.size;
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        uint64_t key = 0;
        uint16_t position;
        if (!spill_read_few(&runs->spill, &key, size, run->keys_at + (run->count - 1) * size))
            return false;
        if (i == 0 || filter_find(&list->filter, &key, 1, &position) == 0)
            filter_set(&list->filter, &key, 0);
    }
    return true;
}

/* Leaves of the runs the wanted elements alone, of which there are enough. */
static bool top_runs_reduce(struct top_list *list)
{
    struct runs *runs = &list->runs;
    const uint64_t num = runs->num;
    uint64_t *cuts = zeroed(2 * num, sizeof(*cuts));
    const bool ok = cuts && runs_cut(runs, list->need, cuts + num, cuts);
    runs->num = 0;
    for (uint64_t i = 0; ok && i < num; i++) {
        struct run run = *runs_at(runs, i);
        spill_drop(&runs->spill, run.keys_at, cuts[i] * runs->keys.size,
                   run.count * runs->keys.size);
        spill_drop(&runs->spill, run.values_at, cuts[i] * runs->value_size,
                   run.count * runs->value_size);
        run.count = cuts[i];
        run.block_begin = run.block_size = 0; /* it was of number i */
        if (run.count > 0)
            *runs_at(runs, runs->num++) = run;
    }
    runs->total = list->need;
    free(cuts);
    return ok && set_filter(list);
}

/* The places of all runs together, part by part through the buffer. */
static bool write_runs(struct top_list *list, uint64_t skip, uint64_t num,
                       struct top_output *output)
{
    struct runs *runs = &list->runs;
    if (!bytes_reserve(&list->keys, list->capacity * runs->keys.size) ||
        !bytes_reserve(&list->indices, list->capacity * runs->value_size) ||
        !runs_begin_parts(runs, skip))
        return false;
    for (uint64_t done = 0, part; done < num; done += part) {
        struct top_found found;
        part = num - done < list->capacity ? num - done : list->capacity;
        if (!runs_read_part(runs, part, list->keys.data, list->indices.data) ||
            !top_select_places(list->select, list->keys.data, list->indices.data, part, 0, part,
                               &found) ||
            !top_output_write(output, found.indices ? found.indices : found.keys, found.num))
            return false;
    }
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
        !make_file(list, num))
        return false;
    const struct run *run = runs_add(&list->runs, found.keys, num);
    if (!run || !runs_write(&list->runs, run, found.keys, found.indices))
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
    uint16_t positions[FILTER_MOST];
    const uint64_t quarter = list->capacity / 4;
    const uint64_t step = quarter < FILTER_MOST ? quarter : FILTER_MOST;
    for (uint64_t at = 0; at < count;) {
        const char *from = (const char *)keys + at * list->runs.keys.size;
        const uint32_t num = (uint32_t)(count - at < step ? count - at : step);
        if (list->capacity - list->num < num) {
            if (!make_room(list))
                return false;
            continue;
        }
        const uint32_t passing = filter_find(&list->filter, from, num, positions);
        if (!reserve(list, list->num + passing))
            return false;
        append(list, from, first + at, num, positions, passing);
        at += num;
    }
    return true;
}

bool top_list_write(struct top_list *list, uint64_t skip, uint64_t num, struct top_output *output)
{
    struct top_found found;
    if (num == 0)
        return true;
    if (list->runs.num > 0)
        return (list->num == 0 || write_run(list)) && write_runs(list, skip, num, output);
    return top_select_places(list->select, list->keys.data, list->indices.data, list->num, skip,
                             num, &found) &&
           top_output_write(output, found.indices ? found.indices : found.keys, found.num);
}

void top_list_free(struct top_list *list)
{
    runs_close(&list->runs);
    bytes_free(&list->keys);
    bytes_free(&list->indices);
}
