/* list_routes: which kernels sort what, on made-up devices: golden/routes.txt, which test_routes.sh
 * compares. For every device, type and payload it prints the powers of two from which a plan takes
 * another route; then steps and scratch at some counts; at last the kernels of each route. Needs no
 * device.
 * A route's name is its algorithm and the words of its kernels that `words` has. Two lists of
 * kernels with one name are an error: the program says so and ends with 1. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "list_routes_devices.h"
#include "plan/plan.h"

enum { NUM_POWERS = 35 };

/* A text that grows. */
struct text {
    char *chars;
    size_t length, capacity;
};

static void add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (text->length + length >= text->capacity) {
        text->capacity = 2 * (text->length + length) + 128;
        text->chars = realloc(text->chars, text->capacity);
        if (!text->chars)
            exit(2);
    }
    vsnprintf(text->chars + text->length, length + 1, format, arguments);
    va_end(arguments);
    text->length += length;
}

/* ---- What is sorted, and where ---- */
static const struct payload_case {
    const char *name;
    uint32_t value_size, index_size, stable;
} payloads[] = {
    {"keys", 0, 0, 0},      {"+4", 4, 0, 0},   {"+4 stable", 4, 0, 1},   {"+8", 8, 0, 0},
    {"+8 stable", 8, 0, 1}, {"+16", 16, 0, 0}, {"+16 stable", 16, 0, 1}, {"index", 0, 4, 0},
};
enum { NUM_PAYLOADS = sizeof payloads / sizeof *payloads };

