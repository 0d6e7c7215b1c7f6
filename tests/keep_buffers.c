/* Oclgrind knows which bytes were written by their address, and gives a released buffer's address to
 * the next one: so, where it looks for uses of what was never written, no buffer is released. A
 * program that links this defines OpenCL's function itself. For ELF systems. */
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
