/* machine.c: what 'clsort bench --report' tells about the machine: system, processor, what
 * of the environment changes a sort, all devices, and the limits of the one that is measured. */
#include "bench/bench.h"

#include "cli/message.h"

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
    clGetDeviceInfo(bench->device.id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group_size),
                    &group_size, NULL);
    clGetDeviceInfo(bench->device.id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(megahertz), &megahertz,
                    NULL);
    clGetDeviceInfo(bench->device.id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(alignment), &alignment,
                    NULL);
    clGetDeviceInfo(bench->device.id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cache), &cache, NULL);
    bench_print_fact(
        bench,
        "limits: %u compute units at %u MHz, work-groups of %zu, local memory %s, memory %s%s, "
        "%s in one buffer, cache %" PRIu64 " bytes, alignment %u bits",
        (unsigned)facts->compute_units, (unsigned)megahertz, group_size,
        size_text(facts->local_memory, local_memory), size_text(facts->memory, memory),
        facts->is_unified ? " (the host's)" : "", size_text(facts->max_alloc, max_alloc),
        (uint64_t)cache, (unsigned)alignment);
}

void bench_print_machine(const struct bench *bench)
{
    print_system(bench);
    print_environment(bench);
    print_devices(bench);
    print_limits(bench);
}
