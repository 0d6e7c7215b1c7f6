/* head.c: what stands above and below the tables: of --report also the system, the processor, what
 * of the environment changes a sort, all devices, and the limits of the one that is measured. */
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
    char text[BENCH_ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (*row->note && !is_told(bench, i))
            bench_print_fact(bench, "%s: %s", bench_row_text(bench, row, text), row->note);
    }
}

static void print_noise(const struct bench *bench)
{
    const struct bench_row *worst = NULL;
    int num_noisy = 0, num_measured = 0;
    char name[BENCH_ROW_TEXT];
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        const double spread = row->times[BENCH_HOST].spread;
        num_measured += row->num_runs > 1;
        num_noisy += 100 * spread > bench->options.noise;
        if (100 * spread > bench->options.noise &&
            (!worst || spread > worst->times[BENCH_HOST].spread))
            worst = row;
    }
    if (worst)
        bench_print_fact(bench,
                         "noisy machine: the host times of %d of %d rows vary by more than "
                         "+-%.3g %%, most by +-%.0f %% (%s)",
                         num_noisy, num_measured, bench->options.noise,
                         100 * worst->times[BENCH_HOST].spread, bench_row_text(bench, worst, name));
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
