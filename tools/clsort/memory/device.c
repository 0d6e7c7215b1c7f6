#include "memory/device.h"

#include "memory/host_memory.h"
#include "cli/message.h"
#include "memory/parallel.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void get_text(cl_device_id id, cl_device_info what, char *text, size_t size)
{
    if (clGetDeviceInfo(id, what, size, text, NULL) != CL_SUCCESS)
        snprintf(text, size, "?");
    text[size - 1] = '\0';
}

void device_get_facts(cl_device_id id, struct device_facts *facts)
{
    *facts = (struct device_facts){.kind = "other"};
    get_text(id, CL_DEVICE_NAME, facts->name, sizeof(facts->name));
    get_text(id, CL_DRIVER_VERSION, facts->driver, sizeof(facts->driver));
    get_text(id, CL_DEVICE_VERSION, facts->version, sizeof(facts->version));
    cl_platform_id platform = NULL;
    GET_INFO(id, PLATFORM, platform);
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(facts->platform) - 1, facts->platform,
                          NULL) != CL_SUCCESS)
        snprintf(facts->platform, sizeof(facts->platform), "?");

    cl_device_type type = 0;
    cl_bool is_unified = CL_FALSE;
    GET_INFO(id, TYPE, type);
    GET_INFO(id, HOST_UNIFIED_MEMORY, is_unified);
    GET_INFO(id, MAX_COMPUTE_UNITS, facts->compute_units);
    GET_INFO(id, GLOBAL_MEM_SIZE, facts->memory);
    GET_INFO(id, MAX_MEM_ALLOC_SIZE, facts->max_alloc);
    GET_INFO(id, LOCAL_MEM_SIZE, facts->local_memory);
    facts->is_unified = is_unified == CL_TRUE;
    if (type & CL_DEVICE_TYPE_GPU)
        facts->kind = "GPU";
    else if (type & CL_DEVICE_TYPE_ACCELERATOR)
        facts->kind = "accelerator";
    else if (type & CL_DEVICE_TYPE_CPU)
        facts->kind = "CPU";
}

/* Bytes that a driver takes at least. A lower -S is too little for it and arrays. */
enum { A_DRIVER = 64 << 20 };

/* What a driver needs of the room that the process's limits leave: PoCL aborts the process where it
 * finds less. Threads, one a processor, have stacks, and heaps of 64 MiB. */
static uint64_t driver_room(uint64_t base, uint64_t thread)
{
    const long num = sysconf(_SC_NPROCESSORS_ONLN);
    return base + thread * (uint64_t)(num < 1 ? 1 : num);
}

bool device_has_room(void)
{
    char need[SIZE_TEXT], have[SIZE_TEXT];
    const uint64_t least = driver_room(UINT64_C(512) << 20, 64 << 20), room = host_memory_room();
    if (room >= least)
        return true;
    message("a device's driver needs about %s of memory, and 'ulimit -v' or 'ulimit -d' leaves %s; "
            "raise the limit, or sort without asking for a device",
            size_text(least, need), size_text(room, have));
    return false;
}

/* What the process had in use before any driver. */
static uint64_t resident_before(void)
{
    static atomic_uint_fast64_t before;
    uint_fast64_t none = 0;
    if (atomic_load(&before) == 0)
        atomic_compare_exchange_strong(&before, &none, host_memory_resident());
    return atomic_load(&before);
}

bool device_open(struct device *device, const char *selection)
{
    *device = (struct device){0};
    const uint64_t before = resident_before();
    if (!device_has_room())
        return false;
    clsort_status status = clsort_find_device(selection, &device->id);
    if (status == CLSORT_ERROR_DEVICE_NOT_FOUND) {
        const char *variable = getenv("CLSORT_DEVICE");
        message("no OpenCL device fits %s%s; 'clsort devices' lists those there are",
                selection ? "-D " : "CLSORT_DEVICE=",
                selection  ? selection
                : variable ? variable
                           : "");
        return false;
    }
    if (!status)
        status = clsort_create(NULL, device->id, &device->sorter);
    if (!device_succeeded(status, NULL))
        return false;
    clsort_set_host_threads(device->sorter, parallel_library_threads());
    device->context = clsort_context(device->sorter);
    device_get_facts(device->id, &device->facts);
    const uint64_t now = host_memory_resident();
    device->driver_size = now > before ? now - before : 0;
    return true;
}

void device_limit_host(struct device *device, uint64_t memory)
{
    enum {
        A_THREAD = 2 * (4 << 20), /* bytes: the largest ranges of clsort_sort_through(), twice */
        UNCOUNTED = 32 << 20
    };
    const uint64_t share = memory / 8, most = share / A_THREAD, size = device->driver_size;
    const uint32_t all = parallel_library_threads();
    const uint32_t num = most < 1 ? 1 : most < all ? (uint32_t)most : all;
    const uint64_t driver = memory >= A_DRIVER && size > UNCOUNTED ? size - UNCOUNTED : 0;
    device->host_size = driver < memory / 2 ? driver : memory / 2;
    if (device->facts.is_unified) {
        /* its threads sort while one of the tool's reads or writes */
        clsort_set_host_threads(device->sorter, all > 1 ? all - 1 : 1);
        return;
    }
    clsort_set_host_threads(device->sorter, num);
    device->host_size += num * (uint64_t)A_THREAD < share ? num * (uint64_t)A_THREAD : share;
}