static const clsort_field fields[] = {{0, CLSORT_U32, CLSORT_ASCENDING},
                                      {4, CLSORT_U32, CLSORT_DESCENDING},
                                      {8, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_record one_field = {.size = 16, .num_fields = 1, .fields = fields};
static const clsort_record three_fields = {.size = 16, .num_fields = 3, .fields = fields};
static const clsort_record large = {.size = 256, .num_fields = 1, .fields = fields};
static const clsort_record compared = {.size = 16,
                                       .declarations = "typedef struct { uint a[4]; } four;",
                                       .type = "four",
                                       .less_body = "return a.a[0] < b.a[0];"};
static const clsort_column columns[] = {{CLSORT_U32, CLSORT_ASCENDING},
                                        {CLSORT_F64, CLSORT_DESCENDING},
                                        {CLSORT_I16, CLSORT_ASCENDING}};
static const clsort_column bytes[] = {{CLSORT_U8, CLSORT_ASCENDING}, {CLSORT_U8, CLSORT_ASCENDING}};
static const clsort_strings strings = {.num_bytes = 1 << 30, .offset_size = 8};

/* The second list is of AUTO alone. Those with `sized` are in the tables of sizes, too. */
static const struct single_case {
    const char *name;
    clsort_desc desc;
    int sized;
} cases[] =
    {
        {"u32", {0}, 1},
        {"u32 +4", {.value_size = 4}, 0},
        {"u32 +4 stable", {.value_size = 4, .stable = 1}, 1},
        {"u32 index", {.index_size = 4}, 1},
        {"u64 +8", {.type = CLSORT_U64, .value_size = 8}, 1},
        {"1000 x u32", {.num_arrays = 1000}, 0},
},
  auto_cases[] = {
      {"u32 +16 stable", {.value_size = 16, .stable = 1}, 1},
      {"u32 out of place", {.out_of_place = 1}, 0},
      {"u32 +16 out of place", {.value_size = 16, .out_of_place = 1}, 1},
      {"u32 bits 4 to 12", {.first_bit = 4, .end_bit = 12}, 0},
      {"u32 bits 4 to 12 stable", {.first_bit = 4, .end_bit = 12, .stable = 1}, 0},
      {"1000 x u32", {.num_arrays = 1000}, 0},
      {"1000 x u32 +4 stable", {.num_arrays = 1000, .value_size = 4, .stable = 1}, 0},
      {"u32 first 100 out of place", {.limit = 100, .out_of_place = 1}, 0},
      {"u64 +4 first 100 out of place",
       {.type = CLSORT_U64, .value_size = 4, .limit = 100, .out_of_place = 1},
       1},
      {"u32 first 100 in place", {.limit = 100}, 0},
      {"1000 x u32 first 8 index", {.num_arrays = 1000, .index_size = 4, .limit = 8}, 0},
      {"u32 index out of place", {.index_size = 4, .out_of_place = 1}, 0},
      {"records of 16 B by u32", {.record = &one_field}, 1},
      {"records of 16 B by u32 stable", {.record = &one_field, .stable = 1}, 0},
      {"records of 16 B by 3 x u32", {.record = &three_fields}, 0},
      {"records of 16 B by a comparison", {.record = &compared}, 0},
      {"records of 16 B by a comparison stable", {.record = &compared, .stable = 1}, 1},
      {"records of 16 B by a comparison index", {.record = &compared, .index_size = 4}, 0},
      {"records of 256 B by u32 +8", {.record = &large, .value_size = 8}, 1},
      {"columns u32", {.num_columns = 1, .columns = columns}, 0},
      {"columns u32 f64 i16", {.num_columns = 3, .columns = columns}, 1},
      {"columns u32 f64 i16 index", {.num_columns = 3, .columns = columns, .index_size = 4}, 0},
      {"columns u8 u8", {.num_columns = 2, .columns = bytes}, 0},
      {"segments u32", {.num_segments = 100, .offset_size = 4}, 1},
      {"segments u32 +4 stable",
       {.num_segments = 100, .offset_size = 4, .value_size = 4, .stable = 1},
       0},
      {"segments u32 index", {.num_segments = 100, .offset_size = 4, .index_size = 4}, 0},
      {"segments of records of 16 B",
       {.num_segments = 100, .offset_size = 4, .record = &one_field},
       0},
      {"segments of records of 256 B index",
       {.num_segments = 100, .offset_size = 4, .record = &large, .index_size = 4},
       0},
      {"strings", {.strings = &strings, .out_of_place = 1}, 1},
      {"strings index", {.strings = &strings, .index_size = 4}, 0},
};
enum {
    NUM_CASES = sizeof cases / sizeof *cases,
    NUM_AUTO_CASES = sizeof auto_cases / sizeof *auto_cases
};

/* ---- Routes ---- */
/* Kernels whose word in a route's name is not their own name; "" where others imply them. */
static const char *const words[NUM_KERNELS] = {
    [KERNEL_BITONIC_TILE] = "tile",
    [KERNEL_BITONIC_WINDOW] = "windows",
    [KERNEL_RANK_TILE] = "tile",
    [KERNEL_RANK_STREAM] = "stream",
    [KERNEL_RADIX_COUNT] = "lsd",
    [KERNEL_SEGMENTS_BEGIN] = "segments",
    [KERNEL_SEGMENTS_MARK] = "",
    [KERNEL_SEGMENTS_COUNT] = "",
    [KERNEL_SEGMENTS_NUMBER] = "number",
    [KERNEL_SEGMENTS_FINISH] = "",
    [KERNEL_SEGMENTS_TILE] = "tile",
    [KERNEL_SEGMENTS_RECORDS] = "tile",
    [KERNEL_CPU_SEGMENTS] = "shares",
    [KERNEL_RADIX_SCATTER] = "",
    [KERNEL_ONESWEEP_SORT] = "onesweep",
    [KERNEL_MSD_SAMPLE] = "",
    [KERNEL_FILL] = "",
    [KERNEL_SCAN] = "",
    [KERNEL_PARTITION_BEGIN] = "partition",
    [KERNEL_PARTITION_PIVOTS] = "pivots",
    [KERNEL_PARTITION_COUNT] = "",
    [KERNEL_PARTITION_SCAN] = "scan",
    [KERNEL_PARTITION_SCATTER] = "levels",
    [KERNEL_PARTITION_LEAF] = "leaf",
    [KERNEL_PARTITION_MERGES] = "merges",
    [KERNEL_PARTITION_LEVELS] = "tail",
    [KERNEL_PARTITION_RESTS] = "",
    [KERNEL_PARTITION_CROWDED] = "",
    [KERNEL_MSD_SPLIT] = "msd",
    [KERNEL_MSD_OFFSETS] = "short",
    [KERNEL_MSD_SCATTER] = "",
    [KERNEL_MSD_FINISH] = "",
    [KERNEL_MSD_RESTORE] = "",
    [KERNEL_COUNTING_COUNT] = "counting",
    [KERNEL_COUNTING_SCAN] = "",
    [KERNEL_COUNTING_FILL] = "",
    [KERNEL_CPU_SHORT] = "cpu+short",
    [KERNEL_CPU_RUNS] = "cpu",
    [KERNEL_CPU_MERGE] = "passes",
    [KERNEL_MERGE_TILE] = "tile",
    [KERNEL_MERGE_SHORT] = "short",
    [KERNEL_MERGE_SPLIT] = "",
    [KERNEL_MERGE_PASS] = "passes",
    [KERNEL_WHOLE_RANK] = "",
    [KERNEL_WHOLE_SORT] = "whole",
    [KERNEL_STRING_SAMPLE] = "",
    [KERNEL_STRING_SPLIT] = "splitters",
    [KERNEL_STRING_KEYS] = "strings",
    [KERNEL_STRING_MERGE] = "merge",
    [KERNEL_STRING_SIZES] = "",
    [KERNEL_STRING_SCAN] = "",
    [KERNEL_STRING_MOVE] = "move",
    [KERNEL_CPU_SAMPLE] = "",
    [KERNEL_CPU_TIES] = "ties",
    [KERNEL_CPU_MOVE] = "move",
    [KERNEL_GATHER] = "gather",
    [KERNEL_GATHER_WHOLE] = "place",
    [KERNEL_SELECT_SAMPLE] = "select",
    [KERNEL_SELECT_COLLECT] = "collect",
    [KERNEL_SELECT_COUNT] = "",
    [KERNEL_SELECT_PLACE] = "",
    [KERNEL_SELECT_ROWS] = "select+rows",
    [KERNEL_SELECT_SHORT] = "select+short",
    [KERNEL_COLUMNS_PACK] = "pack",
    [KERNEL_COLUMNS_UNPACK] = "unpack",
};

static struct route {
    char *name, *kernels;
} routes[512];
static size_t num_routes;

/* The word of a step; "" if it adds none. */
static const char *word_of(const struct step *step)
{
    static const char *const works[][2] = {{"count", "cpu"}, {"scan", ""},
                                           {"scatter", ""},  {"sort", "sort"},
                                           {"fill", "fill"}, {"alone", "cpu+arrays"},
                                           {"copy", "copy"}, {"indices", "number"}};
    for (size_t i = 0; step->work && i < sizeof works / sizeof *works; ++i) {
        if (strcmp(step->work, works[i][0]) == 0)
            return works[i][1];
    }
    return words[step->kernel] ? words[step->kernel] : kernel_name(step->kernel);
}

/* Whether a step before this one has the same words. Each launch of CPUs' sorts is named. */
static int is_named(const struct plan *plan, uint32_t number)
{
    const struct step *step = &plan->steps[number];
    for (uint32_t i = 0; i < number; ++i) {
        const struct step *other = &plan->steps[i];
        const int is_like = other->kernel == step->kernel && other->role == step->role &&
                            !other->work == !step->work;
        if (is_like &&
            (!step->work || step->kernel == KERNEL_GATHER || step->kernel == KERNEL_FILL))
            return 1;
    }
    return 0;
}

static void add_steps(struct text *name, struct text *kernels, const struct plan *plan,
                      int fallback)
{
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        const struct step *step = &plan->steps[i];
        const enum kernel_id kernel = step->kernel;
        if ((step->role == CLSORT_ROLE_FALLBACK) != fallback || is_named(plan, i))
            continue;
        const char *word = word_of(step);
        if (fallback && !strchr(name->chars, '|')) {
            add(name, " | radix");
            add(kernels, "; fallback:");
        }
        add(name, "%s%s", *word ? "+" : "", word);
        add(kernels, " %s", kernel_name(kernel));
        if (step->work)
            add(kernels, " (%s)", step->work);
    }
}

static void learn(const struct text *name, const struct text *kernels)
{
    size_t i = 0;
    while (i < num_routes && strcmp(routes[i].name, name->chars) != 0)
        ++i;
    if (i == sizeof routes / sizeof *routes) {
        fprintf(stderr, "more than %zu routes\n", i);
        exit(1);
    }
    if (i < num_routes && strcmp(routes[i].kernels, kernels->chars) != 0) {
        fprintf(stderr, "the route '%s' is both%s and%s: give their kernels other words\n",
                name->chars, routes[i].kernels, kernels->chars);
        exit(1);
    }
    if (i == num_routes) {
        struct text copies[2] = {{0}};
        add(&copies[0], "%s", name->chars);
        add(&copies[1], "%s", kernels->chars);
        routes[num_routes++] = (struct route){copies[0].chars, copies[1].chars};
    }
}

static clsort_status make(size_t device, const clsort_desc *desc, struct plan *plan)
{
    struct problem problem;
    const clsort_status status = check_desc(desc, &problem).status;
    return status ? status : plan_make(&devices[device].facts, &problem, plan);
}

static void add_route(struct text *text, size_t device, const clsort_desc *desc)
{
    struct plan plan = {0};
    struct text kernels = {0};
    const clsort_status status = make(device, desc, &plan);
    if (status)
        add(text, "refused");
    else if (plan.num_steps == 0)
        add(text, "nothing");
    else {
        add(text, "%s", clsort_algorithm_name(plan.algorithm));
        add_steps(text, &kernels, &plan, 0);
        add_steps(text, &kernels, &plan, 1);
        learn(text, &kernels);
        add(text, "%s", plan.stable ? "" : "~");
    }
    free(kernels.chars);
    plan_finish(&plan);
}

static int compare_routes(const void *a, const void *b)
{
    return strcmp(((const struct route *)a)->name, ((const struct route *)b)->name);
}

static void print_routes(void)
{
    printf("\n==== The kernels of each route\n");
    qsort(routes, num_routes, sizeof *routes, compare_routes);
    for (size_t i = 0; i < num_routes; ++i) {
        printf("%s:%s\n", routes[i].name, routes[i].kernels);
        free(routes[i].name);
        free(routes[i].kernels);
    }
}

/* The powers of two that change the route. */
static char *list_powers(size_t device, clsort_desc desc)
{
    struct text line = {0}, last = {0};
    add(&last, "%s", "");
    add(&line, "%s", "");
    for (unsigned power = 0; power < NUM_POWERS; ++power) {
        struct text route = {0};
        desc.count = (uint64_t)1 << power;
        add_route(&route, device, &desc);
        if (strcmp(route.chars, last.chars) != 0)
            add(&line, " %u %s%s", power, route.chars, power + 1 < NUM_POWERS ? "," : "");
        free(last.chars);
        last = route;
    }
    free(last.chars);
    if (line.chars[line.length - 1] == ',')
        line.chars[line.length - 1] = '\0';
    return line.chars;
}

/* ---- Tables ---- */
/* The types whose routes of a table's cells are those of the cell [type][payload], each with its
 * payloads; types that have the same payloads in one line. Empties the cells. */
static void print_group(char *cells[CLSORT_NUM_TYPES][NUM_PAYLOADS], int type, size_t payload)
{
    char *const lines = cells[type][payload];
    uint32_t sets[CLSORT_NUM_TYPES] = {0};
    for (int t = 0; t < CLSORT_NUM_TYPES; ++t)
        for (size_t p = 0; p < NUM_PAYLOADS; ++p)
            if (cells[t][p] && strcmp(cells[t][p], lines) == 0) {
                sets[t] |= 1u << p;
                if (cells[t][p] != lines)
                    free(cells[t][p]);
                cells[t][p] = NULL;
            }
    for (int t = 0; t < CLSORT_NUM_TYPES; ++t) {
        const uint32_t set = sets[t];
        const char *separator = ": ";
        if (!set)
            continue;
        printf(" ");
        for (int same = t; same < CLSORT_NUM_TYPES; ++same)
            if (sets[same] == set) {
                printf(" %s", clsort_type_name((clsort_type)same));
                sets[same] = 0;
            }
        for (size_t p = 0; p < NUM_PAYLOADS; ++p)
            if (set >> p & 1) {
                printf("%s%s", separator, payloads[p].name);
                separator = ", ";
            }
        printf("\n");
    }
    printf("   %s\n", lines);
    free(lines);
}

static void print_types(size_t device)
{
    char *cells[CLSORT_NUM_TYPES][NUM_PAYLOADS];
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (size_t p = 0; p < NUM_PAYLOADS; ++p)
            cells[type][p] = list_powers(device, (clsort_desc){.type = (clsort_type)type,
                                                               .value_size = payloads[p].value_size,
                                                               .index_size = payloads[p].index_size,
                                                               .stable = payloads[p].stable});
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (size_t p = 0; p < NUM_PAYLOADS; ++p)
            if (cells[type][p])
                print_group(cells, type, p);
}

/* A line for all cases that have the same routes. */
static void print_cases(size_t device, clsort_algorithm algorithm, const struct single_case *list,
                        size_t num_cases)
{
    char *lines[NUM_AUTO_CASES];
    for (size_t i = 0; i < num_cases; ++i) {
        clsort_desc desc = list[i].desc;
        desc.algorithm = algorithm;
        lines[i] = list_powers(device, desc);
    }
    for (size_t i = 0; i < num_cases; ++i) {
        char *const line = lines[i];
        if (!line)
            continue;
        printf("  %s of %s", clsort_algorithm_name(algorithm), list[i].name);
        for (size_t same = i + 1; same < num_cases; ++same)
            if (lines[same] && strcmp(lines[same], line) == 0) {
                printf(", %s", list[same].name);
                free(lines[same]);
                lines[same] = NULL;
            }
        printf(":%s\n", line);
        free(line);
    }
}

/* ---- Sizes ---- */
static void print_size(size_t device, clsort_algorithm algorithm, const struct single_case *c)
{
    static const unsigned powers[] = {10, 16, 20, 24, 28};
    printf("  %s of %s:", clsort_algorithm_name(algorithm), c->name);
    for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
        struct plan plan = {0};
        clsort_desc desc = c->desc;
        desc.count = (uint64_t)1 << powers[i];
        desc.algorithm = algorithm;
        if (make(device, &desc, &plan) == CLSORT_OK)
            printf(" %u/%llu", (unsigned)plan.num_steps, (unsigned long long)plan.scratch_size);
        else
            printf(" -");
        plan_finish(&plan);
    }
    printf("\n");
}

