/* status.c: the texts of statuses, the names of algorithms, the version. */
#include "clsort/clsort.h"

#include <string.h>

/* The lists of clsort_lists.h have each enumerator once, in its place. */
#define PLACE(name, ...) PLACE_##name,
#define IS_PLACED(name, ...) \
    _Static_assert((int)PLACE_##name == (int)CLSORT_##name, "clsort.h and the list differ");
enum { CLSORT_TYPE_LIST(PLACE) NUM_LISTED_TYPES };
enum { CLSORT_ALGORITHM_LIST(PLACE) NUM_LISTED_ALGORITHMS };
enum { CLSORT_STATUS_LIST(PLACE) NUM_LISTED_STATUSES };
CLSORT_TYPE_LIST(IS_PLACED)
CLSORT_ALGORITHM_LIST(IS_PLACED)
CLSORT_STATUS_LIST(IS_PLACED)
_Static_assert((int)NUM_LISTED_TYPES == (int)CLSORT_NUM_TYPES, "all are listed");
_Static_assert((int)NUM_LISTED_ALGORITHMS == (int)CLSORT_NUM_ALGORITHMS, "all are listed");
_Static_assert((int)NUM_LISTED_STATUSES == (int)CLSORT_NUM_STATUSES, "all are listed");

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x

const char *clsort_version(void)
{
    return TEXT(CLSORT_VERSION_MAJOR) "." TEXT(CLSORT_VERSION_MINOR) "." TEXT(CLSORT_VERSION_PATCH);
}

size_t clsort_struct_size(const char *name)
{
#define STRUCT_SIZE(type) {#type, sizeof(type)},
    static const struct {
        const char *name;
        size_t size;
    } sizes[] = {STRUCT_SIZE(clsort_field) STRUCT_SIZE(clsort_record) STRUCT_SIZE(clsort_strings)
                     STRUCT_SIZE(clsort_column) STRUCT_SIZE(clsort_desc) STRUCT_SIZE(clsort_buffer)
                         STRUCT_SIZE(clsort_buffers) STRUCT_SIZE(clsort_arrays)
                             STRUCT_SIZE(clsort_step) STRUCT_SIZE(clsort_plan)
                                 STRUCT_SIZE(clsort_error_info) STRUCT_SIZE(clsort_stream)};
#undef STRUCT_SIZE
    for (size_t i = 0; name && i < sizeof sizes / sizeof *sizes; ++i) {
        if (strcmp(name, sizes[i].name) == 0)
            return sizes[i].size;
    }
    return 0;
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
