/* host.c: the input and the output of opponents in the host's memory. The device has made the one
 * and checks the other. Pairs lie together for them, the value in front of the key: they are joined
 * before the time begins, and taken apart behind it. */
#include "bench/bench.h"

#include "cli/message.h"

#include <string.h>

void bench_host_read(struct bench_host *host, struct bench_opencl *opencl)
{
    bench_opencl_read(opencl, KEYS_SOURCE, &host->keys);
    bench_opencl_read(opencl, VALUES_SOURCE, &host->values);
    bench_opencl_read(opencl, QUERIES, &host->queries);
}

void bench_host_begin(struct bench_host *host, struct bench_opencl *opencl)
{
    const struct bench_input *input = &opencl->input;
    const uint64_t places_size = input->num_queries * input->place_size;
    const uint64_t num_outputs = bench_num_outputs(input);
    const uint64_t outputs_size = num_outputs * (input->key_size + input->value_size);
    const bool has_pairs = input->value_size > 0;
    host->input = *input;
    host->is_in_place = bench_is_sort((enum bench_work)input->work);
    if (opencl->result > 0)
        opencl->result = bench_fits_host(input, 4, opencl->why);
    if (!host->keys.data)
        bench_host_read(host, opencl);
    if (opencl->result <= 0)
        return;
    const bool ok =
        bytes_reserve(&host->items, input->count * (input->key_size + input->value_size)) &&
        (host->is_in_place ||
         bytes_reserve(&host->out, places_size > outputs_size ? places_size : outputs_size)) &&
        (!has_pairs || (bytes_reserve(&host->found[0], num_outputs * input->key_size) &&
                        bytes_reserve(&host->found[1], num_outputs * input->value_size)));
    opencl->result = ok ? 1 : -1;
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

void bench_host_check(struct bench_host *host, struct bench_opencl *opencl, bool is_stable)
{
    const struct bench_input *input = &host->input;
    const enum bench_work work = (enum bench_work)input->work;
    const void *items = host->is_in_place ? host->items.data : host->out.data;
    const uint64_t num =
        work == BENCH_RUNS ? smaller(host->result, input->count) : bench_num_outputs(input);
    if (opencl->result <= 0)
        return;
    bench_opencl_write(opencl, RESULT, &host->result, sizeof host->result);
    if (work == BENCH_SEARCH)
        bench_opencl_write(opencl, INDICES, items, opencl->sizes[INDICES]);
    if (input->value_size > 0) {
        split(host, items, num);
        items = host->found[0].data;
        bench_opencl_write(opencl, VALUES, host->found[1].data, num * input->value_size);
    }
    if (work != BENCH_CHECK && work != BENCH_SEARCH)
        bench_opencl_write(opencl, KEYS, items, num * input->key_size);
    bench_opencl_check(opencl, is_stable);
}
