/* plan.c: 'clsort plan'. */
#include "command.h"
#include "command_line.h"
#include "device.h"
#include "json.h"
#include "message.h"
#include "options.h"

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
    "  -y, --type TYPE        (default u32)" TYPE_NAMES "\n"
    "  -r, --reverse          descending\n"
    "  -a, --algorithm NAME   (default auto)" ALGORITHM_NAMES "\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "      --stable           ask for a stable algorithm\n"
    "      --values SIZE      a value of SIZE bytes moves with each key\n"
    "      --argsort[=4|8]    indices of 4 (the default) or 8 bytes instead of keys\n"
    "      --arrays COUNT     that many arrays of the count of -N each\n"
    "      --json             one line of JSON instead\n"
    "  -h, --help             this text";

static bool print_text(clsort_sorter *sorter, const clsort_desc *desc)
{
    size_t size = 0;
    clsort_status status = clsort_get_plan_text(sorter, desc, NULL, 0, &size);
    if (status) {
        message_of_status(status, sorter);
        return false;
    }
    char *text = malloc(size + 1);
    if (!text) {
        message("out of memory");
        return false;
    }
    text[0] = '\0';
    status = clsort_get_plan_text(sorter, desc, text, size + 1, NULL);
    if (status)
        message_of_status(status, sorter);
    else
        fputs(text, stdout);
    free(text);
    return !status;
}

static const char *name_of_role(clsort_role role)
{
    static const char *const names[] = {"only", "main", "fallback"};
    return names[role];
}

static cJSON *json_of_step(const clsort_step *step, clsort_role role)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kernel", step->kernel);
    cJSON_AddStringToObject(object, "sort", name_of_role(role));
    json_add_u64(object, "num_groups", step->num_groups);
    json_add_u64(object, "group_size", step->group_size);
    json_add_u64(object, "local_size", step->local_size);
    json_add_u64(object, "compares", step->compares);
    json_add_u64(object, "exchanges", step->exchanges);
    json_add_u64(object, "bytes_read", step->bytes_read);
    json_add_u64(object, "bytes_written", step->bytes_written);
    return object;
}

struct steps {
    clsort_plan plan;
    clsort_step *steps;
    clsort_role *roles;
};

static void steps_free(struct steps *steps)
{
    free(steps->steps);
    free(steps->roles);
}

/* Says what is wrong. */
static bool steps_get(const struct device *device, const clsort_desc *desc, struct steps *steps)
{
    clsort_status status = clsort_get_plan(device->sorter, desc, &steps->plan, NULL, 0);
    if (!status) {
        const uint32_t num_steps = steps->plan.num_steps;
        steps->steps = calloc(num_steps + 1, sizeof(*steps->steps));
        steps->roles = calloc(num_steps + 1, sizeof(*steps->roles));
        if (!steps->steps || !steps->roles) {
            message("out of memory");
            return false;
        }
        status = clsort_get_plan(device->sorter, desc, &steps->plan, steps->steps, num_steps);
        if (!status)
            status = clsort_get_plan_roles(device->sorter, desc, steps->roles, num_steps);
    }
    if (status)
        message_of_status(status, device->sorter);
    return !status;
}

/* What is sorted, the same for a device and the host. */
static void add_problem(cJSON *object, const clsort_desc *desc)
{
    cJSON_AddStringToObject(object, "type", clsort_type_name(desc->type));
    cJSON_AddStringToObject(object, "order", desc->order ? "descending" : "ascending");
    json_add_u64(object, "count", desc->count);
    json_add_u64(object, "num_arrays", desc->num_arrays ? desc->num_arrays : 1);
    json_add_u64(object, "value_size", desc->value_size);
    json_add_u64(object, "index_size", desc->index_size);
}

