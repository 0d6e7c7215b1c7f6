/* order.c: argsort of strings and of rows of columns in buffers, as CSV for tools/bench/page. Every
 * order is checked on the host.
 *
 *     bench_order [-r REPEAT] [LOG2...]
 *
 * Both times are medians of REPEAT sorts after one that compiles: on the device from the end of a
 * fill before the sort to the start of one after it, and on the host from enqueue to finish. */
#define _POSIX_C_SOURCE 200809L
#include <clsort/clsort.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPEAT = 99, MAX_COLUMNS = 3, MAX_BUFFERS = MAX_COLUMNS + 3, NAMES = 1024 };

/* What is sorted: strings of one width, or between two lengths, or columns. */
struct keys {
    const char *name;
    uint32_t min_length, max_length;
    uint32_t num_columns;
    clsort_column columns[MAX_COLUMNS];
    uint32_t sizes[MAX_COLUMNS];
};
static const struct keys all_keys[] = {
    {"strings of 20 bytes", 20, 20, 0, {{CLSORT_U8, CLSORT_ASCENDING}}, {0}},
    {"strings of 4 to 12 bytes", 4, 12, 0, {{CLSORT_U8, CLSORT_ASCENDING}}, {0}},
    {"rows of u16, u32",
     0,
     0,
     2,
     {{CLSORT_U16, CLSORT_ASCENDING}, {CLSORT_U32, CLSORT_DESCENDING}},
     {2, 4}},
    {"rows of u8, u64, u32",
     0,
     0,
     3,
     {{CLSORT_U8, CLSORT_ASCENDING},
      {CLSORT_U64, CLSORT_ASCENDING},
      {CLSORT_U32, CLSORT_ASCENDING}},
     {1, 8, 4}},
};
enum { NUM_KEYS = sizeof all_keys / sizeof *all_keys };

/* One input: the bytes of the strings with their offsets, or the columns. */
struct input {
    const struct keys *keys;
    uint32_t count;
    unsigned char *data[MAX_COLUMNS];
    uint64_t sizes[MAX_COLUMNS];
    uint32_t *offsets; /* count + 1; NULL: columns */
    clsort_strings strings;
    clsort_desc desc;
};

