/* draw_algorithm ALGORITHM FIRST_BIT TITLE: a picture, SVG, of a sort that the library runs on
 * the device. The launches of its plan run one by one. Each that moves elements is a row of
 * them, and lines lead there. An element's colour is its place in the output.
 * tools/draw-algorithms calls this with limits and tuning that make a few elements go the way of
 * millions. */
#include "run.h"
#include "call/sorter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNT = 128,
    SHIFT = 24,
    VALUES = 1 << (32 - SHIFT),
    MAX_PLACES = 8,
    MAX_LABELS = 8,
    MAX_SCRATCH = 1 << 16,
    MAX_TEXT = 1 << 19
};
/* Pixels. */
enum { CELL = 5, BAND = 12, GAP = 44, LEFT = 12, TOP = 40, LABELS = 112, LINE = 13 };
/* A key's low bits, the same in all. No table of the library has such numbers. */
static const uint32_t tag = 0xA55A5A, nowhere = 0xFFFFFFFF;

/* Where keys may be: a part of their buffer or of the scratch. */
struct place {
    enum buffer_role role;
    uint64_t offset;
};

struct drawing {
    clsort_sorter *sorter;
    cl_command_queue queue;
    clsort_buffers buffers;
    struct place places[MAX_PLACES];
    int num_places;
    uint32_t keys[COUNT]; /* as they stand after the last launch */
    int homes[COUNT];     /* the places that have them */
    int bottom;
    char text[MAX_TEXT];
    size_t length;
};

static void check(clsort_status status, cl_int code, const char *what)
{
    if (status || code) {
        fprintf(stderr, "draw_algorithm: %s: %s (%d)\n", what,
                status ? clsort_status_text(status) : "OpenCL failed", code);
        exit(1);
    }
}

#define ADD(drawing, ...)                                                       \
    ((drawing)->length += (size_t)snprintf((drawing)->text + (drawing)->length, \
                                           MAX_TEXT - (drawing)->length, __VA_ARGS__))

/* ---- The picture ---- */
/* From blue through green to red, in straight pieces. */
static const char *colour_of(uint32_t key, char text[8])
{
    static const int stops[][3] = {
        {49, 54, 149}, {69, 157, 199}, {120, 190, 110}, {244, 175, 60}, {165, 0, 38}};
    enum { PIECES = sizeof stops / sizeof *stops - 1 };
    const int at = (int)(key >> SHIFT) * PIECES;
    const int *from = stops[at / VALUES], *to = stops[at / VALUES + 1];
    int rgb[3];
    for (int i = 0; i < 3; ++i)
        rgb[i] = from[i] + (to[i] - from[i]) * (at % VALUES) / VALUES;
    snprintf(text, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
    return text;
}

/* labels: kernels, the last of which has moved the elements. */
static void draw_row(struct drawing *d, const char *const *labels, int num_labels)
{
    char colour[8];
    for (int i = 0; i < COUNT; ++i)
        ADD(d, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
            LEFT + i * CELL, d->bottom, CELL, BAND, colour_of(d->keys[i], colour));
    for (int i = 0; i < num_labels; ++i)
        ADD(d, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT + COUNT * CELL + 10,
            d->bottom + BAND - 2 - (num_labels - 1 - i) * LINE, labels[i]);
    d->bottom += BAND;
}

/* Lines from the elements' old positions to their new ones. */
static void draw_moves(struct drawing *d, const uint32_t before[COUNT])
{
    char colour[8];
    for (int to = 0; to < COUNT; ++to) {
        int from = 0;
        while (from < COUNT && before[from] != d->keys[to])
            ++from;
        if (from == COUNT)
            check(CLSORT_ERROR_OPENCL, 0, "a launch has lost a key");
        ADD(d, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"%s\"/>\n",
            LEFT + from * CELL + CELL / 2, d->bottom, LEFT + from * CELL + CELL / 2,
            d->bottom + GAP / 2, LEFT + to * CELL + CELL / 2, d->bottom + GAP / 2,
            LEFT + to * CELL + CELL / 2, d->bottom + GAP, colour_of(d->keys[to], colour));
    }
    d->bottom += GAP;
}

static void print_picture(const struct drawing *d, const char *title)
{
    const int width = LEFT + COUNT * CELL + LABELS, height = d->bottom + 12;
    if (d->length >= MAX_TEXT)
        check(CLSORT_ERROR_HOST_MEMORY, 0, "the picture");
    printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
        "<title>%s</title>\n"
        "<style>@media (prefers-color-scheme: dark) {\n"
        "svg { fill: #ddd } .ground { fill: #1b1d20 } }</style>\n"
        "<rect class=\"ground\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n"
        "<g stroke-width=\"0.8\" stroke-opacity=\"0.8\" shape-rendering=\"geometricPrecision\">\n"
        "%s</g>\n</svg>\n",
        width, height, width, height, title, width, height, LEFT, title, d->text);
}

