/* file.h: tuning rows from the text file that the environment variable CLSORT_TUNING
 * names. */
#ifndef TUNING_FILE_H
#define TUNING_FILE_H

#include "clsort/clsort.h"
#include "tuning/kinds.h"

/* Reads the rows for a device (NULL: there is none, so only those for every device), if the
 * variable names a file. ERROR_TUNING if it is wrong, or ERROR_HOST_MEMORY; then there are no
 * rows. */
clsort_status tuning_file_read(cl_device_id device, struct tuning_rows *rows_ret);

void tuning_rows_finish(struct tuning_rows *rows);

#endif
