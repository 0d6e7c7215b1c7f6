/* Watches the library's OpenCL calls and makes them fail. A program that links calls.c defines
 * OpenCL's functions itself and passes each call on to the real function. Calls are counted or made
 * to fail only between calls_start() and calls_stop(). ELF systems only. Several threads may call,
 * but then only the counts of calls are exact. */
#ifndef TESTS_CALLS_H
#define TESTS_CALLS_H

#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

/* Calls that give a cl_int: X(name, parameters, arguments). */
/* clang-format off */
#define CALLS_PLAIN(X) \
    X(clGetPlatformIDs, (cl_uint a, cl_platform_id *b, cl_uint *c), (a, b, c)) \
    X(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetDeviceIDs, (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id *d, \
      cl_uint *e), (a, b, c, d, e)) \
    X(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetContextInfo, (cl_context a, cl_context_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetCommandQueueInfo, (cl_command_queue a, cl_command_queue_info b, size_t c, void *d, \
      size_t *e), (a, b, c, d, e)) \
    X(clGetMemObjectInfo, (cl_mem a, cl_mem_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetProgramBuildInfo, (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, \
      void *e, size_t *f), (a, b, c, d, e, f)) \
    X(clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e)) \
    X(clGetKernelWorkGroupInfo, (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, \
      size_t d, void *e, size_t *f), (a, b, c, d, e, f)) \
    X(clBuildProgram, (cl_program a, cl_uint b, const cl_device_id *c, const char *d, \
      void(CL_CALLBACK *e)(cl_program, void *), void *f), (a, b, c, d, e, f)) \
    X(clCompileProgram, (cl_program a, cl_uint b, const cl_device_id *c, const char *d, \
      cl_uint e, const cl_program *f, const char **g, void(CL_CALLBACK *h)(cl_program, void *), \
      void *i), (a, b, c, d, e, f, g, h, i)) \
    X(clCreateKernelsInProgram, (cl_program a, cl_uint b, cl_kernel *c, cl_uint *d), (a, b, c, d)) \
    X(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d)) \
    X(clWaitForEvents, (cl_uint a, const cl_event *b), (a, b)) \
    X(clSetEventCallback, (cl_event a, cl_int b, void(CL_CALLBACK *c)(cl_event, cl_int, void *), \
      void *d), (a, b, c, d)) \
    X(clFlush, (cl_command_queue a), (a)) \
    X(clFinish, (cl_command_queue a), (a)) \
    X(clRetainContext, (cl_context a), (a)) \
    X(clReleaseContext, (cl_context a), (a)) \
    X(clRetainDevice, (cl_device_id a), (a)) \
    X(clReleaseDevice, (cl_device_id a), (a)) \
    X(clRetainCommandQueue, (cl_command_queue a), (a)) \
    X(clReleaseCommandQueue, (cl_command_queue a), (a)) \
    X(clRetainMemObject, (cl_mem a), (a)) \
    X(clReleaseMemObject, (cl_mem a), (a)) \
    X(clRetainProgram, (cl_program a), (a)) \
    X(clReleaseProgram, (cl_program a), (a)) \
    X(clRetainKernel, (cl_kernel a), (a)) \
    X(clReleaseKernel, (cl_kernel a), (a)) \
    X(clRetainEvent, (cl_event a), (a)) \
    X(clReleaseEvent, (cl_event a), (a))

/* Calls that tell a command's execution status: b is what is asked, and d where it goes. */
#define CALLS_STATUS(X) \
    X(clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void *d, size_t *e), \
      (a, b, c, d, e))

/* Calls that enqueue; the event is parameter z: X(name, parameters, arguments, whether the call
 * waits for all commands before it, whether the command uses data, what is noted before). Unmapping
 * a buffer that was mapped for reading uses none. */
#define CALLS_ENQUEUE(X) \
    X(clEnqueueNDRangeKernel, (cl_command_queue a, cl_kernel b, cl_uint c, const size_t *d, \
      const size_t *e, const size_t *f, cl_uint x, const cl_event *y, cl_event *z), \
      (a, b, c, d, e, f, x, y, z), CL_FALSE, 1, note_launch(b, c, e, f)) \
    X(clEnqueueCopyBuffer, (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, \
      cl_uint x, const cl_event *y, cl_event *z), (a, b, c, d, e, f, x, y, z), CL_FALSE, 1, ) \
    X(clEnqueueReadBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void *f, \
      cl_uint x, const cl_event *y, cl_event *z), (a, b, c, d, e, f, x, y, z), c, 1, ) \
    X(clEnqueueWriteBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, \
      const void *f, cl_uint x, const cl_event *y, cl_event *z), \
      (a, b, c, d, e, f, x, y, z), c, 1, ) \
    X(clEnqueueFillBuffer, (cl_command_queue a, cl_mem b, const void *c, size_t d, size_t e, \
      size_t f, cl_uint x, const cl_event *y, cl_event *z), \
      (a, b, c, d, e, f, x, y, z), CL_FALSE, 1, ) \
    X(clEnqueueUnmapMemObject, (cl_command_queue a, cl_mem b, void *c, cl_uint x, \
      const cl_event *y, cl_event *z), (a, b, c, x, y, z), CL_FALSE, 0, ) \
    X(clEnqueueMarkerWithWaitList, (cl_command_queue a, cl_uint x, const cl_event *y, \
      cl_event *z), (a, x, y, z), CL_FALSE, 0, ) \
    X(clEnqueueBarrierWithWaitList, (cl_command_queue a, cl_uint x, const cl_event *y, \
      cl_event *z), (a, x, y, z), CL_FALSE, 0, )

