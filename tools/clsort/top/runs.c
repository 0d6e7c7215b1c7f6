/* runs.c: the numbers of a list that do not fit into the memory, as sorted runs. Cuts of all
 * runs bound the places that are wanted; what lies between two cuts is read and sorted again. */
#include "cli/message.h"
#include "top/list.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether there is a file with room for `count` elements more. */
static bool make_room(struct top_list *list, uint64_t count)
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

bool top_runs_add(struct top_list *list, const struct top_found *found)
{
    struct runs *runs = &list->runs;
    if (!make_room(list, found->num))
        return false;
    const struct run *run = runs_add(runs, found->keys, found->num);
    return run && runs_write(runs, run, found->keys, found->indices);
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
        if (i == 0 || top_filter_find(&list->filter, &key, 1, &position) == 0)
            top_filter_set(&list->filter, &key, 0);
    }
    return true;
}

bool top_runs_reduce(struct top_list *list)
{
    struct runs *runs = &list->runs;
    const uint64_t num = runs->num;
    uint64_t *cuts = calloc(2 * num, sizeof(*cuts));
    if (!cuts)
        message("out of memory");
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

bool top_runs_write(struct top_list *list, uint64_t skip, uint64_t num, const struct top_sink *sink)
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
            !sink->write(sink->context, &found))
            return false;
    }
    return true;
}
