/* error.h: the record of a sorter's last failure. */
#ifndef ERROR_H
#define ERROR_H

#include "clsort/clsort.h"

/* Why a call is refused: a status, or CLSORT_OK, and the caller's name of the argument that is
 * wrong ("keys_out", "desc.type"; static text). A buffer that is too small has has_size bytes from
 * its offset on, and needs_size is not 0. */
struct refusal {
    clsort_status status;
    const char *argument;
    uint64_t has_size, needs_size;
};

static inline struct refusal refuse(clsort_status status, const char *argument)
{
    return (struct refusal){status, argument, 0, 0};
}

static inline struct refusal accepted(void)
{
    return refuse(CLSORT_OK, "");
}

struct error {
    struct refusal refusal; /* the status of all failures; the argument is NULL if there is none */
    cl_int cl_code;
    const char *call; /* static text */
    char *build_log;  /* owned, or NULL */
};

/* Records the failure of an OpenCL call. Returns the status for it. */
clsort_status error_opencl(struct error *error, const char *call, cl_int code);

/* Records another failure. Returns the status; CLSORT_OK is not recorded. */
clsort_status error_set(struct error *error, clsort_status status);

/* Records a refusal. Returns its status; CLSORT_OK is not recorded. */
clsort_status error_refuse(struct error *error, struct refusal refusal);

/* The recorded failure as a sentence; "" if there is none. Writes at most size bytes with the final
 * zero, and returns the length of the whole text. */
size_t error_text(const struct error *error, char *text, size_t size);

/* Records a failed build and takes ownership of its log, which may be NULL. */
clsort_status error_build(struct error *error, cl_int code, char *build_log);

void error_finish(struct error *error);

#endif
