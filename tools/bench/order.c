/* order.c: argsort of strings and of rows of columns in buffers, as CSV for tools/bench/page. Every
 * order is checked on the host.
 *
 *     bench_order LOG2...
 *
 * Both times are medians of five sorts after one that compiles, on the queue that takes times. */
#include "bench/bench.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_ROUNDS = 5, MAX_COLUMNS = 3 };

/* What is sorted: strings of one width, or between two lengths, or columns. */
struct keys {
    const char *name;
    uint32_t min_length, max_length; /* of columns: the bytes of a row */
    uint32_t num_columns;
    clsort_column columns[MAX_COLUMNS];
};
static const struct keys all_keys[] = {
    {"strings of 20 bytes", 20, 20, 0, {{0}}},
    {"strings of 4 to 12 bytes", 4, 12, 0, {{0}}},
    {"rows of u16, u32", 6, 6, 2, {{.type = CLSORT_U16}, {CLSORT_U32, CLSORT_DESCENDING}}},
    {"rows of u8, u64, u32",
     13,
     13,
     3,
     {{.type = CLSORT_U8}, {.type = CLSORT_U64}, {.type = CLSORT_U32}}},
};
enum { NUM_KEYS = sizeof all_keys / sizeof *all_keys };

/* One input: the strings, one behind another; a row is the string of bytes that is ordered alike.
 * The buffers on the device are the benchmark's, which bench_opencl_end() releases. */
struct input {
    const struct keys *keys;
    uint32_t count;
    uint32_t *offsets; /* count + 1 */
    unsigned char *bytes;
    clsort_strings strings;
    clsort_desc desc;
    clsort_buffer columns[MAX_COLUMNS];
    clsort_buffers buffers;
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

static void make_input(const struct keys *keys, uint32_t count, struct input *input)
{
    const uint32_t num_lengths = keys->max_length - keys->min_length + 1;
    uint32_t *offsets = allocate((count + (uint64_t)1) * sizeof *offsets);
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; ++i)
        offsets[i + 1] =
            offsets[i] + keys->min_length + (uint32_t)(bench_random(1, i) % num_lengths);
    *input = (struct input){.keys = keys,
                            .count = count,
                            .offsets = offsets,
                            .bytes = allocate(offsets[count]),
                            .strings = {.num_bytes = offsets[count]},
                            .desc = {.count = count, .index_size = sizeof *offsets}};
    for (uint32_t i = 0; i < offsets[count]; ++i) {
        const uint64_t random = bench_random(2, i);
        input->bytes[i] = (unsigned char)(keys->num_columns > 0 ? random : 'a' + random % 26);
    }
    if (num_lengths > 1)
        input->strings.offset_size = sizeof *offsets;
    else
        input->strings.width = keys->min_length;
    if (keys->num_columns > 0) {
        input->desc.num_columns = keys->num_columns;
        input->desc.columns = keys->columns;
    } else {
        input->desc.strings = &input->strings;
    }
}

static cl_mem add_buffer(struct bench_opencl *opencl, enum bench_buffer which, const void *data,
                         uint64_t size)
{
    bench_opencl_create(opencl, which, size);
    if (data)
        bench_opencl_write(opencl, which, data, size);
    return opencl->buffers[which];
}

/* A column's numbers: their bytes in a row go from the highest one to the lowest, inverted where
 * the order is descending. The device has the low byte first. */
static cl_mem add_column(struct bench_opencl *opencl, enum bench_buffer which,
                         const struct input *input, const clsort_column *column, uint32_t at)
{
    const uint32_t size = clsort_type_size(column->type), width = input->keys->min_length;
    const unsigned char flip = column->order == CLSORT_DESCENDING ? 0xff : 0;
    unsigned char *data = allocate((uint64_t)input->count * size);
    for (uint64_t i = 0; i < (uint64_t)input->count * size; ++i)
        data[i] = input->bytes[i / size * width + at + size - 1 - i % size] ^ flip;
    cl_mem mem = add_buffer(opencl, which, data, (uint64_t)input->count * size);
    free(data);
    return mem;
}

