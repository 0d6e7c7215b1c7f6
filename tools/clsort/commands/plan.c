/* plan.c: 'clsort plan'. */
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "io/bytes.h"
#include "memory/device.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: clsort plan -N COUNT [OPTION]...\n"
    "\n"
    "Shows the steps of a sort, each a kernel launch, without running it. Keys that are few\n"
    "enough for the host have no steps, unless a device or an algorithm is named. If a plan\n"
    "holds two sorts of the keys, the device runs one; each step says which it belongs to.\n"
    "\n"
    "  -N, --count COUNT      keys in an array: 65536, 1e6 or 2^20\n"
    "  -y, --type TYPE        (default u32)" TYPE_NAMES ";\n"
    "                         as for 'clsort bench', u32+u32 or struct16f, too\n"
    "  -r, --reverse          descending\n"
    "  -a, --algorithm NAME   (default auto)" ALGORITHM_NAMES "\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "      --stable           ask for a stable algorithm\n"
    "      --values SIZE      a value of SIZE bytes moves with each key\n"
    "      --argsort[=4|8]    indices of 4 (the default) or 8 bytes instead of keys\n"
    "      --arrays COUNT     that many arrays of the count of -N each\n"
    "      --rows LENGTH      all keys in rows of that many, each sorted by itself\n"
    "      --segments LENGTH  the same as segments; or power or half, as for 'clsort bench'\n"
    "      --limit PLACES     only that many of the order, or of each row's or segment's\n"
    "      --skip PLACES      places before them that are left out: 100, or 50%\n"
    "      --json             one line of JSON instead\n"
    "  -h, --help             this text\n"
    "\n"
    "Examples:\n"
    "  clsort plan -N 2^24\n"
    "  clsort plan -N 1e6 -y u64+u64 --stable\n"
    "  clsort plan -N 2^20 --rows 1000 --limit 10 --json";

struct plan_options {
    clsort_desc desc;           /* what else is asked for */
    struct bench_options bench; /* the type, and the shape */
    const char *device;
    bool is_json, is_stable;
};

static struct plan_options options;

static void print_text(clsort_sorter *sorter, const clsort_desc *desc)
{
    size_t size = 0;
    device_check(clsort_get_plan_text(sorter, desc, NULL, 0, &size), sorter);
    char *text = zeroed(size + 1, 1);
    device_check(clsort_get_plan_text(sorter, desc, text, size + 1, NULL), sorter);
    fputs(text, stdout);
    free(text);
}

static void print_step(struct json *json, const clsort_step *step, clsort_role role)
{
    static const char *const roles[] = {"only", "main", "fallback"};
    json_open(json, NULL, '{');
    json_text(json, "kernel", step->kernel);
    json_text(json, "sort", roles[role]);
    json_count(json, "num_groups", step->num_groups);
    json_count(json, "group_size", step->group_size);
    json_count(json, "local_size", step->local_size);
    json_count(json, "compares", step->compares);
    json_count(json, "exchanges", step->exchanges);
    json_count(json, "bytes_read", step->bytes_read);
    json_count(json, "bytes_written", step->bytes_written);
    json_close(json, '}');
}

struct steps {
    clsort_plan plan;
    clsort_step *steps;
    clsort_role *roles;
};

static void steps_get(clsort_sorter *sorter, const clsort_desc *desc, struct steps *steps)
{
    device_check(clsort_get_plan(sorter, desc, &steps->plan, NULL, 0), sorter);
    const uint32_t num = steps->plan.num_steps;
    steps->steps = zeroed(num + 1, sizeof(*steps->steps));
    steps->roles = zeroed(num + 1, sizeof(*steps->roles));
    device_check(clsort_get_plan(sorter, desc, &steps->plan, steps->steps, num), sorter);
    device_check(clsort_get_plan_roles(sorter, desc, steps->roles, num), sorter);
}

/* What is sorted without a device (NULL) has no steps. */
static void print_json(const struct device *device, const clsort_desc *desc)
{
    struct steps steps = {.plan.stable = 1};
    const clsort_plan *plan = &steps.plan;
    struct json json;
    if (device)
        steps_get(device->sorter, desc, &steps);
    json_begin(&json);
    if (device)
        json_device(&json, &device->facts);
    else
        json_text(&json, "device", NULL);
    json_text(&json, "type", bench_key_text(options.bench.types[0]));
    json_text(&json, "order", desc->order ? "descending" : "ascending");
    json_count(&json, "count", desc->count);
    json_count(&json, "num_arrays", desc->num_arrays ? desc->num_arrays : 1);
    json_count(&json, "value_size", desc->value_size);
    json_count(&json, "index_size", desc->index_size);
    json_count(&json, "num_segments", desc->num_segments);
    json_count(&json, "skip", desc->skip);
    json_count(&json, "limit", desc->limit);
    json_text(&json, "algorithm", device ? clsort_algorithm_name(plan->algorithm) : "host");
    json_flag(&json, "stable", plan->stable != 0);
    json_count(&json, "compares", plan->compares);
    json_count(&json, "exchanges", plan->exchanges);
    json_count(&json, "bytes_read", plan->bytes_read);
    json_count(&json, "bytes_written", plan->bytes_written);
    json_count(&json, "scratch_size", plan->scratch_size);
    json_open(&json, "steps", '[');
    for (uint32_t i = 0; i < plan->num_steps; i++)
        print_step(&json, &steps.steps[i], steps.roles[i]);
    json_close(&json, ']');
    free(steps.steps);
    free(steps.roles);
    json_end(&json, stdout);
}

