/* find.c: lists the devices of all platforms, and finds one by index, name or merit. */
#include "device/device.h"
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PLATFORMS 64
#define MAX_DEVICES 256
#define NAME_CAPACITY 256

clsort_status clsort_devices(cl_device_id *devices, uint32_t capacity, uint32_t *num_devices_ret)
{
    if (!num_devices_ret || (!devices && capacity))
        return CLSORT_ERROR_NULL;
    *num_devices_ret = 0;
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint num_platforms = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &num_platforms) || num_platforms == 0)
        return CLSORT_ERROR_NO_PLATFORM;
    if (num_platforms > MAX_PLATFORMS)
        num_platforms = MAX_PLATFORMS;
    uint32_t total = 0;
    for (cl_uint i = 0; i < num_platforms; ++i) {
        cl_device_id found[MAX_DEVICES];
        cl_uint num_found = 0;
        /* A platform without devices returns an error; skip it. */
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MAX_DEVICES, found, &num_found))
            continue;
        for (cl_uint j = 0; j < num_found && j < MAX_DEVICES; ++j, ++total) {
            if (total < capacity)
                devices[total] = found[j];
        }
    }
    *num_devices_ret = total;
    return total ? CLSORT_OK : CLSORT_ERROR_NO_DEVICE;
}

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int contains(const char *text, const char *part)
{
    for (; *text; ++text) {
        size_t i = 0;
        while (part[i] && lower(text[i]) == lower(part[i]))
            ++i;
        if (!part[i])
            return 1;
    }
    return 0;
}

int device_is_named(cl_device_id device, const char *part)
{
    char name[NAME_CAPACITY] = "";
    cl_platform_id platform = NULL;
    char platform_name[NAME_CAPACITY] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    if (!clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL))
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
    return contains(name, part) || contains(platform_name, part);
}

clsort_status clsort_find_device(const char *selection, cl_device_id *device_ret)
{
    if (!device_ret)
        return CLSORT_ERROR_NULL;
    *device_ret = NULL;
    cl_device_id devices[MAX_DEVICES];
    uint32_t num_devices = 0;
    const clsort_status status = clsort_devices(devices, MAX_DEVICES, &num_devices);
    if (status)
        return status;
    if (num_devices > MAX_DEVICES)
        num_devices = MAX_DEVICES;
    if (!selection || !*selection)
        selection = environment_get("CLSORT_DEVICE");
    if (!selection) {
        *device_ret = device_best(devices, num_devices);
        return *device_ret ? CLSORT_OK : CLSORT_ERROR_DEVICE_UNSUPPORTED;
    }
    if (strspn(selection, "0123456789") == strlen(selection)) {
        const unsigned long index = strtoul(selection, NULL, 10);
        *device_ret = index < num_devices ? devices[index] : NULL;
    } else {
        for (uint32_t i = 0; i < num_devices && !*device_ret; ++i) {
            if (device_is_named(devices[i], selection))
                *device_ret = devices[i];
        }
    }
    return *device_ret ? CLSORT_OK : CLSORT_ERROR_DEVICE_NOT_FOUND;
}
