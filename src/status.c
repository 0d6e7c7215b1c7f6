/* status.c: the texts of statuses, the names of algorithms, the version. */
#include "clsort/clsort.h"

#include <string.h>

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x

const char *clsort_version(void)
{
    return TEXT(CLSORT_VERSION_MAJOR) "." TEXT(CLSORT_VERSION_MINOR) "." TEXT(CLSORT_VERSION_PATCH);
}

const char *clsort_status_text(clsort_status status)
{
#define STATUS_TEXT(enumerator, text) text,
    static const char *const texts[] = {CLSORT_STATUS_LIST(STATUS_TEXT)};
#undef STATUS_TEXT
    return (unsigned)status < CLSORT_NUM_STATUSES ? texts[status] : "unknown status";
}

#define ALGORITHM_NAME(enumerator, text, about) text,
static const char *const algorithm_names[] = {CLSORT_ALGORITHM_LIST(ALGORITHM_NAME)};
#undef ALGORITHM_NAME

const char *clsort_algorithm_name(clsort_algorithm algorithm)
{
    return (unsigned)algorithm < CLSORT_NUM_ALGORITHMS ? algorithm_names[algorithm] : NULL;
}

clsort_status clsort_algorithm_from_name(const char *name, clsort_algorithm *algorithm_ret)
{
    if (!name || !algorithm_ret)
        return CLSORT_ERROR_NULL;
    for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        if (strcmp(name, algorithm_names[algorithm]) == 0) {
            *algorithm_ret = (clsort_algorithm)algorithm;
            return CLSORT_OK;
        }
    }
    return CLSORT_ERROR_ALGORITHM;
}
