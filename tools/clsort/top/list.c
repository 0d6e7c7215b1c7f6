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

void top_list_begin(struct top_list *list, uint64_t need)
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
    list->capacity = top_select_is_by_host(select)
                         ? smaller(enough > LEAST ? enough : LEAST, top_select_host_most(select))
                         : top_select_open(select, need, 0);
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

static void reserve(struct top_list *list, uint64_t num)
{
    const uint64_t twice = num < list->capacity / 2 ? 2 * num : list->capacity;
    const uint64_t size = list->runs.keys.size, index_size = list->runs.value_size;
    if (num * size > list->keys.capacity)
        bytes_need(&list->keys, twice * size);
    if (num * index_size > list->indices.capacity)
        bytes_need(&list->indices, twice * index_size);
}

/* Finds these places of what is in the buffer. */
static struct top_found select_places(struct top_list *list, uint64_t skip, uint64_t num)
{
    return top_select_places(list->select, list->keys.data, list->indices.data, list->num, skip,
                             num);
}

/* Leaves the wanted ones alone, in order, and from now on takes only what comes before the last of
 * these. */
static void reduce(struct top_list *list)
{
    const struct top_found found = select_places(list, 0, list->need);
    memmove(list->keys.data, found.keys, list->need * list->runs.keys.size);
    if (found.indices)
        memcpy(list->indices.data, found.indices, list->need * list->runs.value_size);
    list->num = list->need;
    filter_set(&list->filter, list->keys.data, list->need - 1);
}

/* Moves the first bytes of a place of one file to the same place of another. */
static void copy(const struct spill *from, const struct spill *to, uint64_t at, uint64_t size)
{
    enum { PART = 1 << 16 };
    char part[PART];
    for (uint64_t done = 0, more; done < size; done += more) {
        more = smaller(size - done, PART);
        spill_read_few(from, part, (size_t)more, at + done);
        spill_write_few(to, part, (size_t)more, at + done);
    }
}

static void move_to_disk(struct top_list *list)
{
    struct runs *runs = &list->runs;
    struct spill spill;
    spill_open(&spill, list->dir, 0);
    spill.size = runs->spill.size;
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        copy(&runs->spill, &spill, run->keys_at, run->count * runs->keys.size);
        copy(&runs->spill, &spill, run->values_at, run->count * runs->value_size);
    }
    spill_close(&runs->spill);
    runs->spill = spill;
    list->is_on_disk = true;
}

/* Makes a file, if there is none, for `count` elements more. Runs move to the disk when they need
 * more memory than there is for them. */
static void make_file(struct top_list *list, uint64_t count)
{
    struct runs *runs = &list->runs;
    const uint64_t size = (runs->total + count) * (runs->keys.size + runs->value_size);
    if (runs->num == 0) {
        list->is_on_disk =
            !top_select_is_by_host(list->select) || !spill_open_in_memory(&runs->spill);
        if (list->is_on_disk)
            spill_open(&runs->spill, list->dir, 0);
    }
    if (!list->is_on_disk && size > list->select->memory / 2)
        move_to_disk(list);
}

/* From now on only what comes before the last of all runs passes. */
static void set_filter(struct top_list *list)
{
    const struct runs *runs = &list->runs;
    const uint32_t size = runs->keys.size;
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        uint64_t key = 0;
        uint16_t position;
        spill_read_few(&runs->spill, &key, size, run->keys_at + (run->count - 1) * size);
        if (i == 0 || filter_find(&list->filter, &key, 1, &position) == 0)
            filter_set(&list->filter, &key, 0);
    }
}

/* Leaves of the runs the wanted elements alone, of which there are enough. */
static void top_runs_reduce(struct top_list *list)
{
    struct runs *runs = &list->runs;
    const uint64_t num = runs->num;
    uint64_t *cuts = zeroed(2 * num, sizeof(*cuts));
    runs_cut(runs, list->need, cuts + num, cuts);
    runs->num = 0;
    for (uint64_t i = 0; i < num; i++) {
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
    set_filter(list);
}

static void write_found(const struct top_found *found, uint64_t num, struct top_output *output)
{
    top_output_write(output, found->indices ? found->indices : found->keys, num);
}

/* The places of all runs together, part by part through the buffer. */
static void write_runs(struct top_list *list, uint64_t skip, uint64_t num,
                       struct top_output *output)
{
    struct runs *runs = &list->runs;
    bytes_need(&list->keys, list->capacity * runs->keys.size);
    bytes_need(&list->indices, list->capacity * runs->value_size);
    runs_begin_parts(runs, skip);
    for (uint64_t done = 0; done < num; done += list->num) {
        list->num = smaller(num - done, list->capacity);
        runs_read_part(runs, list->num, list->keys.data, list->indices.data);
        const struct top_found found = select_places(list, 0, list->num);
        write_found(&found, list->num, output);
    }
}

/* The wanted ones of the buffer become a run. All runs are reduced when they have twice what is
 * needed. */
static void write_run(struct top_list *list)
{
    const uint64_t num = smaller(list->num, list->need);
    const struct top_found found = select_places(list, 0, num);
    make_file(list, num);
    runs_write(&list->runs, runs_add(&list->runs, found.keys, num), found.keys, found.indices);
    list->num = 0;
    if (list->runs.total / 2 >= list->need)
        top_runs_reduce(list);
}

/* Looks for a device on which more fits, unless one is open. Few are not worth that. */
static bool grow(struct top_list *list)
{
    enum { MANY = 1 << 22 }; /* elements that are wanted */
    struct top_select *select = list->select;
    if (list->need < MANY || select->device.sorter || list->runs.num > 0 ||
        !device_exists(select->memory))
        return false;
    const uint64_t most = top_select_open(select, list->need, 0);
    const bool is_larger = most >= 2 * list->capacity;
    if (is_larger)
        list->capacity = most;
    else
        device_close(&select->device);
    return is_larger;
}

static void make_room(struct top_list *list)
{
    if (list->need <= list->capacity / 2)
        reduce(list);
    else if (!grow(list))
        write_run(list);
}

void top_list_add(struct top_list *list, const void *keys, uint64_t first, uint64_t count)
{
    uint16_t positions[FILTER_MOST];
    const uint64_t step = smaller(list->capacity / 4, FILTER_MOST);
    for (uint64_t at = 0; at < count;) {
        const char *from = (const char *)keys + at * list->runs.keys.size;
        const uint32_t num = (uint32_t)smaller(count - at, step);
        if (list->capacity - list->num < num) {
            make_room(list);
            continue;
        }
        const uint32_t passing = filter_find(&list->filter, from, num, positions);
        reserve(list, list->num + passing);
        append(list, from, first + at, num, positions, passing);
        at += num;
    }
}

void top_list_write(struct top_list *list, uint64_t skip, uint64_t num, struct top_output *output)
{
    if (num == 0)
        return;
    if (list->runs.num > 0) {
        if (list->num > 0)
            write_run(list);
        write_runs(list, skip, num, output);
        return;
    }
    const struct top_found found = select_places(list, skip, num);
    write_found(&found, num, output);
}

void top_list_free(struct top_list *list)
{
    runs_close(&list->runs);
    bytes_free(&list->keys);
    bytes_free(&list->indices);
}