static void print_host(const clsort_desc *desc)
{
    printf("host: ");
    if (desc->num_arrays > 1)
        printf("%" PRIu64 " arrays of ", desc->num_arrays);
    printf("%" PRIu64 " %s keys are sorted by the calling thread; -D shows a device's steps\n",
           desc->count, bench_key_text(options.bench.types[0]));
}

static void print_plan(const clsort_desc *desc)
{
    struct device device = {0};
    const bool has_device = !device_is_needless(desc, options.device);
    if (has_device && !device_open(&device, options.device))
        die_told();
    if (options.is_json)
        print_json(has_device ? &device : NULL, desc);
    else if (has_device)
        print_text(device.sorter, desc);
    else
        print_host(desc);
    device_close(&device);
}

/* One item of what is a list for 'clsort bench'. */
static bool take_one(const struct argument *argument, const char *text, void *bench)
{
    const enum bench_list list = (enum bench_list)argument->first;
    if (!bench_parse_list(list, text, bench))
        return false;
    if (options.bench.num[list] == 1)
        return true;
    message("'%s' is a list; a plan is of one sort, 'clsort bench' takes lists", text);
    return false;
}

/* The description of the sort. */
static void describe(void)
{
    struct bench_options *bench = &options.bench;
    const clsort_desc asked = options.desc;
    /* Far more keys than any device's would take hours to lay out in segments. */
    const struct device_facts facts = {.memory = UINT64_C(1) << 42, .max_alloc = UINT64_C(1) << 42};
    struct bench_type type = bench->types[0]; /* u32 unless one is given */
    char note[BENCH_NOTE];
    if (type.value_size == 0)
        type.value_size = (uint32_t)asked.value_size;
    if (type.value_size > 0 && asked.index_size > 0)
        die("values and --argsort exclude each other");
    if (!bench_make_shapes(bench))
        die_told();
    struct bench_input input =
        bench_input_make(type, asked.count > 0 ? asked.count : 1, BENCH_RANDOM, 1);
    if (asked.count > 0 &&
        !bench_shape_input(&facts, &bench->shapes[0], asked.index_size, &input, note))
        die("%s", note);
    options.desc = bench_desc(bench, type, asked.algorithm, &input);
    if (asked.count == 0)
        options.desc.count = 0;
    options.desc.order = asked.order;
    options.desc.stable = options.is_stable;
    if (asked.num_arrays > 0)
        options.desc.num_arrays = asked.num_arrays;
}

int command_plan(int argc, char **argv)
{
    static const struct argument arguments[] = {
        {"count", 'N', .number = &options.desc.count, .last = UINT64_MAX},
        {"type", 'y', .take = take_one, required_argument, .first = LIST_TYPES,
         .values = TYPE_NAMES},
        {"reverse", 'r', .order = &options.desc.order},
        {"algorithm", 'a', .algorithm = &options.desc.algorithm},
        {"device", 'D', .text = &options.device},
        {"stable", .flag = &options.is_stable},
        {"values", .size = &options.desc.value_size, .first = 1, .last = UINT32_MAX,
         .what = "the size of a value"},
        {"argsort", .index_size = &options.desc.index_size},
        {"arrays", .number = &options.desc.num_arrays, .first = 1, .last = UINT64_MAX,
         .what = "the number of arrays"},
        {"rows", .take = take_one, required_argument, .first = LIST_ROWS},
        {"segments", .take = take_one, required_argument, .first = LIST_SEGMENTS},
        {"limit", .take = take_one, required_argument, .first = LIST_LIMITS},
        {"skip", .take = bench_take_skip, required_argument, &options.bench.skip},
        {"json", .flag = &options.is_json},
        {0}};
    static const struct exclusion exclusions[] = {
        {"values", "argsort", "indices are what moves with the keys"},
        {"arrays", "rows", "rows are arrays"},
        {"arrays", "segments", "segments are of one array"},
        {"rows", "segments", "each is a shape of its own"},
        {0}};
    static const struct command_line line = {"plan", help, .arguments = arguments,
                                             .exclusions = exclusions};
    const int status = command_line_read(&line, argc, argv, &options.bench);
    if (status != GO_ON)
        return status;
    if (!command_line_has("count"))
        die("give the number of keys with -N; try 'clsort plan --help'");
    describe();
    print_plan(&options.desc);
    return EXIT_DONE;
}
