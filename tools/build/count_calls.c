/* count_calls [SORT]: how many functions of the library are entered while sorts are planned for a
 * made-up H200; for the SORT with that number, the address of each function that is entered, a line
 * each. tools/count-calls builds the library so that its functions report this, and runs it. */
#include <stdio.h>
#include <stdlib.h>

#include "check/check.h"
#include "plan/plan.h"

#define NOT_COUNTED __attribute__((no_instrument_function))

static uint64_t num_entries;
static int is_counting, is_listing;

void __cyg_profile_func_enter(void *function, void *call) NOT_COUNTED;
void __cyg_profile_func_exit(void *function, void *call) NOT_COUNTED;

void __cyg_profile_func_enter(void *function, void *call)
{
    (void)call;
    if (is_counting && ++num_entries && is_listing)
        printf("%p\n", function);
}

void __cyg_profile_func_exit(void *function, void *call)
{
    (void)function;
    (void)call;
}

static const clsort_column columns[] = {{CLSORT_U32, CLSORT_ASCENDING},
                                        {CLSORT_F64, CLSORT_DESCENDING},
                                        {CLSORT_I16, CLSORT_ASCENDING}};
static const struct {
    const char *name;
    clsort_desc desc;
} sorts[] = {
    {"u32, 2^24", {.count = 1 << 24}},
    {"u32 in 1000 arrays of 2^14", {.count = 1 << 14, .num_arrays = 1000}},
    {"u32, 2^16", {.count = 1 << 16}},
    {"u32 with values of 4 bytes, stable, 2^24", {.count = 1 << 24, .value_size = 4, .stable = 1}},
    {"u64 with values of 8 bytes, 2^24", {.count = 1 << 24, .type = CLSORT_U64, .value_size = 8}},
    {"three columns, 2^24", {.count = 1 << 24, .num_columns = 3, .columns = columns}},
    {"u32 by the bitonic network, 2^24", {.count = 1 << 24, .algorithm = CLSORT_BITONIC}},
    {"u32 by merge sort, 2^24", {.count = 1 << 24, .algorithm = CLSORT_MERGE}},
};
enum { NUM_SORTS = sizeof sorts / sizeof *sorts };

static NOT_COUNTED void count(size_t sort)
{
    static const struct device_facts h200 = {.class = DEVICE_NVIDIA,
                                             .max_group_size = 1024,
                                             .subgroup_size = 32,
                                             .local_size = 48 << 10,
                                             .num_units = 132};
    static struct plan plan; /* its memory is kept, as a sorter does */
    struct problem problem;
    if (check_desc(&sorts[sort].desc, &problem).status != CLSORT_OK) {
        fprintf(stderr, "count_calls: sort %zu is refused\n", sort);
        exit(2);
    }
    num_entries = 0;
    is_counting = 1;
    const clsort_status status = plan_make(&h200, &problem, &plan);
    is_counting = 0;
    if (status || !num_entries) {
        fprintf(stderr, "count_calls: %s\n",
                status ? clsort_status_text(status)
                       : "no entry was reported; run tools/count-calls");
        exit(2);
    }
    if (!is_listing)
        printf("%4zu  %-42s %5llu calls, %3u steps\n", sort, sorts[sort].name,
               (unsigned long long)num_entries, (unsigned)plan.num_steps);
}

NOT_COUNTED int main(int argc, char **argv)
{
    is_listing = argc > 1;
    if (is_listing) {
        char *end;
        const unsigned long sort = strtoul(argv[1], &end, 10);
        if (end == argv[1] || *end || sort >= NUM_SORTS) {
            fprintf(stderr, "count_calls: the sorts are 0 to %d, not '%s'\n", NUM_SORTS - 1,
                    argv[1]);
            return 2;
        }
        count(sort);
    }
    for (size_t sort = 0; sort < NUM_SORTS && !is_listing; ++sort)
        count(sort);
    return 0;
}
