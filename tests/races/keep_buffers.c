/* Oclgrind tracks which bytes were written by address, and reuses a released buffer's address for
 * the next buffer. So a search for uses of unwritten values must not release buffers. A program
 * that links this file defines OpenCL's function itself. For ELF systems. */
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
#include <dlfcn.h>
#include <stdlib.h>

cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer)
{
    static cl_int(CL_API_CALL * real)(cl_mem);
    if (getenv("OCLGRIND_UNINITIALIZED"))
        return CL_SUCCESS;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clReleaseMemObject");
    return real ? real(buffer) : CL_INVALID_OPERATION;
}
