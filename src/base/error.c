/* error.c: the record of a sorter's last failure. */
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
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
    if (refusal.status) {
        error->argument = refusal.argument;
        error->has_size = refusal.has_size;
        error->needs_size = refusal.needs_size;
    }
    return refusal.status;
}

size_t error_text(const struct error *error, char *text, size_t size)
{
    const char *argument = error->argument ? error->argument : "";
    char more[128] = "";
    if (error->needs_size)
        snprintf(more, sizeof more,
                 ": it has %" PRIu64 " bytes from its offset on and needs %" PRIu64,
                 error->has_size, error->needs_size);
    else if (error->cl_code)
        snprintf(more, sizeof more, " (%s: error %d)", error->call, (int)error->cl_code);
    const int length = error->status
                           ? snprintf(text, size, "%s%s%s%s", argument, *argument ? ": " : "",
                                      clsort_status_text(error->status), more)
                           : snprintf(text, size, "%s", "");
    return length > 0 ? (size_t)length : 0;
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
