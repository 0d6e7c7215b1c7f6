/* svm_buffer.c: sorts shared virtual memory (SVM) of OpenCL 2.0, which host and device address by
 * the same pointer. The library takes it as a buffer that is made over it.
 * Output: 1 2 3 5 8 13 */
#define CL_TARGET_OPENCL_VERSION 200
#include <clsort/clsort.h>
#include <stdio.h>
#include <stdlib.h>

static void check(clsort_status status, cl_int code)
{
    if (status || code) {
        fprintf(stderr, "%s (%d)\n", status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

int main(void)
{
    const cl_uint numbers[] = {13, 2, 8, 1, 5, 3};
    clsort_sorter *sorter = NULL;
    check(clsort_create(NULL, NULL, &sorter), 0);
    cl_device_id device = clsort_device(sorter);
    cl_device_svm_capabilities svm = 0;
    cl_int code = clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    if (code || !(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) { /* a code: older than OpenCL 2.0 */
        printf("skipped: the device has no shared virtual memory\n");
        clsort_destroy(sorter);
        return 0;
    }
    cl_context context = clsort_context(sorter);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(CLSORT_OK, code);
    cl_uint *keys = (cl_uint *)clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof numbers, 0);
    if (!keys)
        check(CLSORT_ERROR_DEVICE_MEMORY, 0);
    /* The host may touch SVM only while it is mapped. */
    code = clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, keys, sizeof numbers, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (int i = 0; i < 6; ++i)
        keys[i] = numbers[i];
    check(CLSORT_OK, clEnqueueSVMUnmap(queue, keys, 0, NULL, NULL));

    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof numbers, keys, &code);
    check(CLSORT_OK, code);
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 6;
    clsort_buffers buffers = CLSORT_ZERO;
    buffers.keys.mem = buffer;
    check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, NULL), 0);

    code = clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, keys, sizeof numbers, 0, NULL, NULL);
    check(CLSORT_OK, code);
    for (int i = 0; i < 6; ++i)
        printf("%u ", keys[i]);
    check(CLSORT_OK, clEnqueueSVMUnmap(queue, keys, 0, NULL, NULL));
    check(CLSORT_OK, clFinish(queue));
    clReleaseMemObject(buffer); /* before the memory below it */
    clSVMFree(context, keys);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