static void add_buffers(struct bench_opencl *opencl, struct input *input)
{
    static const enum bench_buffer places[MAX_COLUMNS] = {KEYS_SOURCE, VALUES_SOURCE, KEYS};
    const uint64_t size = input->count * sizeof *input->offsets;
    clsort_buffers *buffers = &input->buffers;
    buffers->indices.mem = add_buffer(opencl, INDICES, NULL, size);
    add_buffer(opencl, SUMS, NULL, sizeof(cl_uint));
    for (uint32_t c = 0, at = 0; c < input->keys->num_columns; ++c) {
        const clsort_column *column = &input->keys->columns[c];
        input->columns[c].mem = add_column(opencl, places[c], input, column, at);
        at += clsort_type_size(column->type);
    }
    if (input->keys->num_columns > 0)
        buffers->columns = input->columns;
    else
        buffers->keys.mem = add_buffer(opencl, KEYS, input->bytes, input->strings.num_bytes);
    if (input->strings.offset_size > 0)
        buffers->offsets.mem =
            add_buffer(opencl, OFFSETS, input->offsets, size + sizeof *input->offsets);
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Whether each index is of a later place in the stable order than the one before, so that all are
 * there. */
static int is_order(const struct input *input, const uint32_t *indices)
{
    const uint32_t *offsets = input->offsets;
    for (uint32_t i = 0; i < input->count; ++i) {
        const uint32_t b = indices[i], a = i > 0 ? indices[i - 1] : b;
        if (b >= input->count)
            return 0;
        const uint32_t a_size = offsets[a + 1] - offsets[a], b_size = offsets[b + 1] - offsets[b];
        int order = memcmp(input->bytes + offsets[a], input->bytes + offsets[b],
                           a_size < b_size ? a_size : b_size);
        order = order ? order : (a_size > b_size) - (a_size < b_size);
        if (i > 0 && (order > 0 || (order == 0 && a >= b)))
            return 0;
    }
    return 1;
}

/* One sort; seconds of the device and of the host. */
static void run(struct bench_opencl *opencl, const struct input *input, double *on_device,
                double *on_host)
{
    cl_event before = bench_opencl_start_clock(opencl);
    const double start = seconds_now();
    const clsort_status status = clsort_enqueue(opencl->device->sorter, opencl->profiling_queue,
                                                &input->desc, &input->buffers, 0, NULL, NULL);
    const cl_int code = bench_opencl_stop_clock(opencl, before, on_device);
    *on_host = seconds_now() - start;
    bench_opencl_status(opencl, status);
    bench_opencl_result(opencl, "clFinish", code);
}

static void print_row(struct bench_opencl *opencl, const struct input *input)
{
    double on_device[NUM_ROUNDS], on_host[NUM_ROUNDS];
    char names[BENCH_KERNELS];
    struct bench_build build;
    struct bytes indices = {0};
    for (int i = -1; i < NUM_ROUNDS && opencl->result > 0; ++i)
        run(opencl, input, &on_device[i < 0 ? 0 : i], &on_host[i < 0 ? 0 : i]);
    bench_opencl_read(opencl, INDICES, &indices);
    if (opencl->result > 0 && !is_order(input, indices.data)) {
        message("%s are not in order", input->keys->name);
        opencl->result = -1;
    }
    bytes_free(&indices);
    if (opencl->result <= 0)
        return;
    bench_build_own(&build);
    build.sorter = opencl->device->sorter;
    bench_name_kernels(&build, &input->desc, names);
    printf("\"%s\",%u,4,%s,%s,%.9f,%.9f\n", input->keys->name, (unsigned)input->count, names,
           opencl->device->facts.name, bench_summarise(on_device, NUM_ROUNDS).median,
           bench_summarise(on_host, NUM_ROUNDS).median);
    fflush(stdout);
}

static int measure(struct bench_opencl *opencl, const struct keys *keys, uint32_t count)
{
    struct input input;
    make_input(keys, count, &input);
    add_buffers(opencl, &input);
    print_row(opencl, &input);
    bench_opencl_end(opencl);
    free(input.offsets);
    free(input.bytes);
    if (opencl->result == 0)
        message("%s", opencl->why);
    return opencl->result > 0;
}

int main(int argc, char **argv)
{
    static struct bench_opencl opencl;
    struct device device = {0};
    message_set_program("bench_order");
    int ok = device_open(&device, NULL) && bench_opencl_open(&opencl, &device);
    printf("type,keys,index_size,kernels,device,device_median_s,host_median_s\n");
    for (int i = 0; i < NUM_KEYS; ++i) {
        for (int k = 1; k < argc && ok; ++k) {
            const int log2 = atoi(argv[k]);
            ok = log2 >= 1 && log2 <= 27 && measure(&opencl, &all_keys[i], (uint32_t)1 << log2);
        }
    }
    bench_opencl_close(&opencl);
    device_close(&device);
    return ok ? 0 : 1;
}
