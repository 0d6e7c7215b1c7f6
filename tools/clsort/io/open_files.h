/* open_files.h: how many files may be open at once. */
#ifndef CLSORT_TOOL_OPEN_FILES_H
#define CLSORT_TOOL_OPEN_FILES_H

#include <stdint.h>

/* Raises the process's limit for `num` more files, as far as it may be raised. Returns how many
 * more can be opened, at most `num`, beside a few that the tool itself needs. */
uint64_t open_files_allow(uint64_t num);

#endif
