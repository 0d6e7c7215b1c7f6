/* For programs that run the same sort with hundreds of sorters, each of which builds its kernels.
 * PoCL takes about 25 ms for a kernel that it finds in its cache. A source that was built before in
 * this context with the same options is not built again: it gets the first program's kernels. The
 * library makes the same calls and cannot tell the difference. A program that links
 * keep_programs.c calls these functions instead of OpenCL's, also by way of calls.c. For ELF
 * systems and one thread. */
#ifndef TESTS_KEEP_PROGRAMS_H
#define TESTS_KEEP_PROGRAMS_H

#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

/* Keeps programs from now on, for this context only. The context is then never freed. */
void keep_programs(cl_context context);

#endif
