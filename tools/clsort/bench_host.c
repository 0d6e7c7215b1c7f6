/* bench_host.c: one sort by an opponent in the host's memory. Pairs lie together for it, the
 * value in front of the key: they are joined before the time begins, and checked where they are. */
#include "bench.h"

#include "message.h"

#include <string.h>

/* What an opponent sorts before it is measured: some threads and code are only there then. */
enum { WARM_UP_COUNT = 4096 };

/* The input, and a copy that is sorted. */
int bench_host_begin(struct bench_host *host, const struct bench_input *input,
                     const struct bench_sums *sums, char *why)
{
    const uint64_t keys_size = input->count * input->key_size;
    const uint64_t values_size = input->count * input->value_size;
    if (!bench_fits_host(input, 2, why))
        return 0;
    if (!bytes_reserve(&host->keys, keys_size) || !bytes_reserve(&host->values, values_size) ||
        !bytes_reserve(&host->items, keys_size + values_size))
        return -1;
    bench_fill(input, host->keys.data, host->values.data, 0, 1);
    host->input = *input;
    host->sums = bench_look(input, host->keys.data, host->values.data, host->keys.data, 0, 1);
    const int result = bench_check_input(sums, &host->sums, why);
    if (result == 0)
        bench_host_end(host);
    return result;
}

void bench_host_end(struct bench_host *host)
{
    bytes_free(&host->keys);
    bytes_free(&host->values);
    bytes_free(&host->items);
}

static void refresh(struct bench_host *host)
{
    const size_t key_size = host->input.key_size, value_size = host->input.value_size;
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

/* The same sums as of keys and values that are apart: each item is looked at behind the one before.
 * There are no indices. */
static struct bench_sums look(const struct bench_host *host, bool is_stable)
{
    struct bench_input input = host->input;
    struct bench_sums sums = {0, 0, 0};
    input.is_stable = is_stable;
    if (input.value_size == 0)
        return bench_look(&input, host->items.data, NULL, host->items.data, 0, 1);
    const size_t key_size = input.key_size, value_size = input.value_size;
    const char *item = host->items.data;
    struct {
        uint64_t keys[2 * BENCH_RECORD_SIZE / 8];
        uint64_t values[2 * MAX_VALUE_SIZE / 8];
    } two;
    for (uint64_t i = 0; i < input.count; i++, item += value_size + key_size) {
        memcpy((char *)two.values + value_size, item, value_size);
        memcpy((char *)two.keys + key_size, item + value_size, key_size);
        const u64 hash = bench_hash(&input, two.keys, two.values, two.keys, 1);
        sums.disorders += !bench_is_first(&input, i) &&
                          !bench_is_behind(&input, two.keys, two.values, two.keys, 1);
        sums.hash += hash;
        sums.placed += bench_random(hash, i);
        memcpy(two.values, item, value_size);
        memcpy(two.keys, item + value_size, key_size);
    }
    return sums;
}

int bench_host_warm_up(struct bench_host *host, struct bench_opponent *opponent, char *why)
{
    struct bench_input few = host->input;
    struct bench_times unused;
    few.count = few.count < WARM_UP_COUNT ? few.count : WARM_UP_COUNT;
    const struct bench_task task = {.input = &few, .items = host->items.data};
    refresh(host);
    const int result =
        opponent->prepare(opponent, &task, why) > 0 ? opponent->run(opponent, &unused, why) : 0;
    if (opponent->finish)
        opponent->finish(opponent);
    return result;
}

int bench_host_run(struct bench_host *host, struct bench_opponent *opponent,
                   struct bench_times *times, char *why)
{
    refresh(host);
    const double start = seconds_now();
    const int result = opponent->run(opponent, times, why);
    *times = (struct bench_times){.host = seconds_now() - start};
    if (result <= 0)
        return result;
    const struct bench_sums sums = look(host, opponent->is_stable);
    return bench_check(&host->input, &host->sums, &sums, why);
}
