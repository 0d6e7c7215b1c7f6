/* usable.c: whether a device can sort at all. It stands alone, since clsort_mpi takes a copy
 * that needs no tuning. */
#include "device/device.h"

#include <string.h>

#define VERSION_CAPACITY 256

int device_is_usable(cl_device_id device)
{
    static const cl_device_info needed[] = {CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE,
                                            CL_DEVICE_ENDIAN_LITTLE};
    char version[VERSION_CAPACITY] = "";
    if (clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL) ||
        strncmp(version, "OpenCL 1.0", 10) == 0 || strncmp(version, "OpenCL 1.1", 10) == 0)
        return 0;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        cl_bool has_it = CL_FALSE;
        if (clGetDeviceInfo(device, needed[i], sizeof has_it, &has_it, NULL) || !has_it)
            return 0;
    }
    return 1;
}
