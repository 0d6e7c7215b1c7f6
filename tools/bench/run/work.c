/* work.c: where segments begin, and what an input needs for the work. */
#include "bench/run/data.h"
#include "cli/message.h"
#include "io/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    enum bench_work work;
    bool has_sorted_queries;
    const char *name;
} operations[] = {
#define OPERATION(work, name, has_sorted_queries) {BENCH_##work, has_sorted_queries, name},
    BENCH_OPERATION_LIST(OPERATION)
#undef OPERATION
};
enum { NUM_OPERATIONS = sizeof operations / sizeof *operations };

const char *bench_operation_name(const struct bench_shape *shape)
{
    for (int i = 0; i < NUM_OPERATIONS; i++) {
        if (operations[i].work == shape->work &&
            operations[i].has_sorted_queries == shape->has_sorted_queries)
            return operations[i].name;
    }
    return "sort"; /* also of segments, and of some places of the order */
}

bool bench_parse_operation(const char *name, struct bench_shape *shape_ret)
{
    for (int i = 0; i < NUM_OPERATIONS; i++) {
        const enum bench_work work = operations[i].work;
        *shape_ret =
            (struct bench_shape){.work = work,
                                 .layout = work == BENCH_MERGE ? BENCH_HALVES : BENCH_WHOLE,
                                 .has_sorted_queries = operations[i].has_sorted_queries};
        if (strcmp(name, operations[i].name) == 0)
            return true;
    }
    message("unknown operation '%s'; the operations are" OPERATION_NAMES, name);
    return false;
}

static void layout_text(const struct bench_shape *shape, char *text, size_t size)
{
    static const char *const layouts[] = {[BENCH_WHOLE] = "",
                                          [BENCH_HALVES] = "",
                                          [BENCH_LENGTH] = "segments of ",
                                          [BENCH_ROWS] = "rows of ",
                                          [BENCH_POWER] = "power-law segments",
                                          [BENCH_HALF] = "half in a segment"};
    char length[24] = "";
    if (shape->length > 0)
        snprintf(length, sizeof length, "%" PRIu64, shape->length);
    snprintf(text, size, "%s%s", layouts[shape->layout], length);
}

const char *bench_shape_text(const struct bench_shape *shape, char text[BENCH_SHAPE_TEXT])
{
    char layout[40], skip[24] = "", limit[24] = "all";
    layout_text(shape, layout, sizeof layout);
    if (shape->skip_percent > 0)
        snprintf(skip, sizeof skip, "%u%%+", (unsigned)shape->skip_percent);
    else if (shape->skip > 0)
        snprintf(skip, sizeof skip, "%" PRIu64 "+", shape->skip);
    if (shape->limit > 0)
        snprintf(limit, sizeof limit, "%" PRIu64, shape->limit);
    if (shape->work == BENCH_TOP)
        snprintf(text, BENCH_SHAPE_TEXT, "top %s%s%s%s", skip, limit, *layout ? " of " : "",
                 layout);
    else if (bench_is_sort(shape->work))
        snprintf(text, BENCH_SHAPE_TEXT, "%s", layout);
    else
        snprintf(text, BENCH_SHAPE_TEXT, "%s", bench_operation_name(shape));
    return text;
}

/* Where the segment behind the i-th begins, which begins at `begin`. */
static uint64_t next_begin(const struct bench_shape *shape, uint64_t count, uint64_t i,
                           uint64_t begin)
{
    enum { SHORT = 20 };
    const uint64_t longest = count < 8 ? 1 : count / 8;
    switch (shape->layout) {
    case BENCH_HALVES:
        return i == 0 ? count / 2 : count;
    case BENCH_POWER: {
        /* A length of x or more in one of x segments: every octave has about as many keys. */
        const double length = 0x1p53 / (double)((bench_random(1, i) >> 11) + 1);
        return begin + (length < (double)longest ? (uint64_t)length : longest);
    }
    case BENCH_HALF:
        /* Behind the first half every second one is empty. */
        return i == 0 ? count / 2 : begin + (i % 2 == 0 ? SHORT : 0);
    default:
        return begin + shape->length;
    }
}

static uint64_t write_offsets(const struct bench_shape *shape, uint64_t count, uint64_t *offsets)
{
    uint64_t num = 0;
    for (uint64_t at = 0; at < count; num++) {
        if (offsets)
            offsets[num] = at;
        at = next_begin(shape, count, num, at);
    }
    if (offsets)
        offsets[num] = count;
    return num;
}

/* How many there are: by division where all have one length. */
static uint64_t count_segments(const struct bench_shape *shape, uint64_t count)
{
    switch (shape->layout) {
    case BENCH_WHOLE:
        return 0;
    case BENCH_HALVES:
        return 2;
    case BENCH_LENGTH:
    case BENCH_ROWS:
        return count / shape->length + (count % shape->length > 0);
    default:
        return write_offsets(shape, count, NULL);
    }
}

/* The places that top-k wants, which every row must have; segments may have fewer. */
static bool set_places(const struct bench_shape *shape, struct bench_input *input,
                       char note[BENCH_NOTE])
{
    const uint64_t length = input->row_length;
    if (length == 0) {
        input->skip = shape->skip;
        input->limit = shape->limit;
        return true;
    }
    input->skip = shape->skip_percent > 0 ? length / 100 * shape->skip_percent +
                                                length % 100 * shape->skip_percent / 100
                                          : shape->skip;
    input->limit = shape->limit > 0 ? shape->limit : length - input->skip;
    if (input->skip < length && input->limit <= length - input->skip)
        return true;
    snprintf(note, BENCH_NOTE, "%" PRIu64 " keys have fewer places", length);
    return false;
}

bool bench_shape_input(const struct device_facts *facts, const struct bench_shape *shape,
                       uint32_t index_size, struct bench_input *input, char note[BENCH_NOTE])
{
    const bool is_top = shape->work == BENCH_TOP;
    const bool is_counted_one_by_one = shape->layout == BENCH_POWER || shape->layout == BENCH_HALF;
    if (shape->work >= BENCH_CHECK && shape->work != BENCH_MERGE && input->value_size > 0) {
        snprintf(note, BENCH_NOTE, "%s is for keys alone", bench_operation_name(shape));
        return false;
    }
    /* Far more keys than fit would take hours to count. */
    if (is_counted_one_by_one && !bench_fits_device(facts, input, 0, note))
        return false;
    input->work = shape->work;
    input->index_size = is_top ? 0 : index_size;
    input->place_size = is_top ? index_size : 0;
    input->num_segments = count_segments(shape, input->count);
    if (shape->layout == BENCH_ROWS)
        input->row_length = shape->length;
    else if (is_top && shape->layout == BENCH_WHOLE)
        input->row_length = input->count;
    if (input->row_length > 0 && input->count % input->row_length != 0) {
        snprintf(note, BENCH_NOTE, "%" PRIu64 " keys are no number of whole rows", input->count);
        return false;
    }
    if (shape->work == BENCH_SEARCH) {
        input->num_queries = shape->num_queries ? shape->num_queries : (input->count + 15) / 16;
        input->place_size = input->count <= UINT32_MAX ? 4 : 8;
    }
    return !is_top || set_places(shape, input, note);
}

uint64_t *bench_offsets(const struct bench_shape *shape, const struct bench_input *input)
{
    uint64_t *offsets = zeroed(input->num_segments + 1, sizeof *offsets);
    if (offsets && input->num_segments > 0)
        write_offsets(shape, input->count, offsets);
    return offsets;
}
