/* run_with_cuda.c: runs a plan's kernels through CUDA's driver API, because Nsight Compute and
 * compute-sanitizer see nothing in an OpenCL process. NVIDIA's OpenCL returns a program's binary as
 * PTX text; CUDA loads it, once the environment registers that OpenCL fills in are replaced.
 *
 *     ncu --clock-control none --metrics ... run_with_cuda ARGUMENTS
 *     compute-sanitizer --tool racecheck run_with_cuda ARGUMENTS
 *
 * ARGUMENTS: ALGORITHM TYPE VALUE_SIZE[s] COUNT [DATA [ARRAYS]]; s: equal keys keep their order
 *
 * Sorts ARRAYS (1) arrays of COUNT keys each, as 'clsort bench --rows' has them. TYPE is one of its
 * numbers or records, as u32 or struct16. DATA is one of its distributions ('random'). Prints
 * whether the result is in order and has the input's elements, and exits 0 if so. */
#include "check/check.h"
#include "call/sorter.h"

#include "bench/run/data.h"
#include "bench/opponents/look.h"

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
    if (program_kernel(&sorter->programs, step->kernel, &step->variant, &entry))
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

static const char usage[] =
    "usage: run_with_cuda ALGORITHM TYPE VALUE_SIZE[s] COUNT [DATA [ARRAYS]]; DATA: one of\n";

static void stop_with_usage(void)
{
    fputs(usage, stderr);
    for (int i = 0; i < BENCH_NUM_DISTRIBUTIONS; ++i)
        fprintf(stderr, "%s%s", i ? " " : "", bench_distribution_names[i]);
    fputs("\n", stderr);
    exit(2);
}

/* What the arguments ask for. */
struct work {
    clsort_desc desc;
    struct bench_input input;
};

static uint64_t number_of(const char *text, uint64_t smallest, const char *may_follow)
{
    char *end = NULL;
    const uint64_t number = strtoull(text, &end, 10);
    if (end == text || *text == '-' || number < smallest || (*end && strcmp(end, may_follow) != 0))
        stop_with_usage();
    return number;
}

static struct work work_of(int argc, char **argv)
{
    struct work work;
    struct bench_type type = {.value_size = 0};
    enum bench_distribution distribution = BENCH_RANDOM;
    clsort_algorithm algorithm = CLSORT_AUTO;
    if (argc < 5 || argc > 7 || clsort_algorithm_from_name(argv[1], &algorithm) ||
        !bench_key_from_name(argv[2], &type) ||
        (argc > 5 && !bench_distribution_from_name(argv[5], &distribution)))
        stop_with_usage();
    type.value_size = (uint32_t)number_of(argv[3], 0, "s");
    const uint64_t count = number_of(argv[4], 1, "");
    const uint64_t num_arrays = argc > 6 ? number_of(argv[6], 1, "") : 1;
    work.desc = bench_input_desc(type, count);
    work.desc.algorithm = algorithm;
    work.desc.stable = strchr(argv[3], 's') != NULL;
    work.desc.num_arrays = num_arrays;
    work.input = bench_input_make(type, count * num_arrays, distribution, 1);
    work.input.has_places = type.value_size > 0 && type.value_size % 4 == 0;
    work.input.is_stable = work.desc.stable && work.input.has_places;
    if (num_arrays > 1) {
        work.input.work = BENCH_SEGMENTS;
        work.input.num_segments = num_arrays;
        work.input.row_length = count;
    }
    return work;
}

static void *allocate(uint64_t size)
{
    void *memory = calloc(size ? size : 1, 1);
    if (!memory)
        stop("out of memory", 0);
    return memory;
}

static struct bench_sums look(const struct work *work, const void *keys, const void *values,
                              enum bench_side side)
{
    const struct bench_arrays arrays = {.keys = keys, .values = values};
    struct bench_input input = work->input;
    input.side = side;
    return bench_look(&input, &arrays, 0, 1);
}

static void copy_in(CUdeviceptr *memory_ret, const void *from, uint64_t size)
{
    if (!size)
        return;
    cuda(cuMemAlloc(memory_ret, size), "cuMemAlloc");
    cuda(cuMemcpyHtoD(*memory_ret, from, size), "cuMemcpyHtoD");
}

static void copy_out(void *to, CUdeviceptr memory, uint64_t size)
{
    if (size)
        cuda(cuMemcpyDtoH(to, memory, size), "cuMemcpyDtoH");
}

static void open_cuda(void)
{
    CUdevice device;
    CUcontext context;
    cuda(cuInit(0), "cuInit");
    cuda(cuDeviceGet(&device, 0), "cuDeviceGet");
    cuda(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    cuda(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

/* Runs the sorter's plan on keys and values, in place. */
static void run(clsort_sorter *sorter, void *keys, uint64_t key_bytes, void *values,
                uint64_t value_bytes)
{
    CUdeviceptr memory[NUM_BUFFER_ROLES] = {0};
    copy_in(&memory[BUFFER_KEYS], keys, key_bytes);
    copy_in(&memory[BUFFER_VALUES], values, value_bytes);
    if (sorter->plan.scratch_size)
        cuda(cuMemAlloc(&memory[BUFFER_SCRATCH], sorter->plan.scratch_size), "cuMemAlloc");
    memory[BUFFER_NONE] = memory[BUFFER_KEYS_OUT] = memory[BUFFER_KEYS];
    memory[BUFFER_VALUES_OUT] = memory[BUFFER_VALUES];
    for (uint32_t i = 0; i < sorter->plan.num_steps; ++i)
        launch(sorter, &sorter->plan.steps[i], memory);
    copy_out(keys, memory[BUFFER_KEYS], key_bytes);
    copy_out(values, memory[BUFFER_VALUES], value_bytes);
}

int main(int argc, char **argv)
{
    const struct work work = work_of(argc, argv);
    clsort_sorter *sorter = NULL;
    struct problem problem;
    clsort_status status = clsort_create(NULL, NULL, &sorter);
    if (!status)
        status = sorter_plan(sorter, &work.desc, &problem);
    if (status)
        stop(clsort_status_text(status), status);
    open_cuda();

    const uint64_t key_bytes = check_size(&problem, BUFFER_KEYS);
    const uint64_t value_bytes = work.desc.value_size ? check_size(&problem, BUFFER_VALUES) : 0;
    void *keys = allocate(key_bytes), *values = allocate(value_bytes);
    bench_fill(&work.input, keys, values, 0, 1);
    const struct bench_sums before = look(&work, keys, values, BENCH_INPUT);
    run(sorter, keys, key_bytes, values, value_bytes);
    const struct bench_sums after = look(&work, keys, values, BENCH_OUTPUT);
    const int good = !after.disorders && after.hash == before.hash;
    puts(good              ? "in order"
         : after.disorders ? "NOT in order"
                           : "in order, but NOT the input's elements");
    free(keys);
    free(values);
    clsort_destroy(sorter);
    return !good;
}
