/* sort.h: what 'clsort sort' is asked for, and the sort of numbers. */
#ifndef CLSORT_TOOL_SORT_H
#define CLSORT_TOOL_SORT_H

#include "commands/input_job.h"
#include "numbers/sort_job.h"
#include "text/job.h"

struct sort_request {
    struct input_job input;
    struct sort_settings settings;
    struct sort_job job;     /* of numbers; its description has -a */
    struct text_order order; /* of lines, which has -r, -s and -u */
    bool is_tsv, is_zero;
    uint64_t batch_size;
};

/* Returns the exit status. */
int sort_numbers(struct sort_request *request);

#endif
