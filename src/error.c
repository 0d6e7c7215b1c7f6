/* error.c: the record of a sorter's last failure. */
#include "error.h"

#include <stdlib.h>

static clsort_status record(struct error *error, clsort_status status, const char *call,
                            cl_int code, char *build_log)
{
    free(error->build_log);
    *error = (struct error){
        .status = status, .argument = "", .cl_code = code, .call = call, .build_log = build_log};
    return status;
}

clsort_status error_opencl(struct error *error, const char *call, cl_int code)
{
    static const struct {
        cl_int code;
        clsort_status status;
    } meanings[] = {
        {CL_OUT_OF_HOST_MEMORY, CLSORT_ERROR_HOST_MEMORY},
        {CL_OUT_OF_RESOURCES, CLSORT_ERROR_DEVICE_MEMORY},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, CLSORT_ERROR_DEVICE_MEMORY},
        {CL_INVALID_BUFFER_SIZE, CLSORT_ERROR_DEVICE_MEMORY},
    };
    clsort_status status = CLSORT_ERROR_OPENCL;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i) {
        if (meanings[i].code == code)
            status = meanings[i].status;
    }
    return record(error, status, call, code, NULL);
}

clsort_status error_set(struct error *error, clsort_status status)
{
    return status ? record(error, status, "", CL_SUCCESS, NULL) : CLSORT_OK;
}

clsort_status error_refuse(struct error *error, struct refusal refusal)
{
    error_set(error, refusal.status);
    if (refusal.status)
        error->argument = refusal.argument;
    return refusal.status;
}

clsort_status error_build(struct error *error, cl_int code, char *build_log)
{
    return record(error, CLSORT_ERROR_BUILD, "clBuildProgram", code, build_log);
}

void error_finish(struct error *error)
{
    free(error->build_log);
    *error = (struct error){0};
}