static void print_sizes(size_t device)
{
    printf("\n%s, steps/bytes of scratch at 2^10, 2^16, 2^20, 2^24 and 2^28\n",
           devices[device].name);
    for (int algorithm = CLSORT_AUTO; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (size_t i = 0; i < NUM_CASES; ++i)
            if (cases[i].sized)
                print_size(device, (clsort_algorithm)algorithm, &cases[i]);
    for (size_t i = 0; i < NUM_AUTO_CASES; ++i)
        if (auto_cases[i].sized)
            print_size(device, CLSORT_AUTO, &auto_cases[i]);
}

int main(void)
{
    printf("The route of a sort on made-up devices, behind the exponent of two from which it is "
           "taken.\n"
           "~: not stable. What stands behind | sorts keys that a sample shows to be skewed.\n");
    for (size_t device = 0; device < sizeof devices / sizeof *devices; ++device) {
        printf("\n==== %s: %s\n\n", devices[device].name, devices[device].meaning);
        print_types(device);
        printf("\n");
        print_cases(device, CLSORT_AUTO, auto_cases, NUM_AUTO_CASES);
        for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
            print_cases(device, (clsort_algorithm)algorithm, cases, NUM_CASES);
        print_sizes(device);
    }
    print_routes();
    return 0;
}
