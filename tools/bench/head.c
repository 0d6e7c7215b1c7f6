/* head.c: what stands above and below the tables: of --report also the system, the processor, what
 * of the environment changes a sort, all devices, and the limits of the one that is measured; and
 * the plans behind the rows, with the seconds that each launch of a row that was measured takes on
 * the device. A row that was skipped since it would take too long is not run here either. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Variables that the library and drivers read. Those that are set are told. */
static const char *const variables[] = {
    "CLSORT_DEVICE",     "CLSORT_TUNING",          "CLSORT_LIMIT",    "OCL_ICD_VENDORS",
    "OCL_ICD_FILENAMES", "POCL_CACHE_DIR",         "POCL_DEVICES",    "POCL_MAX_PTHREAD_COUNT",
    "POCL_AFFINITY",     "POCL_EXTRA_BUILD_FLAGS", "CUDA_CACHE_PATH", "CUDA_VISIBLE_DEVICES",
    "RUSTICL_ENABLE"};
enum { NUM_VARIABLES = sizeof(variables) / sizeof(variables[0]) };

/* The processor's name as Linux has it, or "". */
static void name_processor(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    *name = '\0';
    while (file && !*name && fgets(line, sizeof(line), file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0)
            snprintf(name, size, "%.*s, ", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file)
        fclose(file);
}

static void print_system(const struct bench *bench)
{
    struct utsname system;
    char processor[256], memory[SIZE_TEXT];
    name_processor(processor, sizeof(processor));
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    size_text(pages * (uint64_t)sysconf(_SC_PAGESIZE), memory);
    if (uname(&system) == 0)
        bench_print_fact(bench, "system: %s %s %s; %s%ld threads, memory %s", system.sysname,
                         system.release, system.machine, processor, sysconf(_SC_NPROCESSORS_ONLN),
                         memory);
}

static void print_environment(const struct bench *bench)
{
    for (int i = 0; i < NUM_VARIABLES; i++) {
        const char *value = getenv(variables[i]);
        if (value)
            bench_print_fact(bench, "environment: %s=%s", variables[i], value);
    }
}

static void print_devices(const struct bench *bench)
{
    enum { MAX_DEVICES = 64 };
    cl_device_id devices[MAX_DEVICES];
    uint32_t num = 0;
    if (clsort_devices(devices, MAX_DEVICES, &num))
        return;
    for (uint32_t i = 0; i < num && i < MAX_DEVICES; i++) {
        struct device_facts facts;
        device_get_facts(devices[i], &facts);
        bench_print_fact(bench, "device %u%s: %s, %s on %s, driver %s, %s", (unsigned)i,
                         devices[i] == bench->device.id ? " (measured)" : "", facts.name,
                         facts.kind, facts.platform, facts.driver, facts.version);
    }
}

static void print_limits(const struct bench *bench)
{
    const struct device_facts *facts = &bench->device.facts;
    char memory[SIZE_TEXT], max_alloc[SIZE_TEXT], local_memory[SIZE_TEXT];
    size_t group_size = 0;
    cl_uint megahertz = 0, alignment = 0;
    cl_ulong cache = 0;
    GET_INFO(bench->device.id, MAX_WORK_GROUP_SIZE, group_size);
    GET_INFO(bench->device.id, MAX_CLOCK_FREQUENCY, megahertz);
    GET_INFO(bench->device.id, MEM_BASE_ADDR_ALIGN, alignment);
    GET_INFO(bench->device.id, GLOBAL_MEM_CACHE_SIZE, cache);
    bench_print_fact(
        bench,
        "limits: %u compute units at %u MHz, work-groups of %zu, local memory %s, memory %s%s, "
        "%s in one buffer, cache %" PRIu64 " bytes, alignment %u bits",
        (unsigned)facts->compute_units, (unsigned)megahertz, group_size,
        size_text(facts->local_memory, local_memory), size_text(facts->memory, memory),
        facts->is_unified ? " (the host's)" : "", size_text(facts->max_alloc, max_alloc),
        (uint64_t)cache, (unsigned)alignment);
}

/* The sorts that are compared with. */
static void print_others(const struct bench *bench)
{
    if (bench->old.sorter)
        bench_print_fact(bench, "old: clsort %s of %s", bench->old.version(),
                         bench->options.against);
    for (int i = bench->num_libraries; i < bench->num_sorts; i++) {
        const struct bench_opponent *sort = bench->sorts[i];
        bench_print_fact(bench, "%s: %s", sort->name, sort->about ? sort->about() : "");
    }
    for (int i = 0; i < bench->num_missing; i++)
        bench_print_fact(bench, "no %s: %s", bench->missing[i]->name, bench->missing[i]->missing);
    if (bench->options.is_ratios)
        bench_print_fact(bench,
                         "x: how many times as fast clsort is, the median of the rounds' ratios");
    else
        bench_print_fact(
            bench, "x: this row's time divided by that of the first sort (of old: of the same "
                   "sort), the median of the rounds' ratios, by device time where both have it");
}

static void print_table_head(const struct bench *bench)
{
    bench_print_fact(bench,
                     "medians, and +-: half of the distance between the quartiles; host time: "
                     "from the call to the end; device time: from before the first to after "
                     "the last command");
    bench_print_fact(bench, "copy bandwidth %.2f GB/s (read and written)%s", bench->copy_rate / 1e9,
                     bench->options.is_ratios ? "" : "; 'copy' is a sort's traffic against it");
    if (bench->num_sorts > 1 || bench->num_missing > 0)
        print_others(bench);
    bench_print_table_head(bench);
}

void bench_print_head(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    char indices[32] = "";
    progress_clear();
    if (options->is_report && !options->is_markdown)
        puts("```text");
    bench_print_fact(bench, "device %s (%s), driver %s, %s", facts->name, facts->platform,
                     facts->driver, facts->version);
    if (options->is_report) {
        print_system(bench);
        print_environment(bench);
        print_devices(bench);
        print_limits(bench);
    }
    if (options->index_size)
        snprintf(indices, sizeof(indices), "; indices of %u bytes", (unsigned)options->index_size);
    bench_print_fact(bench, "clsort %s; %" PRIu64 " rounds, seed %" PRIu64 "%s%s%s",
                     clsort_version(), options->repeat, options->seed, indices,
                     options->is_stable ? "; stable" : "",
                     options->is_out_of_place ? "; out of place" : "");
    print_table_head(bench);
    fflush(stdout);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

struct steps {
    clsort_plan plan;
    clsort_step *steps;
    double *seconds;
    double all; /* seconds; 0: it was not run, or the driver tells none */
};

/* Sorts once more, with a time for each step. */
static void time_steps(struct bench *bench, const struct bench_combination *keys,
                       const clsort_desc *desc, struct steps *steps)
{
    struct bench_opencl *opencl = &bench->opencl;
    clsort_sorter *sorter = bench->device.sorter;
    const clsort_plan *plan = &steps->plan;
    bench_opencl_begin(opencl, keys);
    bench_opencl_refresh(opencl, opencl->profiling_queue, desc->out_of_place != 0);
    if (opencl->result > 0) {
        const clsort_buffers buffers = bench_buffers(opencl, desc);
        uint32_t num = 0;
        clsort_set_timing(sorter, 1);
        bench_opencl_status(opencl, clsort_enqueue(sorter, opencl->profiling_queue, desc, &buffers,
                                                   0, NULL, NULL));
        bench_opencl_result(opencl, "clFinish", clFinish(opencl->profiling_queue));
        if (opencl->result > 0)
            clsort_get_timing(sorter, steps->seconds, plan->num_steps, &num);
        clsort_set_timing(sorter, 0);
        bench_opencl_check(opencl, bench->options.is_stable);
    }
    for (uint32_t i = 0; i < plan->num_steps && opencl->result > 0; i++)
        steps->all += steps->seconds[i];
    bench_opencl_end(opencl);
}

/* The plan, as it is when its kernels are compiled. */
static clsort_status get_steps(clsort_sorter *sorter, const clsort_desc *desc, struct steps *steps)
{
    clsort_plan *plan = &steps->plan;
    clsort_status status = clsort_get_plan(sorter, desc, plan, NULL, 0);
    if (!status)
        status = clsort_prepare(sorter, desc);
    if (!status)
        status = clsort_get_plan(sorter, desc, plan, NULL, 0);
    steps->steps = calloc(plan->num_steps + 1, sizeof(*steps->steps));
    steps->seconds = calloc(plan->num_steps + 1, sizeof(*steps->seconds));
    if (!status && (!steps->steps || !steps->seconds))
        status = CLSORT_ERROR_HOST_MEMORY;
    return status ? status : clsort_get_plan(sorter, desc, plan, steps->steps, plan->num_steps);
}

/* why: it has no times, or "". */
static void print_steps(const struct bench *bench, const struct steps *steps, const char *what,
                        const char *why)
{
    const clsort_plan *plan = &steps->plan;
    char scratch[SIZE_TEXT], time[BENCH_NOTE + 40] = "";
    if (*why)
        snprintf(time, sizeof(time), "; not run: %s", why);
    else if (steps->all > 0)
        snprintf(time, sizeof(time), ", %.3f ms on the device in all", 1e3 * steps->all);
    bench_print_fact(bench, "plan of %s: %s%s, %u step%s, scratch %s%s", what,
                     clsort_algorithm_name(plan->algorithm), plan->stable ? ", stable" : "",
                     (unsigned)plan->num_steps, plan->num_steps == 1 ? "" : "s",
                     size_text(plan->scratch_size, scratch), time);
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        const clsort_step *step = &steps->steps[i];
        if (steps->all > 0)
            snprintf(time, sizeof(time), " %10.3f ms", 1e3 * steps->seconds[i]);
        printf("%s%3u %-16s %10" PRIu64 " groups of %-4u local %6u%s\n",
               bench->options.is_markdown ? "      " : "#   ", (unsigned)i + 1, step->kernel,
               step->num_groups, (unsigned)step->group_size, (unsigned)step->local_size,
               steps->all > 0 ? time : "");
    }
}

static bool print_plan(struct bench *bench, const struct bench_row *row)
{
    const struct bench_combination *keys = row->keys;
    struct bench_opencl *opencl = &bench->opencl;
    const clsort_desc desc =
        bench_desc(&bench->options, keys->type, bench->options.algorithms[0], &keys->input);
    struct steps steps = {.steps = NULL};
    char name[BENCH_TYPE_TEXT], what[200], done[BENCH_SHAPE_TEXT];
    bench_shape_text(keys->shape, done);
    snprintf(what, sizeof(what), "%s of %" PRIu64 " %s, %s%s%s",
             clsort_algorithm_name(desc.algorithm), keys->input.count,
             bench_type_text(keys->type, name), bench_distribution_names[keys->input.distribution],
             *done ? ", " : "", done);
    const clsort_status status = get_steps(bench->device.sorter, &desc, &steps);
    opencl->result = 1;
    *opencl->why = '\0';
    if (!status && row->num_runs > 0)
        time_steps(bench, keys, &desc, &steps);
    if (opencl->result == BENCH_WRONG)
        message("%s: %s", what, opencl->why);
    else if (status)
        bench_print_fact(bench, "no plan of %s: %s", what, clsort_status_text(status));
    else if (opencl->result >= 0)
        print_steps(bench, &steps, what, row->num_runs > 0 ? opencl->why : row->note);
    free(steps.steps);
    free(steps.seconds);
    return opencl->result >= 0;
}

bool bench_print_plans(struct bench *bench)
{
    bool ok = true;
    progress_end();
    for (int i = 0; i < bench->num_rows && bench->options.is_report && ok; i += bench->num_sorts) {
        const struct bench_row *row = &bench->rows[i];
        ok = *row->keys->note || print_plan(bench, row);
    }
    return ok;
}

/* ---- The end --------------------------------------------------------------------------------- */

enum { ROW_TEXT = 300 };
static const char *row_text(const struct bench *bench, const struct bench_row *row,
                            char text[ROW_TEXT])
{
    char sort[BENCH_CELL], keys[BENCH_CELL], type[BENCH_TYPE_TEXT], shape[BENCH_SHAPE_TEXT];
    bench_shape_text(row->keys->shape, shape);
    snprintf(text, ROW_TEXT, "%s of %s %s, %s%s%s", bench_sort_text(bench, row, sort),
             bench_keys_text(row->keys->input.count, bench->options.is_markdown, keys),
             bench_type_text(row->keys->type, type),
             bench_distribution_names[row->keys->input.distribution], *shape ? ", " : "", shape);
    return text;
}

/* Whether a row before has the same sort and note. */
static bool is_told(const struct bench *bench, int i)
{
    const struct bench_row *row = &bench->rows[i];
    for (int before = 0; before < i; before++) {
        if (strcmp(bench->rows[before].opponent->name, row->opponent->name) == 0 &&
            strcmp(bench->rows[before].algorithm, row->algorithm) == 0 &&
            strcmp(bench->rows[before].note, row->note) == 0)
            return true;
    }
    return false;
}

/* Markdown's rows have no room for notes. */
static void print_notes(const struct bench *bench)
{
    char text[ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (*row->note && !is_told(bench, i))
            bench_print_fact(bench, "%s: %s", row_text(bench, row, text), row->note);
    }
}

static void print_noise(const struct bench *bench)
{
    const struct bench_row *worst = NULL;
    double most = bench->options.noise / 100;
    int num_noisy = 0, num_measured = 0;
    char name[ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const double spread = bench->rows[i].times[BENCH_HOST].spread;
        num_measured += bench->rows[i].num_runs > 1;
        num_noisy += 100 * spread > bench->options.noise;
        if (spread > most) {
            worst = &bench->rows[i];
            most = spread;
        }
    }
    if (worst)
        bench_print_fact(bench,
                         "noisy machine: the host times of %d of %d rows vary by more than "
                         "+-%.3g %%, most by +-%.0f %% (%s)",
                         num_noisy, num_measured, bench->options.noise, 100 * most,
                         row_text(bench, worst, name));
}

void bench_print_end(const struct bench *bench)
{
    if (bench->options.is_markdown) {
        printf("\n");
        print_notes(bench);
    }
    print_noise(bench);
    if (bench->options.is_report && !bench->options.is_markdown)
        puts("```");
    fflush(stdout);
}
