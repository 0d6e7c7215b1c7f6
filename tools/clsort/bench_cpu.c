/* bench_cpu.c: one sort by an opponent, on the host. Pairs lie together for it, the value in front of
 * the key: they are joined before the time begins and parted after it ended. */
#include "bench.h"

#include "key.h"
#include "message.h"

#include <stdio.h>

static struct opponent_items items_of(const struct bench_data *data)
{
    const struct key_type *type = &key_types[data->type];
    return (struct opponent_items){.kind = (int)type->kind,
                                   .bits = type->bits,
                                   .has_values = data->value_size > 0};
}

bool bench_cpu_sorts(const struct opponent *opponent, const struct bench_data *data, char *note,
                     size_t note_size)
{
    const struct opponent_items items = items_of(data);
    const size_t size = clsort_type_size(data->type);
    uint64_t nothing[2];
    if (data->value_size > 0 && (data->value_size != size || size < 4))
        snprintf(note, note_size, "the host's sorts have pairs of 4+4 and 8+8 bytes alone");
    else if (!opponent->sort(&items, nothing, 0))
        snprintf(note, note_size, "%s has no sort of such %s", opponent->name,
                 items.has_values ? "pairs" : "keys");
    else
        return true;
    return false;
}

static void join(const struct bench_data *data, void *items)
{
    const size_t size = data->value_size;
    for (uint64_t i = 0; i < data->count; i++) {
        key_store(size, items, 2 * i, key_load(size, data->values.data, i));
        key_store(size, items, 2 * i + 1, key_load(size, data->keys.data, i));
    }
}

static void part(const struct bench_data *data, const void *items, struct bench_output *output)
{
    const size_t size = data->value_size;
    for (uint64_t i = 0; i < data->count; i++) {
        key_store(size, output->values.data, i, key_load(size, items, 2 * i));
        key_store(size, output->keys.data, i, key_load(size, items, 2 * i + 1));
    }
}

/* A fresh copy, in the place where it is going to be sorted; NULL after a message. */
static void *refresh(const struct bench_data *data, struct bytes *items,
                     struct bench_output *output)
{
    const size_t size = data->count * clsort_type_size(data->type);
    if (data->value_size == 0)
        return memcpy(output->keys.data, data->keys.data, size);
    if (!bytes_reserve(items, 2 * size))
        return NULL;
    join(data, items->data);
    return items->data;
}

bool bench_cpu_warm_up(const struct opponent *opponent, const struct bench_data *data,
                       struct bytes *items, struct bench_output *output)
{
    const struct opponent_items what = items_of(data);
    void *place = refresh(data, items, output);
    return place && opponent->sort(&what, place, data->count);
}

bool bench_cpu_once(const struct opponent *opponent, const struct bench_data *data,
                    struct bytes *items, struct bench_output *output, double *seconds_ret,
                    const char **fault_ret)
{
    const struct opponent_items what = items_of(data);
    void *place = refresh(data, items, output);
    if (!place)
        return false;
    const double start = seconds_now();
    opponent->sort(&what, place, data->count);
    *seconds_ret = seconds_now() - start;
    if (what.has_values)
        part(data, place, output);
    *fault_ret = bench_data_fault(data, output->keys.data, output->values.data, 0);
    return true;
}
