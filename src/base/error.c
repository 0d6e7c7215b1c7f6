/* error.c: the record of a sorter's last failure. */
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static clsort_status record(struct error *error, struct refusal refusal, const char *call,
                            cl_int code, char *build_log)
{
    free(error->build_log);
    *error =
        (struct error){.refusal = refusal, .cl_code = code, .call = call, .build_log = build_log};
    return refusal.status;
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
    return record(error, refuse(status, ""), call, code, NULL);
}

clsort_status error_set(struct error *error, clsort_status status)
{
    return error_refuse(error, refuse(status, ""));
}

clsort_status error_refuse(struct error *error, struct refusal refusal)
{
    return refusal.status ? record(error, refusal, "", CL_SUCCESS, NULL) : CLSORT_OK;
}

size_t error_text(const struct error *error, char *text, size_t size)
{
    const struct refusal *refusal = &error->refusal;
    const char *argument = refusal->argument ? refusal->argument : "";
    char more[128] = "";
    if (refusal->needs_size)
        snprintf(more, sizeof more,
                 ": it has %" PRIu64 " bytes from its offset on and needs %" PRIu64,
                 refusal->has_size, refusal->needs_size);
    else if (error->cl_code)
        snprintf(more, sizeof more, " (%s: error %d)", error->call, (int)error->cl_code);
    const int length = refusal->status
                           ? snprintf(text, size, "%s%s%s%s", argument, *argument ? ": " : "",
                                      clsort_status_text(refusal->status), more)
                           : snprintf(text, size, "%s", "");
    return length > 0 ? (size_t)length : 0;
}

clsort_status error_build(struct error *error, cl_int code, char *build_log)
{
    return record(error, refuse(CLSORT_ERROR_BUILD, ""), "clBuildProgram", code, build_log);
}

void error_finish(struct error *error)
{
    free(error->build_log);
    *error = (struct error){0};
}
