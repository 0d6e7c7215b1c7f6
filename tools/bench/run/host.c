/* host.c: the input and the output of opponents in the host's memory. Pairs lie together for them,
 * the value in front of the key: they are joined before the time begins, and checked behind it. */
#include "bench/bench.h"

#include "cli/message.h"

#include <string.h>

/* The input, and room for what is sorted and for what is left elsewhere. */
static bool reserve(struct bench_host *host)
{
    const struct bench_input *input = &host->input;
    const uint64_t keys_size = input->count * input->key_size;
    const uint64_t values_size = input->count * input->value_size;
    const bool is_in_place = input->work == BENCH_SORT || input->work == BENCH_SEGMENTS;
    const uint64_t places_size = input->num_queries * input->place_size;
    const uint64_t items_size = keys_size + values_size;
    const uint64_t num_outputs = bench_num_outputs(input);
    const uint64_t larger = num_outputs > input->count ? num_outputs : input->count;
    const uint64_t outputs_size = num_outputs * (input->key_size + input->value_size);
    return bytes_reserve(&host->keys, keys_size) && bytes_reserve(&host->values, values_size) &&
           bytes_reserve(&host->items, items_size) &&
           bytes_reserve(&host->out, is_in_place                  ? 0
                                     : places_size > outputs_size ? places_size
                                                                  : outputs_size) &&
           (values_size == 0 || (bytes_reserve(&host->found[0], larger * input->key_size) &&
                                 bytes_reserve(&host->found[1], larger * input->value_size)));
}

int bench_host_begin(struct bench_host *host, const struct bench_opencl *opencl, char *why)
{
    const struct bench_input *input = &opencl->input;
    struct bench_input source = *input, values = *input;
    const bool is_in_order = host->keys.data != NULL;
    if (!bench_fits_host(input, 4, why))
        return 0;
    host->input = *input;
    host->offsets = opencl->offsets;
    host->expected = opencl->expected;
    if (!reserve(host))
        return -1;
    for (uint64_t i = 0; i < values.count && is_in_order; i++)
        bench_store_value(&values, host->values.data, i);
    if (!is_in_order)
        bench_fill(input, host->keys.data, host->values.data, 0, 1);
    source.side = BENCH_INPUT;
    const struct bench_arrays arrays = {.keys = host->keys.data,
                                        .values = host->values.data,
                                        .offsets = host->offsets};
    const struct bench_sums sums = bench_look(&source, &arrays, 0, 1);
    const int result = bench_check_input(&opencl->sums, &sums, why);
    if (result == 0)
        bench_host_end(host);
    return result;
}

void bench_host_end(struct bench_host *host)
{
    struct bytes *const all[] = {&host->keys, &host->values,   &host->queries, &host->items,
                                 &host->out,  &host->found[0], &host->found[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bytes_free(all[i]);
}

void bench_host_refresh(struct bench_host *host)
{
    const size_t key_size = host->input.key_size, value_size = host->input.value_size;
    if (host->out.capacity > 0)
        memset(host->out.data, 0xff, host->out.capacity);
    host->result = UINT64_MAX;
    if (value_size == 0) {
        memcpy(host->items.data, host->keys.data, host->input.count * key_size);
        return;
    }
    char *item = host->items.data;
    for (uint64_t i = 0; i < host->input.count; i++, item += value_size + key_size) {
        memcpy(item, (const char *)host->values.data + i * value_size, value_size);
        memcpy(item + value_size, (const char *)host->keys.data + i * key_size, key_size);
    }
}

/* Keys and values of the first items, apart. */
static void split(struct bench_host *host, const char *item, uint64_t count)
{
    const size_t key_size = host->input.key_size, value_size = host->input.value_size;
    char *key = host->found[0].data, *value = host->found[1].data;
    for (; count > 0; count--, item += value_size + key_size) {
        memcpy(value, item, value_size);
        memcpy(key, item + value_size, key_size);
        key += key_size;
        value += value_size;
    }
}

/* The sums over what is left. There are no indices. */
static struct bench_sums look(struct bench_host *host, bool is_stable)
{
    struct bench_input input = host->input;
    const bool is_in_place = input.work == BENCH_SORT || input.work == BENCH_SEGMENTS;
    const void *items = is_in_place ? host->items.data : host->out.data;
    struct bench_arrays arrays = {.keys = items,
                                  .source = host->keys.data,
                                  .offsets = host->offsets,
                                  .queries = host->queries.data};
    input.is_stable = is_stable;
    if (input.work == BENCH_CHECK)
        return (struct bench_sums){0, 0, host->result};
    if (input.work == BENCH_RUNS)
        input.count = host->result < input.count ? host->result : input.count;
    if (input.work == BENCH_SEARCH) {
        arrays.keys = host->keys.data;
        arrays.indices = host->out.data;
    } else if (input.value_size > 0) {
        split(host, items, bench_num_outputs(&input));
        arrays.keys = host->found[0].data;
        arrays.values = host->found[1].data;
    }
    return bench_look(&input, &arrays, 0, 1);
}

int bench_host_check(struct bench_host *host, bool is_stable, char *why)
{
    const struct bench_sums sums = look(host, is_stable);
    return bench_check(&host->input, &host->expected, &sums, why);
}
