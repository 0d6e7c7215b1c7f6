/* bench_cpu.c: the C and C++ libraries' sorts, measured as the device's are: on a fresh copy each
 * time, the copying not timed, the output checked. */
#include "bench.h"

#include "key.h"
#include "message.h"
#include "verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COMPARE(name, key)                        \
    static int name(const void *a, const void *b) \
    {                                             \
        const key x = *(const key *)a;            \
        const key y = *(const key *)b;            \
        return (x > y) - (x < y);                 \
    }
COMPARE(compare_u8, uint8_t)
COMPARE(compare_u16, uint16_t)
COMPARE(compare_u32, uint32_t)
COMPARE(compare_u64, uint64_t)
COMPARE(compare_i8, int8_t)
COMPARE(compare_i16, int16_t)
COMPARE(compare_i32, int32_t)
COMPARE(compare_i64, int64_t)
COMPARE(compare_f32, float)
COMPARE(compare_f64, double)

/* f16 and bf16: as the signed integers that sort alike. */
static int compare_float16(const void *a, const void *b)
{
    const uint16_t x_bits = *(const uint16_t *)a;
    const uint16_t y_bits = *(const uint16_t *)b;
    const int x = (int16_t)(x_bits & 0x8000 ? x_bits ^ 0x7fff : x_bits);
    const int y = (int16_t)(y_bits & 0x8000 ? y_bits ^ 0x7fff : y_bits);
    return (x > y) - (x < y);
}

static void sort_by_qsort(const struct bench_data *data, void *keys)
{
    static int (*const compare[CLSORT_NUM_TYPES])(const void *, const void *) = {
        [CLSORT_U8] = compare_u8,       [CLSORT_U16] = compare_u16,
        [CLSORT_U32] = compare_u32,     [CLSORT_U64] = compare_u64,
        [CLSORT_I8] = compare_i8,       [CLSORT_I16] = compare_i16,
        [CLSORT_I32] = compare_i32,     [CLSORT_I64] = compare_i64,
        [CLSORT_F32] = compare_f32,     [CLSORT_F64] = compare_f64,
        [CLSORT_F16] = compare_float16, [CLSORT_BF16] = compare_float16};
    qsort(keys, data->count, clsort_type_size(data->type), compare[data->type]);
}

#ifdef CLSORT_TOOL_HAS_STDSORT
void bench_std_sort(int kind, int bits, void *keys, size_t count);

static void sort_by_std_sort(const struct bench_data *data, void *keys)
{
    const struct key_type *type = &key_types[data->type];
    bench_std_sort((int)type->kind, type->bits, keys, data->count);
}
#endif

static bool run_opponent(const struct bench *bench, const struct bench_data *data,
                         struct bench_row *row,
                         void (*sort)(const struct bench_data *data, void *keys))
{
    const size_t size = clsort_type_size(data->type);
    double *seconds = calloc((size_t)bench->options.repeat, sizeof(*seconds));
    struct bytes keys = {0};
    bool ok = seconds && bytes_reserve(&keys, data->keys.size);
    double total = 0;
    while (ok && row->num_runs < bench->options.repeat &&
           (row->num_runs == 0 || total < bench->options.row_seconds)) {
        memcpy(keys.data, data->keys.data, data->keys.size);
        const double start = seconds_now();
        sort(data, keys.data);
        seconds[row->num_runs] = seconds_now() - start;
        total += seconds[row->num_runs++];
        ok = find_disorder(data->type, CLSORT_ASCENDING, keys.data, data->count) == data->count &&
             multiset_hash(keys.data, size, NULL, 0, data->count) == data->hash;
        if (!ok)
            message("%s sorted %" PRIu64 " keys of %s wrongly", row->method, data->count,
                    clsort_type_name(data->type));
    }
    if (ok)
        row->host_median = bench_median(seconds, row->num_runs, &row->host_best);
    bytes_free(&keys);
    free(seconds);
    return ok;
}

bool bench_run_qsort(const struct bench *bench, const struct bench_data *data,
                     struct bench_row *row)
{
    return run_opponent(bench, data, row, sort_by_qsort);
}

bool bench_run_std_sort(const struct bench *bench, const struct bench_data *data,
                        struct bench_row *row)
{
#ifdef CLSORT_TOOL_HAS_STDSORT
    return run_opponent(bench, data, row, sort_by_std_sort);
#else
    (void)bench;
    (void)data;
    snprintf(row->note, sizeof(row->note), "built without a C++ compiler");
    return true;
#endif
}
