/* run_with_cuda.c: runs a plan's kernels through CUDA's driver API, because Nsight Compute and
 * compute-sanitizer see nothing in an OpenCL process. NVIDIA's OpenCL returns a program's binary as
 * PTX text; CUDA loads it, once the environment registers that OpenCL fills in are replaced.
 *
 *     ncu --clock-control none --metrics ... run_with_cuda ARGUMENTS
 *     compute-sanitizer --tool racecheck run_with_cuda ARGUMENTS
 *
 * ARGUMENTS: ALGORITHM TYPE VALUE_SIZE[s] COUNT [PERCENT [ARRAYS]]; s: equal keys keep their order
 *
 * Sorts ARRAYS (1) arrays of COUNT random keys each, out of the lowest PERCENT (100) of their range.
 * Prints whether the result is in order by the bits of unsigned keys (TYPE u8 ... u64), and exits 0
 * if it is. With TYPE f64 the keys are floats evenly spread from 0 to PERCENT / 100; with TYPE
 * struct16 they are structs of 16 bytes, sorted by the first 8 of them, by a comparison. */
#include "check.h"
#include "sorter.h"

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, int code)
{
    fprintf(stderr, "run_with_cuda: %s (%d)\n", what, code);
    exit(2);
}

static void cuda(CUresult result, const char *call)
{
    if (result)
        stop(call, (int)result);
}

/* The program's PTX, %envreg6 ... 8 replaced by the number of groups and all others by 0. */
static char *ptx_of(cl_kernel kernel)
{
    cl_program program = NULL;
    size_t size = 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL))
        stop("no program binary", 0);
    char *binary = calloc(size + 1, 1), *ptx = calloc(2 * size + 1, 1), *to = ptx;
    if (!binary || !ptx)
        stop("out of memory", 0);
    unsigned char *binaries[] = {(unsigned char *)binary};
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binaries, binaries, NULL))
        stop("no program binary", 0);
    for (const char *from = binary; *from;) {
        static const char name[] = "%envreg";
        if (strncmp(from, name, sizeof name - 1) != 0) {
            *to++ = *from++;
            continue;
        }
        const long number = strtol(from + sizeof name - 1, (char **)&from, 10);
        const char *with = number == 6   ? "%nctaid.x"
                           : number == 7 ? "%nctaid.y"
                           : number == 8 ? "%nctaid.z"
                                         : "0";
        to += sprintf(to, "%s", with);
    }
    free(binary);
    return ptx;
}

static void launch(clsort_sorter *sorter, const struct step *step, const CUdeviceptr *memory)
{
    const struct kernel_entry *entry = NULL;
    if (program_kernel(&sorter->programs, sorter->context, sorter->device, step->kernel,
                       &step->variant, &sorter->error, &entry))
        stop(sorter->error.build_log ? sorter->error.build_log : "no kernel",
             sorter->error.cl_code);
    char *ptx = ptx_of(entry->kernel);
    CUmodule module;
    CUfunction function;
    /* PTX does not carry -cl-nv-maxrregcount. */
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void *limit = (void *)(uintptr_t)step->variant.registers;
    cuda(cuModuleLoadDataEx(&module, ptx, step->variant.registers ? 1 : 0, &option, &limit),
         "cuModuleLoadDataEx");
    cuda(cuModuleGetFunction(&function, module, kernel_name(step->kernel)), "cuModuleGetFunction");
    union step_params params = step->params;
    CUdeviceptr pointers[STEP_BUFFERS];
    void *arguments[1 + STEP_BUFFERS] = {&params};
    for (uint32_t i = 0; i < step->num_buffers; ++i) {
        params.offsets[i] = step->buffers[i].offset;
        pointers[i] = memory[step->buffers[i].role];
        arguments[1 + i] = &pointers[i];
    }
    cuda(cuLaunchKernel(function, (unsigned)step->num_groups, 1, 1, step->variant.group_size, 1, 1,
                        0, NULL, arguments, NULL),
         "cuLaunchKernel");
    cuda(cuCtxSynchronize(), kernel_name(step->kernel));
    cuda(cuModuleUnload(module), "cuModuleUnload");
    free(ptx);
}

static const clsort_record struct16 = {.size = 16,
                                       .declarations = "typedef struct { ulong x, y; } pair;",
                                       .type = "pair",
                                       .less = "a.x < b.x"};