static void add_sums(cJSON *object, const clsort_plan *plan)
{
    cJSON_AddBoolToObject(object, "stable", plan->stable != 0);
    json_add_u64(object, "compares", plan->compares);
    json_add_u64(object, "exchanges", plan->exchanges);
    json_add_u64(object, "bytes_read", plan->bytes_read);
    json_add_u64(object, "bytes_written", plan->bytes_written);
    json_add_u64(object, "scratch_size", plan->scratch_size);
}

static cJSON *json_of_plan(const struct device *device, const clsort_desc *desc,
                           const struct steps *steps)
{
    const clsort_plan *plan = &steps->plan;
    cJSON *object = cJSON_CreateObject();
    json_add_device(object, &device->facts);
    add_problem(object, desc);
    cJSON_AddStringToObject(object, "algorithm", clsort_algorithm_name(plan->algorithm));
    add_sums(object, plan);
    cJSON *list = cJSON_AddArrayToObject(object, "steps");
    for (uint32_t i = 0; i < plan->num_steps; i++)
        cJSON_AddItemToArray(list, json_of_step(&steps->steps[i], steps->roles[i]));
    return object;
}

static bool print_json(const struct device *device, const clsort_desc *desc)
{
    struct steps steps = {0};
    const bool ok = steps_get(device, desc, &steps) &&
                    json_print_line(stdout, json_of_plan(device, desc, &steps));
    steps_free(&steps);
    return ok;
}

/* What is sorted without a device has no steps. */
static bool print_host(const clsort_desc *desc, bool is_json)
{
    const clsort_plan plan = {.stable = 1};
    if (!is_json) {
        printf("host: ");
        if (desc->num_arrays > 1)
            printf("%" PRIu64 " arrays of ", desc->num_arrays);
        printf("%" PRIu64 " %s keys are sorted by the calling thread; -D shows a device's steps\n",
               desc->count, clsort_type_name(desc->type));
        return true;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNullToObject(object, "device");
    add_problem(object, desc);
    cJSON_AddStringToObject(object, "algorithm", "host");
    add_sums(object, &plan);
    (void)cJSON_AddArrayToObject(object, "steps");
    return json_print_line(stdout, object);
}

static int print_plan(const clsort_desc *desc, const char *selection, bool is_json)
{
    if (device_is_needless(desc, selection))
        return print_host(desc, is_json) ? EXIT_DONE : EXIT_TROUBLE;
    struct device device;
    if (!device_open(&device, selection))
        return EXIT_TROUBLE;
    const bool ok = is_json ? print_json(&device, desc) : print_text(device.sorter, desc);
    device_close(&device);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

static const struct option plan_table[] = {ROW_COUNT,  ROW_TYPE,   ROW_REVERSE, ROW_ALGORITHM,
                                           ROW_DEVICE, ROW_STABLE, ROW_VALUES,  ROW_ARGSORT,
                                           ROW_ARRAYS, ROW_JSON,   ROW_HELP,    ROW_END};
static const char plan_letters[] = ":N:y:ra:D:h";

struct plan_options {
    clsort_desc desc;
    const char *device;
    bool has_count, is_json;
};

static bool take_option(int c, void *context)
{
    struct plan_options *options = context;
    switch (c) {
    case 'N':
        options->has_count = true;
        return parse_count(optarg, &options->desc.count);
    case 'D':
        options->device = optarg;
        return true;
    case OPTION_JSON:
        options->is_json = true;
        return has_json();
    default:
        return take_desc_option(c, &options->desc);
    }
}

int command_plan(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {
        {OPTION_VALUES, OPTION_ARGSORT, "indices are what moves with the keys"}, {0, 0, NULL}};
    static const struct command_line line = {"plan",     help, plan_letters, plan_table,
                                             exclusions, 0,    take_option};
    struct plan_options options = {.has_count = false};
    int status;
    if (!command_line_read(&line, argc, argv, &options, &status))
        return status;
    if (!options.has_count) {
        message("give the number of keys with -N; try 'clsort plan --help'");
        return EXIT_TROUBLE;
    }
    return print_plan(&options.desc, options.device, options.is_json);
}
