/* host.c: the host's sorts as opponents, and qsort() among them. */
#include "host.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

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

static int compare_records(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    const int32_t x_second = (int32_t)x[1], y_second = (int32_t)y[1];
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0])
                        : (x_second > y_second) - (x_second < y_second);
}

static int by_qsort(const struct bench_input *input, void *items, size_t count)
{
    /* By values or none, kind, and bits 8, 16, 32, 64. */
    static int (*const compare[2][3][4])(const void *, const void *) = {
        {[BENCH_UNSIGNED] = {compare_u8, compare_u16, compare_u32, compare_u64},
         [BENCH_SIGNED] = {compare_i8, compare_i16, compare_i32, compare_i64},
         [BENCH_FLOAT] = {NULL, compare_f16, compare_f32, compare_f64}},
        {[BENCH_UNSIGNED] = {NULL, NULL, compare_u32_pair, compare_u64_pair},
         [BENCH_SIGNED] = {NULL, NULL, compare_i32_pair, compare_i64_pair},
         [BENCH_FLOAT] = {NULL, NULL, compare_f32_pair, compare_f64_pair}}};
    const u64 bits = input->bits;
    const int width = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    int (*const by)(const void *, const void *) =
        bench_is_records(input) ? compare_records
                                : compare[input->value_size > 0][input->kind][width];
    if (by)
        qsort(items, count, input->key_size + input->value_size, by);
    return by != NULL;
}

struct host_sort {
    struct bench_opponent opponent;
    host_function *function;
};

static int prepare(struct bench_opponent *self, const struct bench_task *task, char *why)
{
    const struct bench_input *input = task->input;
    u64 nothing[2];
    self->state = (void *)(uintptr_t)task;
    if (input->value_size > 0 && (input->value_size != input->key_size || input->bits < 32 ||
                                  input->key_size == BENCH_RECORD_SIZE))
        return bench_refuse(why, "the host's sorts have pairs of 4+4 and 8+8 bytes alone");
    if (!((struct host_sort *)self)->function(input, nothing, 0))
        return bench_refuse(why, input->value_size > 0     ? "has no sort of such pairs"
                                 : bench_is_records(input) ? "has no sort of structs"
                                                           : "has no sort of such keys");
    return 1;
}

static int run(struct bench_opponent *self, struct bench_times *times, char *why)
{
    const struct bench_task *task = self->state;
    (void)times, (void)why;
    return ((struct host_sort *)self)->function(task->input, task->items, task->input->count);
}

static const char *about_one_thread(void)
{
    return "one thread of the host, compiler " __VERSION__;
}

static const char *about_all_threads(void)
{
    static char text[80];
    snprintf(text, sizeof(text), "%ld threads of the host, compiler " __VERSION__,
             sysconf(_SC_NPROCESSORS_ONLN));
    return text;
}

#ifdef BENCH_HAS_STD_SORT
#define STD_SORT(function) function, NULL
#else
#define STD_SORT(function) NULL, "built without a C++ compiler"
#endif

#ifdef BENCH_HAS_PAR_SORT
#define PAR_SORT host_par_sort, NULL
#elif defined(BENCH_WANTS_ALL)
#define PAR_SORT NULL, "built without TBB"
#else
#define PAR_SORT NULL, "built without CLSORT_BUILD_OPPONENTS"
#endif

#ifdef BENCH_HAS_VQSORT
#define VQSORT host_vqsort, NULL
#elif defined(BENCH_WANTS_ALL)
#define VQSORT NULL, "built without Highway"
#else
#define VQSORT NULL, "built without CLSORT_BUILD_OPPONENTS"
#endif

/* clang-format off */
#define HOST_SORT_(name_, stable, about_, function_, missing_)                              \
    {.opponent = {.name = name_, .missing = missing_, .memory = BENCH_ON_HOST,              \
                  .is_stable = stable, .about = about_, .prepare = prepare, .run = run},    \
     .function = function_}
#define HOST_SORT(...) HOST_SORT_(__VA_ARGS__)

static struct host_sort sorts[] = {
    HOST_SORT("std::sort",      0, about_one_thread,  STD_SORT(host_std_sort)),
    HOST_SORT("std::sort(par)", 0, about_all_threads, PAR_SORT),
    HOST_SORT("qsort",          0, about_one_thread,  by_qsort, NULL),
    HOST_SORT("vqsort",         0, about_one_thread,  VQSORT),
    HOST_SORT("std::stable_sort", 1, about_one_thread, STD_SORT(host_std_stable_sort))};
/* clang-format on */
enum { NUM_SORTS = sizeof(sorts) / sizeof(sorts[0]) };

struct bench_opponent *const *bench_opponents(unsigned version)
{
    static struct bench_opponent *all[NUM_SORTS + 1];
    for (int i = 0; i < NUM_SORTS; i++)
        all[i] = &sorts[i].opponent;
    return version == BENCH_OPPONENT_VERSION ? all : NULL;
}
