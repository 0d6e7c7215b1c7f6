#include "device.h"

#include "message.h"
#include "parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(facts->platform) - 1, facts->platform,
                          NULL) != CL_SUCCESS)
        snprintf(facts->platform, sizeof(facts->platform), "?");

    cl_device_type type = 0;
    cl_bool is_unified = CL_FALSE;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(is_unified), &is_unified, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(facts->compute_units),
                    &facts->compute_units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(facts->memory), &facts->memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(facts->max_alloc), &facts->max_alloc,
                    NULL);
    clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(facts->local_memory), &facts->local_memory,
                    NULL);
    facts->is_unified = is_unified == CL_TRUE;
    if (type & CL_DEVICE_TYPE_GPU)
        facts->kind = "GPU";
    else if (type & CL_DEVICE_TYPE_ACCELERATOR)
        facts->kind = "accelerator";
    else if (type & CL_DEVICE_TYPE_CPU)
        facts->kind = "CPU";
}

bool device_open(struct device *device, const char *selection)
{
    *device = (struct device){0};
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
    if (status) {
        message_of_status(status, NULL);
        return false;
    }
    clsort_set_host_threads(device->sorter, parallel_library_threads());
    device->context = clsort_context(device->sorter);
    device_get_facts(device->id, &device->facts);

    cl_int code;
    device->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS) {
        message_of_opencl("clCreateCommandQueue", code);
        device->queue = NULL;
        device_close(device);
        return false;
    }
    return true;
}

void device_limit_staging(struct device *device, uint64_t memory)
{
    enum {
        A_THREAD = 2 * (4 << 20)
    }; /* bytes: the largest ranges of clsort_sort_through(), twice */
    const uint64_t share = memory / 8, most = share / A_THREAD;
    const uint32_t all = parallel_library_threads();
    const uint32_t num = most < 1 ? 1 : most < all ? (uint32_t)most : all;
    if (device->facts.is_unified)
        return;
    clsort_set_host_threads(device->sorter, num);
    device->staging_size = num * (uint64_t)A_THREAD < share ? num * (uint64_t)A_THREAD : share;
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

bool device_exists(void)
{
    cl_device_id id;
    return clsort_find_device(NULL, &id) == CLSORT_OK;
}

bool device_is_absent(const clsort_desc *desc, const char *selection)
{
    return !is_asked_for(selection) && desc->algorithm == CLSORT_AUTO && !device_exists();
}

void device_close(struct device *device)
{
    if (device->queue)
        clReleaseCommandQueue(device->queue);
    clsort_destroy(device->sorter);
    *device = (struct device){0};
}

/* The library keeps nothing of a sorter that it has not made: the file is looked at again. */
static void message_of_tuning(void)
{
    char sentence[1024];
    if (clsort_check_tuning(NULL, sentence, sizeof(sentence), NULL))
        message("%s", sentence);
    else
        message("%s", clsort_status_text(CLSORT_ERROR_TUNING));
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

static const char *option_of(const char *argument)
{
    for (int i = 0; i < NUM_ARGUMENT_OPTIONS; i++) {
        const size_t length = strlen(argument_options[i].argument);
        if (strncmp(argument, argument_options[i].argument, length) == 0 &&
            (argument[length] == '\0' || argument[length] == '.'))
            return argument_options[i].option;
    }
    return NULL;
}

static void message_of_refusal(const char *sentence, const char *argument)
{
    const char *option = option_of(argument);
    if (option)
        message("%s: %s", option, sentence);
    else
        message("%s", sentence);
}

void message_of_status(clsort_status status, clsort_sorter *sorter)
{
    clsort_error_info info = {.argument = "", .call = "", .build_log = ""};
    if (sorter)
        clsort_last_error(sorter, &info);
    if (status == CLSORT_ERROR_TUNING)
        message_of_tuning();
    else if (info.status != status || (status != CLSORT_ERROR_BUILD && info.cl_code == CL_SUCCESS))
        message_of_refusal(clsort_status_text(status), info.status == status ? info.argument : "");
    else if (status == CLSORT_ERROR_BUILD)
        message("a kernel did not compile; the compiler says:\n%s", info.build_log);
    else if (status == CLSORT_ERROR_OPENCL)
        message_of_opencl(info.call, info.cl_code);
    else
        message("%s (%s: error %d)", clsort_status_text(status), info.call, (int)info.cl_code);
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
