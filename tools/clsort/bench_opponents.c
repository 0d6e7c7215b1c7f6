/* bench_opponents.c: the table of the CPU's sorts, and qsort(). */
#include "bench_opponents.h"

#include "key.h"

#include <stdint.h>
#include <stdlib.h>

/* place: of the key in an item, 0 alone and 1 behind its value. */
#define COMPARE(name, key, place)                 \
    static int name(const void *a, const void *b) \
    {                                             \
        const key x = ((const key *)a)[place];    \
        const key y = ((const key *)b)[place];    \
        return (x > y) - (x < y);                 \
    }
COMPARE(compare_u8, uint8_t, 0)
COMPARE(compare_u16, uint16_t, 0)
COMPARE(compare_u32, uint32_t, 0)
COMPARE(compare_u64, uint64_t, 0)
COMPARE(compare_i8, int8_t, 0)
COMPARE(compare_i16, int16_t, 0)
COMPARE(compare_i32, int32_t, 0)
COMPARE(compare_i64, int64_t, 0)
COMPARE(compare_f32, float, 0)
COMPARE(compare_f64, double, 0)
COMPARE(compare_u32_pair, uint32_t, 1)
COMPARE(compare_u64_pair, uint64_t, 1)
COMPARE(compare_i32_pair, int32_t, 1)
COMPARE(compare_i64_pair, int64_t, 1)
COMPARE(compare_f32_pair, float, 1)
COMPARE(compare_f64_pair, double, 1)

/* f16 and bf16: as the signed integers that sort alike. */
static int compare_f16(const void *a, const void *b)
{
    const uint16_t x_bits = *(const uint16_t *)a;
    const uint16_t y_bits = *(const uint16_t *)b;
    const int x = (int16_t)(x_bits & 0x8000 ? x_bits ^ 0x7fff : x_bits);
    const int y = (int16_t)(y_bits & 0x8000 ? y_bits ^ 0x7fff : y_bits);
    return (x > y) - (x < y);
}

static int sort_by_qsort(const struct opponent_items *items, void *data, size_t count)
{
    /* By values or none, kind, and bits 8, 16, 32, 64. */
    static int (*const compare[2][3][4])(const void *, const void *) = {
        {[KEY_UNSIGNED] = {compare_u8, compare_u16, compare_u32, compare_u64},
         [KEY_SIGNED] = {compare_i8, compare_i16, compare_i32, compare_i64},
         [KEY_FLOAT] = {NULL, compare_f16, compare_f32, compare_f64}},
        {[KEY_UNSIGNED] = {NULL, NULL, compare_u32_pair, compare_u64_pair},
         [KEY_SIGNED] = {NULL, NULL, compare_i32_pair, compare_i64_pair},
         [KEY_FLOAT] = {NULL, NULL, compare_f32_pair, compare_f64_pair}}};
    const size_t size = (size_t)items->bits / 8;
    const int width = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    int (*const by)(const void *, const void *) =
        compare[items->has_values != 0][items->kind][width];
    if (by)
        qsort(data, count, items->has_values ? 2 * size : size, by);
    return by != NULL;
}

#ifdef CLSORT_TOOL_HAS_STD_SORT
#define STD_SORT opponent_std_sort, NULL
#else
#define STD_SORT NULL, "built without a C++ compiler"
#endif

#ifdef CLSORT_TOOL_HAS_PAR_SORT
#define PAR_SORT opponent_par_sort, NULL
#elif defined(CLSORT_TOOL_WANTS_OPPONENTS)
#define PAR_SORT NULL, "built without TBB"
#else
#define PAR_SORT NULL, "built without CLSORT_BUILD_OPPONENTS"
#endif

#ifdef CLSORT_TOOL_HAS_VQSORT
#define VQSORT opponent_vqsort, NULL
#elif defined(CLSORT_TOOL_WANTS_OPPONENTS)
#define VQSORT NULL, "built without Highway"
#else
#define VQSORT NULL, "built without CLSORT_BUILD_OPPONENTS"
#endif

/* clang-format off */
const struct opponent opponents[NUM_OPPONENTS] = {
    {"std::sort",      "std::",  "times_std_sort", STD_SORT},
    {"std::sort(par)", "par",    "times_par_sort", PAR_SORT},
    {"qsort",          "qsort",  "times_qsort",    sort_by_qsort, NULL},
    {"vqsort",         "vqsort", "times_vqsort",   VQSORT}};
/* clang-format on */
