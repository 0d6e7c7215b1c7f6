/* host_memory.h: how much of the host's memory the tool may take. */
#ifndef CLSORT_TOOL_HOST_MEMORY_H
#define CLSORT_TOOL_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that arrays could have now without swapping: what the machine has available, or what the
 * process's control groups (v1 and v2) and those above them leave, or half of what its limits
 * (ulimit -v and -d) leave, if that is less. */
uint64_t host_memory_available(void);

/* Bytes of address space or data that the process's limits leave; UINT64_MAX without a limit. */
uint64_t host_memory_room(void);

/* The same of the files below a folder that stands for /. For tests. */
uint64_t host_memory_below(const char *root);
uint64_t host_memory_room_below(const char *root);

/* Bytes of memory that the process has in use. */
uint64_t host_memory_resident(void);

/* Has threads take less address space where that is limited. Once, at the begin. */
void host_memory_obey_limits(void);

/* The memory that pieces may take: what -S asks for, or half of what is available if that is 0; no
 * more than is available, but 64 KiB at least. */
uint64_t host_memory_share(uint64_t asked, uint64_t available);

/* The argument of -S as sort(1) has it: a number and %, b, K, M, G, T, P or E, K where there is
 * none. Less than 64 KiB counts as 64 KiB. Prints a message if it is no size. */
bool parse_memory(const char *text, uint64_t *size_ret);

#endif
