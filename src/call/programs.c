/* programs.c: the public calls that save compiled programs and load them. */
#include "call/sorter.h"

#include <stdlib.h>

clsort_status clsort_save_programs(clsort_sorter *sorter, void *bytes, size_t capacity,
                                   size_t *size_ret)
{
    clsort_status status = sorter_enter_with(sorter, size_ret && (bytes || !capacity));
    if (status)
        return status;
    cl_int code = CL_SUCCESS;
    const size_t size = saved_write(sorter->programs.programs, sorter->programs.num_programs,
                                    saved_device_key(sorter->device), bytes, capacity, &code);
    if (size)
        *size_ret = size;
    else
        status = error_opencl(&sorter->error, "clGetProgramInfo", code);
    return sorter_leave(sorter, status);
}

clsort_status clsort_load_programs(clsort_sorter *sorter, const void *bytes, size_t size,
                                   uint32_t *num_ret)
{
    clsort_status status = sorter_enter_with(sorter, bytes != NULL);
    if (status)
        return status;
    struct saved_programs saved;
    if (saved_read(bytes, size, saved_device_key(sorter->device), &saved)) {
        free(sorter->programs.saved.bytes);
        sorter->programs.saved = saved;
        if (num_ret)
            *num_ret = (uint32_t)saved.num;
    } else {
        status = error_set(&sorter->error, CLSORT_ERROR_HOST_MEMORY);
    }
    return sorter_leave(sorter, status);
}