/* ---- The sort ---- */
static cl_mem memory_of(const struct drawing *d, int place)
{
    return d->places[place].role == BUFFER_SCRATCH ? d->buffers.scratch.mem : d->buffers.keys.mem;
}

static void transfer(struct drawing *d, int place, uint32_t keys[COUNT], int is_read)
{
    const size_t offset = (size_t)d->places[place].offset, size = COUNT * sizeof *keys;
    const cl_int code = is_read ? clEnqueueReadBuffer(d->queue, memory_of(d, place), CL_TRUE,
                                                      offset, size, keys, 0, NULL, NULL)
                                : clEnqueueWriteBuffer(d->queue, memory_of(d, place), CL_TRUE,
                                                       offset, size, keys, 0, NULL, NULL);
    check(CLSORT_OK, code, is_read ? "clEnqueueReadBuffer" : "clEnqueueWriteBuffer");
}

static void add_place(struct drawing *d, enum buffer_role role, uint64_t offset)
{
    role = role == BUFFER_KEYS_OUT ? BUFFER_KEYS : role;
    for (int i = 0; i < d->num_places; ++i) {
        if (d->places[i].role == role && d->places[i].offset == offset)
            return;
    }
    if (d->num_places == MAX_PLACES)
        check(CLSORT_ERROR_HOST_MEMORY, 0, "places of keys");
    d->places[d->num_places++] = (struct place){role, offset};
}

/* The keys' buffer first; then what else launches read keys from and write them to. */
static void find_places(struct drawing *d, const struct plan *plan)
{
    add_place(d, BUFFER_KEYS, 0);
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        const struct step *step = &plan->steps[i];
        if (step->kernel == KERNEL_RADIX_SCATTER || step->kernel == KERNEL_MERGE_PASS ||
            step->kernel == KERNEL_MERGE_TILE)
            add_place(d, step->buffers[1].role, step->buffers[1].offset);
        if (step->kernel == KERNEL_PARTITION_SCATTER)
            add_place(d, BUFFER_SCRATCH, step->params.partition.work_keys);
    }
}

static int is_key(uint32_t number)
{
    return number % (1u << SHIFT) == tag;
}

/* Takes the copies of keys away that earlier launches have left behind. */
static void forget_copies(struct drawing *d)
{
    for (int place = 0; place < d->num_places; ++place) {
        uint32_t keys[COUNT];
        transfer(d, place, keys, 1);
        for (int i = 0; i < COUNT; ++i) {
            if (d->homes[i] != place && is_key(keys[i]))
                keys[i] = nowhere;
        }
        transfer(d, place, keys, 0);
    }
}

/* Finds the keys after a launch. Whether any has moved. */
static int find_keys(struct drawing *d)
{
    uint32_t keys[MAX_PLACES][COUNT];
    int has_moved = 0;
    for (int place = 0; place < d->num_places; ++place)
        transfer(d, place, keys[place], 1);
    for (int i = 0; i < COUNT; ++i) {
        for (int place = 0; place < d->num_places; ++place) {
            if (place != d->homes[i] && is_key(keys[place][i])) {
                d->homes[i] = place;
                break;
            }
        }
        has_moved |= d->keys[i] != keys[d->homes[i]][i];
        d->keys[i] = keys[d->homes[i]][i];
    }
    return has_moved;
}

/* Whether a launch has changed anything in the scratch, of which `before` is a copy. */
static int has_worked(const struct drawing *d, unsigned char *before, unsigned char *after)
{
    const size_t size = (size_t)d->sorter->plan.scratch_size;
    const cl_int code = size == 0 ? CL_SUCCESS
                                  : clEnqueueReadBuffer(d->queue, d->buffers.scratch.mem, CL_TRUE,
                                                        0, size, after, 0, NULL, NULL);
    check(CLSORT_OK, code, "clEnqueueReadBuffer");
    return memcmp(before, after, size) != 0;
}