/* Calls that create an object; the code goes to *z: X(result, name, parameters, arguments). The
 * second list adds the device's memory that the object takes, and what is noted then. A mapping is
 * no object, but its event is one. */
#define CALLS_CREATE(X) \
    X(cl_context, clCreateContext, (const cl_context_properties *a, cl_uint b, \
      const cl_device_id *c, void(CL_CALLBACK *d)(const char *, const void *, size_t, void *), \
      void *e, cl_int *z), (a, b, c, d, e, z)) \
    X(cl_command_queue, clCreateCommandQueue, (cl_context a, cl_device_id b, \
      cl_command_queue_properties c, cl_int *z), (a, b, c, z)) \
    X(cl_mem, clCreateSubBuffer, (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, \
      const void *d, cl_int *z), (a, b, c, d, z)) \
    X(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char **c, \
      const size_t *d, cl_int *z), (a, b, c, d, z)) \
    X(cl_program, clCreateProgramWithBinary, (cl_context a, cl_uint b, const cl_device_id *c, \
      const size_t *d, const unsigned char **e, cl_int *f, cl_int *z), (a, b, c, d, e, f, z)) \
    X(cl_program, clLinkProgram, (cl_context a, cl_uint b, const cl_device_id *c, const char *d, \
      cl_uint e, const cl_program *f, void(CL_CALLBACK *g)(cl_program, void *), void *h, \
      cl_int *z), (a, b, c, d, e, f, g, h, z)) \
    X(cl_kernel, clCreateKernel, (cl_program a, const char *b, cl_int *z), (a, b, z)) \
    X(cl_event, clCreateUserEvent, (cl_context a, cl_int *z), (a, z))

#define CALLS_CREATE_MEMORY(X) \
    X(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *z), \
      (a, b, c, d, z), d || b & CL_MEM_ALLOC_HOST_PTR ? 0 : c, note_created(object)) \
    X(void *, clEnqueueMapBuffer, (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, \
      size_t e, size_t f, cl_uint g, const cl_event *h, cl_event *i, cl_int *z), \
      (a, b, c, d, e, f, g, h, i, z), 0, note_mapped(object, c, i))
/* clang-format on */

#define CALLS_ENUM(name, ...) CALL_##name,
#define CALLS_ENUM_CREATE(result, name, ...) CALL_##name,
typedef enum call {
    CALLS_PLAIN(CALLS_ENUM) CALLS_STATUS(CALLS_ENUM) CALLS_ENQUEUE(CALLS_ENUM)
        CALLS_CREATE(CALLS_ENUM_CREATE) CALLS_CREATE_MEMORY(CALLS_ENUM_CREATE) NUM_CALLS
} call;
#undef CALLS_ENUM
#undef CALLS_ENUM_CREATE

typedef struct call_launch {
    size_t num_groups;
    size_t group_size;
    char kernel[64];
} call_launch;

/* Begins counting from zero, or ends it. */
void calls_start(void);
void calls_stop(void);

/* Sets the counts of calls and launches to zero. The balance of objects continues. */
void calls_mark(void);

/* Makes call number k of this name fail with the code, or every call from there on. Calls are
 * numbered from 1 since the last start or mark; k = 0 means none. A failing call does nothing. */
void calls_fail(call name, unsigned k, int for_ever, cl_int code);

/* The same for call number k of all names whose failure the caller can handle. Retaining, releasing
 * and unmapping are left out. clFinish() fails at call k only: if it always failed, the caller
 * could not know when its commands have ended. */
void calls_fail_any(unsigned k, int for_ever, cl_int code);
/* The number of such calls. */
unsigned calls_fallible(void);
/* The first call that was made to fail since the last start or mark; NUM_CALLS if there is none. */
call calls_failed(void);

/* Has every command seem to have ended with this code, where its execution status is asked for;
 * CL_COMPLETE: no longer. A command that fails by itself ends the program on PoCL 3.1. */
void calls_fail_commands(cl_int code);

/* Has the device refuse every buffer of more than `size` bytes, except over memory of the host;
 * 0: no longer. */
void calls_refuse_buffers(size_t size);
/* How many it has refused since the last start or mark. */
unsigned calls_refused(void);

unsigned calls_count(call name);
unsigned calls_total(void);
/* Calls that put a command into a queue. */
unsigned calls_enqueued(void);
const char *calls_name(call name);
/* Commands that use data, enqueued since a call last waited for a queue or an event. */
unsigned calls_pending(void);
/* Objects created and retained minus objects released, over all kinds. */
long calls_balance(void);
/* The kernel launches since the last start or mark, of which at most 4096 are kept. */
unsigned calls_launches(const call_launch **launches_ret);

#endif
