/* order.c: argsort of strings and of rows of columns in buffers, as CSV for tools/bench/page. Every
 * order is checked on the host.
 *
 *     bench_order [-r REPEAT] [LOG2...]
 *
 * Both times are medians of REPEAT sorts after one that compiles, on the queue that takes times. */
#include "bench/bench.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEAT = 99, MAX_COLUMNS = 3 };

/* What is sorted: strings of one width, or between two lengths, or columns. */
struct keys {
    const char *name;
    uint32_t min_length, max_length;
    uint32_t num_columns;
    clsort_column columns[MAX_COLUMNS];
    uint32_t sizes[MAX_COLUMNS];
};
static const struct keys all_keys[] = {
    {.name = "strings of 20 bytes", .min_length = 20, .max_length = 20},
    {.name = "strings of 4 to 12 bytes", .min_length = 4, .max_length = 12},
    {.name = "rows of u16, u32",
     .num_columns = 2,
     .columns = {{CLSORT_U16, CLSORT_ASCENDING}, {CLSORT_U32, CLSORT_DESCENDING}},
     .sizes = {2, 4}},
    {.name = "rows of u8, u64, u32",
     .num_columns = 3,
     .columns = {{.type = CLSORT_U8}, {.type = CLSORT_U64}, {.type = CLSORT_U32}},
     .sizes = {1, 8, 4}},
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
            input->offsets[i] + input->keys->min_length + (uint32_t)(bench_random(1, i) % lengths);
    input->sizes[0] = input->offsets[input->count];
    input->data[0] = allocate(input->sizes[0]);
    for (uint64_t i = 0; i < input->sizes[0]; ++i)
        input->data[0][i] = (unsigned char)('a' + bench_random(2, i) % 26);
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
            const uint64_t bits = bench_random(3 + c, i);
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

/* One sort; seconds of the device and of the host. */
static int run(struct bench_opencl *opencl, const struct input *input,
               const clsort_buffers *buffers, double *on_device, double *on_host)
{
    cl_event before;
    cl_int code = bench_opencl_start_clock(opencl, &before);
    const double start = seconds_now();
    const clsort_status status = clsort_enqueue(opencl->device->sorter, opencl->profiling_queue,
                                                &input->desc, buffers, 0, NULL, NULL);
    if (!code)
        code = bench_opencl_stop_clock(opencl, before, on_device);
    *on_host = seconds_now() - start;
    if (status || code)
        fprintf(stderr, "bench_order: %s (OpenCL %d)\n", clsort_status_text(status), (int)code);
    return !status && !code;
}

static int print_row(struct bench_opencl *opencl, const struct input *input, int repeat,
                     const clsort_buffers *buffers)
{
    double on_device[MAX_REPEAT], on_host[MAX_REPEAT];
    char names[BENCH_KERNELS];
    struct bench_build build;
    uint32_t *indices = allocate(input->count * sizeof *indices);
    int ok = 1;
    for (int i = -1; i < repeat && ok; ++i)
        ok = run(opencl, input, buffers, &on_device[i < 0 ? 0 : i], &on_host[i < 0 ? 0 : i]);
    ok = ok && !clEnqueueReadBuffer(opencl->queue, buffers->indices.mem, CL_TRUE, 0,
                                    input->count * sizeof *indices, indices, 0, NULL, NULL);
    if (ok && !is_order(input, indices)) {
        fprintf(stderr, "bench_order: %s are not in order\n", input->keys->name);
        ok = 0;
    }
    free(indices);
    bench_build_own(&build);
    build.sorter = opencl->device->sorter;
    bench_name_kernels(&build, &input->desc, names);
    if (ok)
        printf("\"%s\",%u,4,%s,%s,%.9f,%.9f\n", input->keys->name, (unsigned)input->count, names,
               opencl->device->facts.name, bench_summarise(on_device, repeat).median,
               bench_summarise(on_host, repeat).median);
    fflush(stdout);
    return ok;
}

/* A buffer of the benchmark's, which bench_opencl_end() releases. */
static cl_mem add_buffer(struct bench_opencl *opencl, enum bench_buffer which, const void *data,
                         uint64_t size)
{
    cl_int code = CL_SUCCESS;
    cl_mem mem = clCreateBuffer(opencl->device->context, CL_MEM_READ_WRITE, size, NULL, &code);
    opencl->buffers[which] = mem;
    if (!code && data)
        code = clEnqueueWriteBuffer(opencl->queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL);
    if (code)
        message_of_opencl("a buffer", code);
    return code ? NULL : mem;
}

static int measure(struct bench_opencl *opencl, const struct input *input, int repeat)
{
    static const enum bench_buffer places[MAX_COLUMNS] = {KEYS_SOURCE, VALUES_SOURCE, KEYS};
    const uint64_t count = input->count;
    clsort_buffer columns[MAX_COLUMNS] = {{0}};
    clsort_buffers buffers = {.indices.mem = add_buffer(opencl, INDICES, NULL, count * 4)};
    int ok = buffers.indices.mem && add_buffer(opencl, SUMS, NULL, sizeof(cl_uint));
    for (uint32_t c = 0; c < MAX_COLUMNS && input->data[c] && ok; ++c) {
        columns[c].mem = add_buffer(opencl, places[c], input->data[c], input->sizes[c]);
        ok = columns[c].mem != NULL;
    }
    if (!input->offsets)
        buffers.columns = columns;
    else
        buffers.keys = columns[0];
    if (ok && input->strings.offset_size > 0) {
        buffers.offsets.mem = add_buffer(opencl, OFFSETS, input->offsets, (count + 1) * 4);
        ok = buffers.offsets.mem != NULL;
    }
    ok = ok && print_row(opencl, input, repeat, &buffers);
    bench_opencl_end(opencl);
    return ok;
}

static int measure_all(struct bench_opencl *opencl, int repeat, const unsigned *sizes, int num)
{
    int ok = 1;
    printf("type,keys,index_size,kernels,device,device_median_s,host_median_s\n");
    for (int i = 0; i < NUM_KEYS * num && ok; ++i) {
        struct input input;
        make_input(&all_keys[i / num], (uint32_t)1 << sizes[i % num], &input);
        ok = measure(opencl, &input, repeat);
        free_input(&input);
    }
    return ok;
}

int main(int argc, char **argv)
{
    static struct bench_opencl opencl;
    unsigned sizes[16] = {20, 24};
    int num_sizes = 0, repeat = 5, ok = 1;
    struct device device = {0};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-r") == 0 && i + 1 < argc)
            repeat = atoi(argv[++i]);
        else if (num_sizes < 16)
            sizes[num_sizes++] = (unsigned)atoi(argv[i]);
    }
    num_sizes = num_sizes ? num_sizes : 2;
    for (int i = 0; i < num_sizes; ++i)
        ok = ok && repeat >= 1 && repeat <= MAX_REPEAT && sizes[i] >= 1 && sizes[i] <= 27;
    if (!ok) {
        fprintf(stderr, "bench_order: 1 to %d repeats, sizes from 1 to 27\n", MAX_REPEAT);
        return 2;
    }
    ok = device_open(&device, NULL) && bench_opencl_open(&opencl, &device) &&
         measure_all(&opencl, repeat, sizes, num_sizes);
    bench_opencl_close(&opencl);
    device_close(&device);
    return ok ? 0 : 1;
}