/* Runs the plan's launches one by one. Those that move nothing are named with the next that
 * does, and those that find nothing to do are left out. */
static void draw_steps(struct drawing *d)
{
    static unsigned char scratch[2][MAX_SCRATCH];
    struct plan *plan = &d->sorter->plan;
    const struct plan whole = *plan;
    const char *labels[MAX_LABELS] = {"input"};
    int num_labels = 0;
    if (plan->scratch_size > MAX_SCRATCH)
        check(CLSORT_ERROR_HOST_MEMORY, 0, "the scratch");
    find_places(d, plan);
    draw_row(d, labels, 1);
    for (uint32_t i = 0; i < whole.num_steps; ++i) {
        uint32_t before[COUNT];
        memcpy(before, d->keys, sizeof before);
        forget_copies(d);
        has_worked(d, scratch[0], scratch[0]);
        plan->steps = whole.steps + i;
        plan->num_steps = 1;
        check(run_plan(d->sorter, d->queue, &d->buffers, 0, NULL, NULL), 0, "a launch");
        check(CLSORT_OK, clFinish(d->queue), "clFinish");
        const int has_moved = find_keys(d), works = has_worked(d, scratch[0], scratch[1]);
        if (num_labels < MAX_LABELS && (works || has_moved))
            labels[num_labels++] = kernel_name(whole.steps[i].kernel);
        if (!has_moved)
            continue;
        draw_moves(d, before);
        draw_row(d, labels, num_labels);
        num_labels = 0;
    }
    *plan = whole;
}

static uint32_t key_of(uint32_t place)
{
    return place * (VALUES / COUNT) << SHIFT | tag;
}

static void open_drawing(struct drawing *d, const clsort_desc *desc)
{
    struct problem problem;
    cl_int code = CL_SUCCESS;
    check(clsort_create(NULL, NULL, &d->sorter), 0, "clsort_create");
    d->queue = clCreateCommandQueue(d->sorter->context, d->sorter->device, 0, &code);
    check(CLSORT_OK, code, "clCreateCommandQueue");
    check(sorter_plan(d->sorter, desc, &problem), 0, "sorter_plan");
    check(sorter_compile(d->sorter, &problem), 0, "sorter_compile");
    /* Shuffled by a linear congruential generator of Knuth's. */
    uint32_t random = 1;
    for (uint32_t i = 0; i < COUNT; ++i) {
        random = random * 1664525 + 1013904223;
        const uint32_t other = (random >> 16) % (i + 1);
        d->keys[i] = d->keys[other];
        d->keys[other] = key_of(i);
    }
    const cl_mem_flags copies = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    d->buffers.keys.mem =
        clCreateBuffer(d->sorter->context, copies, sizeof d->keys, d->keys, &code);
    check(CLSORT_OK, code, "clCreateBuffer");
    const size_t size = (size_t)d->sorter->plan.scratch_size + SCRATCH_ALIGNMENT;
    d->buffers.scratch.mem =
        clCreateBuffer(d->sorter->context, CL_MEM_READ_WRITE, size, NULL, &code);
    check(CLSORT_OK, code, "clCreateBuffer");
}

int main(int argc, char **argv)
{
    static struct drawing drawing = {.bottom = TOP};
    struct drawing *d = &drawing;
    clsort_desc desc = {.count = COUNT, .stable = 1, .end_bit = 32};
    if (argc != 4 || clsort_algorithm_from_name(argv[1], &desc.algorithm)) {
        fputs("usage: draw_algorithm ALGORITHM FIRST_BIT TITLE\n", stderr);
        return 2;
    }
    desc.first_bit = (uint32_t)strtoul(argv[2], NULL, 10);
    open_drawing(d, &desc);
    draw_steps(d);
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (d->keys[i] != key_of(i))
            check(CLSORT_ERROR_OPENCL, 0, "the output is not sorted");
    }
    print_picture(d, argv[3]);
    clReleaseMemObject(d->buffers.keys.mem);
    clReleaseMemObject(d->buffers.scratch.mem);
    clReleaseCommandQueue(d->queue);
    clsort_destroy(d->sorter);
    return 0;
}
