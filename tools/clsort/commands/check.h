/* check.h: whether a file of numbers or records is in order. */
#ifndef CLSORT_TOOL_CHECK_H
#define CLSORT_TOOL_CHECK_H

#include "commands/input_job.h"

/* Returns the exit status. A key that is out of order is shown unless is_quiet, and counted from 0
 * it is *position_ret. */
int check_file(const struct input_job *job, bool is_quiet, uint64_t *position_ret);

#endif
