#include "between.h"

#include <string.h>

void between_check_lookback(bench *b)
{
    static const uint32_t silents[] = {0, 1, 4, 7};
    const uint32_t group = b->s->group_size;
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t tiles = i < 4 ? 1 + 5 * i : 40;
        uint32_t before[4] = {0, 0, 0, 0};
        uint32_t *rows = b->expected + 1 + tiles * 4;
        bench_fill(b, bench_kinds[i], tiles * group, i);
        memset(b->out, 0, 4 * (1 + 8 * (size_t)tiles));
        bench_run(b, "look_back", 4, tiles * group, 1 + 8 * tiles, tiles, silents[i % 4]);
        for (uint32_t tile = 0; tile < tiles; ++tile) {
            memcpy(rows + (size_t)tile * 4, before, sizeof before);
            for (uint32_t k = 0; k < group; ++k)
                ++before[b->in[tile * group + k] % 4];
        }
        bench_expect(b, 1 + 4 * tiles, 4 * tiles);
    }
}

void between_check_recount(bench *b)
{
    const uint32_t slots = bench_tile(b->s), radix = 1u << b->s->radix_bits;
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t tiles = 1 + i % 3, is_fused = i / 2 % 2, step = 1 + is_fused;
        bench_fill(b, bench_kinds[i], tiles * slots * step, i);
        memset(b->expected, 0, 4 * (size_t)tiles * radix);
        for (uint32_t k = 0; k < tiles * slots; ++k)
            ++b->expected[k / slots * radix + (b->in[k * step + is_fused] >> 3) % radix];
        bench_run(b, "recount", 2, tiles * slots * step, tiles * radix, tiles, is_fused);
        bench_expect(b, 0, tiles * radix);
    }
}

void between_check_phases(bench *b)
{
    static const uint32_t patiences[] = {0, 3, 1000000};
    enum { num_phases = 4, head = 2 * num_phases + 1 };
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t n = i < 3 ? 1 + i : 50;
        bench_fill(b, bench_kinds[i], n, i);
        memset(b->out, 0, 4 * (head + (num_phases + 1) * (size_t)n));
        memcpy(b->out + head, b->in, 4 * (size_t)n);
        memcpy(b->expected + head, b->in, 4 * (size_t)n);
        for (uint32_t k = 0; k < num_phases * n; ++k) {
            const uint32_t *row = b->expected + head + k / n * n;
            b->expected[head + n + k] = row[k % n] + row[(k + 1) % n];
        }
        /* Oclgrind takes what one group leaves for another for a race. */
        bench_run(b, "phases", platform_is(b->fix, "Oclgrind") ? 1 : 5, n,
                  head + (num_phases + 1) * n, n, patiences[i % 3]);
        bench_expect(b, head, (num_phases + 1) * n);
    }
}
