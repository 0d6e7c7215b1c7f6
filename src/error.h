/* error.h: the record of a sorter's last failure. */
#ifndef ERROR_H
#define ERROR_H

#include "clsort/clsort.h"

/* Whether a call is refused: CLSORT_OK, or why, and the argument that it is about, as the caller knows it
 * ("keys_out", "desc.type"; static text). */
struct refusal {
    clsort_status status;
    const char *argument;
};

static inline struct refusal refuse(clsort_status status, const char *argument)
{
    return (struct refusal){status, argument};
}

static inline struct refusal accepted(void)
{
    return (struct refusal){CLSORT_OK, ""};
}

struct error {
    clsort_status status;
    const char *argument; /* static text */
    cl_int cl_code;
    const char *call; /* static text */
    char *build_log;  /* owned, or NULL */
};

/* Records an OpenCL call's failure and returns the status that it means. */
clsort_status error_opencl(struct error *error, const char *call, cl_int code);

/* Records a failure that no OpenCL call made; CLSORT_OK is passed through unrecorded. */
clsort_status error_set(struct error *error, clsort_status status);

/* Records a refusal and returns its status; one with CLSORT_OK is passed through unrecorded. */
clsort_status error_refuse(struct error *error, struct refusal refusal);

/* Records a failed build with its log, which it takes over (NULL is fine). */
clsort_status error_build(struct error *error, cl_int code, char *build_log);

void error_finish(struct error *error);

#endif
