/* A test's tuning file, named by CLSORT_TUNING from tuning_write() until tuning_remove(). */
#ifndef TESTS_TUNING_CASE_H
#define TESTS_TUNING_CASE_H

#include "fixture.h"

/* Writes the file, replacing an earlier one. */
void tuning_write(const char *text, size_t size);
void tuning_write_text(const char *text);
void tuning_remove(void);

/* A sorter of the fixture's device with such a file, which the caller destroys. */
clsort_sorter *tuned_sorter(const fixture *fix, const char *text);

/* The same with the GPUs' forms, on CPUs too, unless the run is limited (CLSORT_LIMIT). */
clsort_sorter *tuned_sorter_as_gpu(const fixture *fix, const char *text);

/* Its name. */
const char *tuning_path(void);

#endif