uint64_t device_leaves(uint64_t memory)
{
    enum { USUAL = 48 << 20 };
    return memory - (memory / 2 < USUAL ? memory / 2 : USUAL);
}

static bool is_asked_for(const char *selection)
{
    static const char *const variables[] = {"CLSORT_DEVICE", "CLSORT_TUNING"};
    for (int i = 0; i < 2; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return true;
    }
    return selection != NULL;
}

bool device_is_needless(const clsort_desc *desc, const char *selection)
{
    return !is_asked_for(selection) && clsort_sorts_on_host(NULL, desc);
}

bool device_exists(uint64_t memory)
{
    cl_device_id id;
    resident_before();
    /* Arrays take half of the room at most. */
    return memory >= A_DRIVER &&
           host_memory_room() / 2 >= driver_room(UINT64_C(1) << 30, 128 << 20) &&
           clsort_find_device(NULL, &id) == CLSORT_OK;
}

bool device_is_absent(const clsort_desc *desc, const char *selection, uint64_t memory)
{
    return !is_asked_for(selection) && desc->algorithm == CLSORT_AUTO && !device_exists(memory);
}

bool device_fits(const struct device *device, const clsort_desc *desc, uint64_t size,
                 uint64_t largest, uint64_t *host_ret)
{
    const struct device_facts *facts = &device->facts;
    clsort_plan plan;
    if (clsort_get_plan(device->sorter, desc, &plan, NULL, 0))
        return false;
    *host_ret = device->host_size + (facts->is_unified ? plan.scratch_size : 0);
    return size + plan.scratch_size <= facts->memory - facts->memory / 10 &&
           largest <= facts->max_alloc && plan.scratch_size <= facts->max_alloc;
}

void device_sort_arrays(const struct device *device, const clsort_desc *desc,
                        const clsort_arrays *arrays)
{
    if (device->sorter)
        device_check(clsort_sort(device->sorter, desc, arrays), device->sorter);
    else
        host_sort(desc, arrays);
}

void device_close(struct device *device)
{
    clsort_destroy(device->sorter);
    *device = (struct device){0};
}

/* The options that stand for what a refused call was about. */
static const struct {
    const char *argument;
    const char *option;
} argument_options[] = {
    {"desc.count", "the number of keys"},
    {"desc.type", "-y"},
    {"desc.order", "-r"},
    {"desc.algorithm", "-a"},
    {"desc.stable", "--stable"},
    {"desc.value_size", "--values"},
    {"desc.value_sizes", "--values"},
    {"desc.index_size", "--argsort"},
    {"desc.num_arrays", "--arrays"},
    {"desc.strings", "--lines"},
    {"offsets", "--segments"},
};
enum { NUM_ARGUMENT_OPTIONS = sizeof(argument_options) / sizeof(argument_options[0]) };

static void message_of_refusal(const char *sentence, const char *argument)
{
    const char *option = "";
    for (int i = 0; i < NUM_ARGUMENT_OPTIONS; i++) {
        const size_t length = strlen(argument_options[i].argument);
        if (strncmp(argument, argument_options[i].argument, length) == 0 &&
            (argument[length] == '\0' || argument[length] == '.'))
            option = argument_options[i].option;
    }
    message("%s%s%s", option, *option ? ": " : "", sentence);
}

bool device_succeeded(clsort_status status, clsort_sorter *sorter)
{
    clsort_error_info info = {.argument = "", .call = "", .build_log = ""};
    char tuning[1024];
    if (!status)
        return true;
    if (sorter)
        clsort_last_error(sorter, &info);
    /* The library keeps nothing of a sorter that it has not made: the file is looked at again. */
    if (status == CLSORT_ERROR_TUNING && clsort_check_tuning(NULL, tuning, sizeof(tuning), NULL))
        message("%s", tuning);
    else if (info.status != status || (status != CLSORT_ERROR_BUILD && info.cl_code == CL_SUCCESS))
        message_of_refusal(clsort_status_text(status), info.status == status ? info.argument : "");
    else if (status == CLSORT_ERROR_BUILD)
        message("a kernel did not compile; the compiler says:\n%s", info.build_log);
    else if (status == CLSORT_ERROR_OPENCL)
        message_of_opencl(info.call, info.cl_code);
    else
        message("%s (%s: error %d)", clsort_status_text(status), info.call, (int)info.cl_code);
    return false;
}

void device_check(clsort_status status, clsort_sorter *sorter)
{
    if (!device_succeeded(status, sorter))
        die_told();
}

void message_of_opencl(const char *call, cl_int code)
{
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
        code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE)
        message("out of memory on the device (%s: error %d); sort fewer keys, or use another "
                "device with -D",
                call, (int)code);
    else
        message("an OpenCL call failed: %s: error %d", call, (int)code);
}
