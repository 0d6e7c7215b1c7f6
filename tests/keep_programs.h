/* For programs that make the same sort with hundreds of sorters, each of which has its kernels built:
 * PoCL takes some 25 ms for one that it finds in its cache. A text that was built before in this
 * context, with the same options, is not built again: its kernels are those of the first program. The
 * library makes the same calls and cannot tell. A program that links keep_programs.c calls these instead of
 * OpenCL's functions, also by way of calls.c. For ELF systems and one thread. */
#ifndef TESTS_KEEP_PROGRAMS_H
#define TESTS_KEEP_PROGRAMS_H

#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

/* From now on, for this context alone, which is never freed then. */
void keep_programs(cl_context context);

#endif