struct device {
    clsort_sorter *sorter;
    cl_context context;
    cl_command_queue queue;
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t random_bits(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *allocate(uint64_t size)
{
    void *data = malloc(size);
    if (!data) {
        fprintf(stderr, "bench_order: no memory for %llu bytes\n", (unsigned long long)size);
        exit(1);
    }
    return data;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void make_strings(struct input *input)
{
    const uint32_t lengths = input->keys->max_length - input->keys->min_length + 1;
    input->offsets = allocate((input->count + 1) * sizeof *input->offsets);
    input->offsets[0] = 0;
    for (uint32_t i = 0; i < input->count; ++i)
        input->offsets[i + 1] =
            input->offsets[i] + input->keys->min_length + (uint32_t)(random_bits(i) % lengths);
    input->sizes[0] = input->offsets[input->count];
    input->data[0] = allocate(input->sizes[0]);
    for (uint64_t i = 0; i < input->sizes[0]; ++i)
        input->data[0][i] = (unsigned char)('a' + random_bits(~i) % 26);
    input->strings.num_bytes = input->sizes[0];
    if (lengths > 1)
        input->strings.offset_size = sizeof *input->offsets;
    else
        input->strings.width = input->keys->min_length;
    input->desc.strings = &input->strings;
}

static void make_columns(struct input *input)
{
    for (uint32_t c = 0; c < input->keys->num_columns; ++c) {
        const uint32_t size = input->keys->sizes[c];
        input->sizes[c] = (uint64_t)input->count * size;
        input->data[c] = allocate(input->sizes[c]);
        for (uint64_t i = 0; i < input->count; ++i) {
            const uint64_t bits = random_bits(i * MAX_COLUMNS + c);
            memcpy(input->data[c] + i * size, &bits, size);
        }
    }
    input->desc.num_columns = input->keys->num_columns;
    input->desc.columns = input->keys->columns;
}

static void make_input(const struct keys *keys, uint32_t count, struct input *input)
{
    *input = (struct input){.keys = keys,
                            .count = count,
                            .desc = {.count = count, .index_size = sizeof(uint32_t)}};
    if (keys->num_columns > 0)
        make_columns(input);
    else
        make_strings(input);
}

static void free_input(struct input *input)
{
    for (uint32_t c = 0; c < MAX_COLUMNS; ++c)
        free(input->data[c]);
    free(input->offsets);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int compare_strings(const struct input *input, uint32_t a, uint32_t b)
{
    const uint32_t *offsets = input->offsets;
    const uint32_t a_size = offsets[a + 1] - offsets[a], b_size = offsets[b + 1] - offsets[b];
    const int order = memcmp(input->data[0] + offsets[a], input->data[0] + offsets[b],
                             a_size < b_size ? a_size : b_size);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

static uint64_t element(const struct input *input, uint32_t column, uint32_t i)
{
    uint64_t bits = 0; /* the host has the low byte first */
    const uint32_t size = input->keys->sizes[column];
    memcpy(&bits, input->data[column] + (uint64_t)i * size, size);
    return bits;
}

static int compare_rows(const struct input *input, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < input->keys->num_columns; ++c) {
        const uint64_t x = element(input, c, a), y = element(input, c, b);
        if (x != y)
            return (x > y) == (input->keys->columns[c].order == CLSORT_ASCENDING) ? 1 : -1;
    }
    return 0;
}

/* Whether the indices are all there, and in the stable order. */
static int is_order(const struct input *input, const uint32_t *indices)
{
    unsigned char *is_seen = allocate(input->count);
    int ok = 1;
    memset(is_seen, 0, input->count);
    for (uint32_t i = 0; i < input->count && ok; ++i) {
        ok = indices[i] < input->count && !is_seen[indices[i]];
        if (ok)
            is_seen[indices[i]] = 1;
    }
    for (uint32_t i = 1; i < input->count && ok; ++i) {
        const uint32_t a = indices[i - 1], b = indices[i];
        const int order = input->offsets ? compare_strings(input, a, b) : compare_rows(input, a, b);
        ok = order < 0 || (order == 0 && a < b);
    }
    free(is_seen);
    return ok;
}

/* ---- Times ----------------------------------------------------------------------------------- */

static cl_mem buffer_of(const struct device *device, const void *data, uint64_t size, cl_int *code)
{
    cl_int created = CL_SUCCESS;
    cl_mem mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &created);
    if (!created && data)
        created = clEnqueueWriteBuffer(device->queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL);
    *code = *code ? *code : created;
    return mem;
}

static cl_int mark(const struct device *device, cl_mem mem, cl_event *event)
{
    const cl_uint zero = 0;
    return clEnqueueFillBuffer(device->queue, mem, &zero, sizeof zero, 0, sizeof zero, 0, NULL,
                               event);
}

/* One sort between two marks; seconds of the device and of the host. */
static int run(const struct device *device, const struct input *input,
               const clsort_buffers *buffers, cl_mem marked, double seconds[2])
{
    cl_event before = NULL, after = NULL;
    cl_ulong start = 0, end = 0;
    cl_int code = mark(device, marked, &before);
    const double host_start = seconds_now();
    const clsort_status status =
        clsort_enqueue(device->sorter, device->queue, &input->desc, buffers, 0, NULL, NULL);
    code = code ? code : mark(device, marked, &after);
    code = code ? code : clFinish(device->queue);
    seconds[1] = seconds_now() - host_start;
    if (!code && !status) {
        clGetEventProfilingInfo(before, CL_PROFILING_COMMAND_END, sizeof start, &start, NULL);
        clGetEventProfilingInfo(after, CL_PROFILING_COMMAND_START, sizeof end, &end, NULL);
    } else {
        fprintf(stderr, "bench_order: %s (OpenCL %d)\n", clsort_status_text(status), (int)code);
    }
    seconds[0] = 1e-9 * (double)(end - start);
    if (before)
        clReleaseEvent(before);
    if (after)
        clReleaseEvent(after);
    return !code && !status;
}

static double median(double *seconds, int num)
{
    qsort(seconds, (size_t)num, sizeof *seconds, by_value);
    return (seconds[(num - 1) / 2] + seconds[num / 2]) / 2;
}

/* The plan's kernels with blanks between; a name may come twice. */
static void name_kernels(const struct device *device, const clsort_desc *desc, char names[NAMES])
{
    clsort_step steps[256];
    clsort_plan plan;
    size_t size = 0;
    names[0] = '\0';
    if (clsort_get_plan(device->sorter, desc, &plan, steps, 256))
        return;
    for (uint32_t i = 0; i < plan.num_steps && i < 256; ++i) {
        if (size + strlen(steps[i].kernel) + 2 < NAMES)
            size += (size_t)sprintf(names + size, "%s ", steps[i].kernel);
    }
}

static int print_row(const struct device *device, const struct input *input, int repeat,
                     const clsort_buffers *buffers, cl_mem marked)
{
    double on_device[MAX_REPEAT], on_host[MAX_REPEAT], seconds[2];
    char names[NAMES], device_name[256] = "";
    uint32_t *indices = allocate(input->count * sizeof *indices);
    int ok = 1;
    for (int i = -1; i < repeat && ok; ++i) {
        ok = run(device, input, buffers, marked, seconds);
        on_device[i < 0 ? 0 : i] = seconds[0];
        on_host[i < 0 ? 0 : i] = seconds[1];
    }
    ok = ok && !clEnqueueReadBuffer(device->queue, buffers->indices.mem, CL_TRUE, 0,
                                    input->count * sizeof *indices, indices, 0, NULL, NULL);
    if (ok && !is_order(input, indices)) {
        fprintf(stderr, "bench_order: %s are not in order\n", input->keys->name);
        ok = 0;
    }
    free(indices);
    name_kernels(device, &input->desc, names);
    clGetDeviceInfo(clsort_device(device->sorter), CL_DEVICE_NAME, sizeof device_name, device_name,
                    NULL);
    if (ok)
        printf("\"%s\",%u,4,%s,%s,%.9f,%.9f\n", input->keys->name, (unsigned)input->count, names,
               device_name, median(on_device, repeat), median(on_host, repeat));
    fflush(stdout);
    return ok;
}

static int measure(const struct device *device, const struct input *input, int repeat)
{
    const uint64_t count = input->count;
    cl_int code = CL_SUCCESS;
    cl_mem mems[MAX_BUFFERS] = {NULL};
    clsort_buffer columns[MAX_COLUMNS] = {{0}};
    const clsort_buffer none = {NULL, 0};
    clsort_buffers buffers = {.columns = input->offsets ? NULL : columns};
    for (uint32_t c = 0; c < MAX_COLUMNS && input->data[c]; ++c) {
        mems[c] = buffer_of(device, input->data[c], input->sizes[c], &code);
        columns[c].mem = mems[c];
    }
    buffers.keys = input->offsets ? columns[0] : none;
    if (input->strings.offset_size > 0) {
        mems[MAX_COLUMNS] = buffer_of(device, input->offsets, (count + 1) * 4, &code);
        buffers.offsets.mem = mems[MAX_COLUMNS];
    }
    mems[MAX_COLUMNS + 1] = buffer_of(device, NULL, count * 4, &code);
    mems[MAX_COLUMNS + 2] = buffer_of(device, NULL, 4, &code);
    buffers.indices.mem = mems[MAX_COLUMNS + 1];
    if (code)
        fprintf(stderr, "bench_order: the buffers: OpenCL %d\n", (int)code);
    const int ok = !code && print_row(device, input, repeat, &buffers, mems[MAX_COLUMNS + 2]);
    for (int i = 0; i < MAX_BUFFERS; ++i) {
        if (mems[i])
            clReleaseMemObject(mems[i]);
    }
    return ok;
}

static int measure_all(const struct device *device, int repeat, const unsigned *sizes, int num)
{
    int ok = 1;
    printf("type,keys,index_size,kernels,device,device_median_s,host_median_s\n");
    for (int i = 0; i < NUM_KEYS * num && ok; ++i) {
        struct input input;
        make_input(&all_keys[i / num], (uint32_t)1 << sizes[i % num], &input);
        ok = measure(device, &input, repeat);
        free_input(&input);
    }
    return ok;
}

int main(int argc, char **argv)
{
    unsigned sizes[16] = {20, 24};
    int num_sizes = 0, repeat = 5;
    struct device device = {NULL};
    cl_int code = CL_SUCCESS;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-r") == 0 && i + 1 < argc)
            repeat = atoi(argv[++i]);
        else if (num_sizes < 16)
            sizes[num_sizes++] = (unsigned)atoi(argv[i]);
    }
    num_sizes = num_sizes ? num_sizes : 2;
    for (int i = 0; i < num_sizes; ++i) {
        if (repeat < 1 || repeat > MAX_REPEAT || sizes[i] < 1 || sizes[i] > 27) {
            fprintf(stderr, "bench_order: 1 to %d repeats, sizes from 1 to 27\n", MAX_REPEAT);
            return 2;
        }
    }
    const clsort_status status = clsort_create(NULL, NULL, &device.sorter);
    if (status) {
        fprintf(stderr, "bench_order: %s\n", clsort_status_text(status));
        return 1;
    }
    device.context = clsort_context(device.sorter);
    device.queue = clCreateCommandQueue(device.context, clsort_device(device.sorter),
                                        CL_QUEUE_PROFILING_ENABLE, &code);
    const int ok = !code && measure_all(&device, repeat, sizes, num_sizes);
    if (device.queue)
        clReleaseCommandQueue(device.queue);
    clsort_destroy(device.sorter);
    return ok ? 0 : 1;
}