/* Whether arrays are in order. Keys are `size` bytes of what lies `step` bytes apart. */
static int in_order(const unsigned char *keys, const clsort_desc *desc, uint32_t size,
                    uint32_t step)
{
    for (uint64_t i = 1; i < desc->count * desc->num_arrays; ++i) {
        uint64_t a = 0, b = 0;
        memcpy(&a, keys + (i - 1) * step, size);
        memcpy(&b, keys + i * step, size);
        if (a > b && i % desc->count)
            return 0;
    }
    return 1;
}

/* Random keys of `size` bytes, `step` bytes apart, in the lowest `percent` of their range; floats of
 * 64 bits up to `percent` hundredths. */
static void make_keys(unsigned char *keys, uint64_t count, uint32_t size, uint32_t step,
                      uint32_t percent, int is_float)
{
    uint64_t random = 1;
    for (uint64_t i = 0; i < count; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t key = (random ^ random >> 29) >> (64 - 8 * size);
        key = key / 100 * percent + key % 100 * percent / 100;
        const double number = (double)key * 0x1p-64;
        if (is_float)
            memcpy(&key, &number, sizeof key);
        memcpy(keys + i * step, &key, size); /* little-endian, as CUDA's hosts are */
    }
}

int main(int argc, char **argv)
{
    clsort_desc desc = {0};
    if (argc > 2 && strcmp(argv[2], "struct16") == 0)
        desc.record = &struct16;
    if (argc < 5 || argc > 7 || clsort_algorithm_from_name(argv[1], &desc.algorithm) ||
        (!desc.record && clsort_type_from_name(argv[2], &desc.type)))
        stop("usage: run_with_cuda ALGORITHM TYPE VALUE_SIZE[s] COUNT [PERCENT [ARRAYS]]", argc);
    desc.value_size = (uint32_t)strtoul(argv[3], NULL, 10);
    desc.stable = strchr(argv[3], 's') != NULL;
    desc.count = strtoull(argv[4], NULL, 10);
    desc.num_arrays = argc > 6 ? strtoull(argv[6], NULL, 10) : 1;

    clsort_sorter *sorter = NULL;
    struct problem problem;
    clsort_status status = clsort_create(NULL, NULL, &sorter);
    if (!status)
        status = sorter_plan(sorter, &desc, &problem);
    if (status)
        stop(clsort_status_text(status), status);

    CUdevice device;
    CUcontext context;
    cuda(cuInit(0), "cuInit");
    cuda(cuDeviceGet(&device, 0), "cuDeviceGet");
    cuda(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    cuda(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    const uint64_t key_bytes = check_size(&problem, BUFFER_KEYS);
    unsigned char *keys = calloc(key_bytes, 1);
    if (!keys)
        stop("out of memory", 0);
    const uint32_t step = desc.record ? struct16.size : problem.type->bits / 8;
    const uint32_t size = step < 8 ? step : 8;
    make_keys(keys, desc.count * desc.num_arrays, size, step,
              argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 100, desc.type == CLSORT_F64);
    CUdeviceptr memory[NUM_BUFFER_ROLES] = {0};
    cuda(cuMemAlloc(&memory[BUFFER_KEYS], key_bytes), "cuMemAlloc");
    cuda(cuMemcpyHtoD(memory[BUFFER_KEYS], keys, key_bytes), "cuMemcpyHtoD");
    if (desc.value_size) {
        const uint64_t value_bytes = check_size(&problem, BUFFER_VALUES);
        cuda(cuMemAlloc(&memory[BUFFER_VALUES], value_bytes), "cuMemAlloc");
        cuda(cuMemsetD8(memory[BUFFER_VALUES], 0, value_bytes), "cuMemsetD8");
    }
    if (sorter->plan.scratch_size)
        cuda(cuMemAlloc(&memory[BUFFER_SCRATCH], sorter->plan.scratch_size), "cuMemAlloc");
    memory[BUFFER_NONE] = memory[BUFFER_KEYS_OUT] = memory[BUFFER_KEYS];
    memory[BUFFER_VALUES_OUT] = memory[BUFFER_VALUES];

    for (uint32_t i = 0; i < sorter->plan.num_steps; ++i)
        launch(sorter, &sorter->plan.steps[i], memory);
    cuda(cuMemcpyDtoH(keys, memory[BUFFER_KEYS], key_bytes), "cuMemcpyDtoH");
    const int good = in_order(keys, &desc, size, step);
    puts(good ? "in order" : "NOT in order");
    free(keys);
    clsort_destroy(sorter);
    return !good;
}
