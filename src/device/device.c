/* device.c: queries the facts of a device. */
#include "device/device.h"

#include "base/math.h"

#include <stdlib.h>
#include <string.h>

/* From the vendors' extension headers. On other devices these queries just fail. */
#define QUERY_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define QUERY_WARP_SIZE_NV 0x4003
#define QUERY_WAVEFRONT_WIDTH_AMD 0x4043

#define NAME_CAPACITY 256
#define INTEL_SUBGROUP 16 /* required by intel_reqd_sub_group_size */

/* A number of any size; 0 if the query fails. The host is little-endian, as the devices are. */
static uint64_t query(cl_device_id device, cl_device_info name)
{
    cl_ulong value = 0;
    return clGetDeviceInfo(device, name, sizeof value, &value, NULL) ? 0 : value;
}

static int has_extension(cl_device_id device, const char *extension)
{
    size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) || size == 0)
        return 0;
    char *list = malloc(size);
    int found = 0;
    if (list && !clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list, NULL)) {
        const size_t length = strlen(extension);
        for (const char *at = list; (at = strstr(at, extension)); at += length) {
            const int starts = at == list || at[-1] == ' ';
            found = found || (starts && (at[length] == ' ' || at[length] == 0));
        }
    }
    free(list);
    return found;
}

/* Mesa's llvmpipe is a CPU that runs kernels as a GPU does. It silently ends the loops of a
 * work-item after 65535 iterations in all. So the CPU kernels, in which a work-item loops over many
 * elements, must not run on it. */
static int is_llvmpipe(cl_device_id device)
{
    char name[NAME_CAPACITY] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    return strncmp(name, "llvmpipe", 8) == 0;
}

static enum device_class query_class(cl_device_id device)
{
    cl_device_type type = 0;
    char vendor[NAME_CAPACITY] = "", version[NAME_CAPACITY] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL);
    if (type & CL_DEVICE_TYPE_CPU)
        return is_llvmpipe(device) ? DEVICE_OTHER : DEVICE_CPU;
    static const struct {
        const char *vendor;
        enum device_class class;
    } vendors[] = {
        {"NVIDIA", DEVICE_NVIDIA},
        {"Advanced Micro Devices", DEVICE_AMD},
        {"AMD", DEVICE_AMD},
        {"Intel", DEVICE_INTEL},
    };
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; ++i) {
        if (strstr(vendor, vendors[i].vendor) &&
            !strstr(version, "PoCL")) /* PoCL takes no inline PTX */
            return vendors[i].class;
    }
    return DEVICE_OTHER;
}

static uint32_t query_subgroup(cl_device_id device, enum device_class class)
{
    if (class == DEVICE_NVIDIA) {
        /* Older GPUs lack the instructions by which work-groups read each other's words. */
        const uint32_t capability = query(device, QUERY_COMPUTE_CAPABILITY_MAJOR_NV);
        const int is_old = capability > 0 && capability < 7;
        return !is_old && query(device, QUERY_WARP_SIZE_NV) == 32 ? 32 : 0;
    }
    if (class == DEVICE_AMD && has_extension(device, "cl_khr_subgroup_shuffle"))
        return query(device, QUERY_WAVEFRONT_WIDTH_AMD);
    if (class == DEVICE_INTEL && has_extension(device, "cl_intel_subgroups") &&
        has_extension(device, "cl_intel_required_subgroup_size"))
        return INTEL_SUBGROUP;
    return 0;
}

static uint64_t or_unknown(uint64_t size)
{
    return size ? size : UINT64_MAX;
}

clsort_status device_query(cl_device_id device, struct device_facts *facts_ret)
{
    if (!device_is_usable(device))
        return CLSORT_ERROR_DEVICE_UNSUPPORTED;
    struct device_facts facts = {.class = query_class(device),
                                 .chunk_limit = UINT64_MAX,
                                 .host_limit = UINT64_MAX};
    size_t max_group_size = 0;
    size_t item_sizes[16] = {0}; /* usually three dimensions; more are allowed */
    cl_ulong local_size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof max_group_size,
                        &max_group_size, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof item_sizes, item_sizes,
                        NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_size, &local_size, NULL))
        return CLSORT_ERROR_DEVICE_UNSUPPORTED;
    facts.max_group_size = device_floor_power(smaller(max_group_size, item_sizes[0]));
    facts.local_size = local_size;
    facts.subgroup_size = query_subgroup(device, facts.class);
    facts.cache_size = query(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    facts.num_units = query(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    facts.memory = or_unknown(query(device, CL_DEVICE_GLOBAL_MEM_SIZE));
    facts.max_alloc = or_unknown(query(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    if (facts.num_units == 0)
        facts.num_units = 1;
    facts.cpu_kernels = facts.class == DEVICE_CPU;
    if (facts.class == DEVICE_CPU)
        facts.vector_bytes = 4 * query(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT);
    /* NVIDIA's driver answers 256 for every kernel, even for one compiled for 1024 work-items. */
    facts.reports_kernel_limit = facts.class != DEVICE_NVIDIA;
    facts.unified_memory = (int)query(device, CL_DEVICE_HOST_UNIFIED_MEMORY);
    *facts_ret = facts;
    return device_apply_limits(facts_ret, NULL, 0);
}

clsort_status device_none(struct device_facts *facts_ret)
{
    *facts_ret = (struct device_facts){.class = DEVICE_NONE, .host_limit = UINT64_MAX};
    return device_apply_limits(facts_ret, NULL, 0);
}

static uint64_t merit(cl_device_id device)
{
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    const uint64_t kind = type & CL_DEVICE_TYPE_GPU ? 3 : type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
    const uint64_t speed = (uint64_t)query(device, CL_DEVICE_MAX_COMPUTE_UNITS) *
                           query(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    return kind << 60 | smaller(speed, ((uint64_t)1 << 60) - 1);
}

cl_device_id device_best(const cl_device_id *devices, uint32_t num_devices)
{
    cl_device_id best = NULL;
    for (uint32_t i = 0; i < num_devices; ++i) {
        if (device_is_usable(devices[i]) && (!best || merit(devices[i]) > merit(best)))
            best = devices[i];
    }
    return best;
}
