/* lists.c: the lists among the options, whose combinations are measured; what they say is done, and
 * how the library is asked for that. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_distribution(const char *text, enum bench_distribution *distribution_ret)
{
    if (bench_distribution_from_name(text, distribution_ret))
        return true;
    message("unknown distribution '%s'; the distributions are" DISTRIBUTION_NAMES, text);
    return false;
}

/* A type, and what moves with it: "u32", "u32+u32" or "u32+12". */
static bool parse_type_with_values(const char *text, struct bench_type *type_ret)
{
    char key[16];
    const size_t length = strcspn(text, "+");
    uint64_t size = 0;
    clsort_type value;
    snprintf(key, sizeof(key), "%.*s", (int)(length < 15 ? length : 15), text);
    if (!bench_key_from_name(key, type_ret) && !parse_type(key, &type_ret->key))
        return false;
    if (text[length] == '+') {
        if (clsort_type_from_name(text + length + 1, &value) == CLSORT_OK)
            size = clsort_type_size(value);
        else if (!parse_number(text + length + 1, "the size of a value", 1, MAX_VALUE_SIZE, &size))
            return false;
    }
    type_ret->value_size = (uint32_t)size;
    return true;
}

static bool parse_layout(const char *text, enum bench_layout layout, struct bench_shape *shape_ret)
{
    const bool is_power = strcmp(text, "power") == 0, is_half = strcmp(text, "half") == 0;
    *shape_ret = (struct bench_shape){.work = BENCH_SEGMENTS, .layout = layout};
    if (layout == BENCH_LENGTH && (is_power || is_half)) {
        shape_ret->layout = is_power ? BENCH_POWER : BENCH_HALF;
        return true;
    }
    return parse_number(text,
                        layout == BENCH_ROWS ? "the length of a row" : "the length of a segment", 1,
                        UINT32_MAX, &shape_ret->length);
}

static bool parse_item(enum bench_list list, int i, const char *text, struct bench_options *options)
{
    switch (list) {
    case LIST_COUNTS:
        return parse_number(text, "a number of keys", 1, UINT64_C(1) << 48, &options->counts[i]);
    case LIST_ALGORITHMS:
        return parse_algorithm(text, &options->algorithms[i]);
    case LIST_TYPES:
        return parse_type_with_values(text, &options->types[i]);
    case LIST_DISTRIBUTIONS:
        return parse_distribution(text, &options->distributions[i]);
    case LIST_OPERATIONS:
        return bench_parse_operation(text, &options->bases[list][i]);
    case LIST_SEGMENTS:
        return parse_layout(text, BENCH_LENGTH, &options->bases[list][i]);
    case LIST_ROWS:
        return parse_layout(text, BENCH_ROWS, &options->bases[list][i]);
    case LIST_LIMITS:
        return parse_number(text, "a number of places", 1, UINT64_C(1) << 48, &options->limits[i]);
    default:
        options->chosen[i] = strdup(text); /* of the program's arguments, kept to its end */
        return options->chosen[i] != NULL;
    }
}

bool bench_parse_list(enum bench_list list, const char *text, struct bench_options *options)
{
    char *copy = strdup(text);
    if (!copy) {
        message("out of memory");
        return false;
    }
    int length = 0;
    bool ok = true;
    char *rest = copy;
    for (char *item; ok && (item = strsep(&rest, ",")) != NULL; length++) {
        if (length == MAX_LIST) {
            message("a list has at most %d items", (int)MAX_LIST);
            ok = false;
            break;
        }
        ok = parse_item(list, length, item, options);
    }
    free(copy);
    options->num[list] = length;
    return ok;
}

bool bench_list_has(const char *list, const char *word, size_t length)
{
    bool is_found = false;
    while (*list != '\0' && !is_found) {
        list += strspn(list, " ,");
        const size_t item = strcspn(list, " ,");
        is_found = item > 0 && item == length && strncmp(list, word, length) == 0;
        list += item;
    }
    return is_found;
}

/* ---- What is done ---------------------------------------------------------------------------- */

static bool add(struct bench_options *options, struct bench_shape shape)
{
    if (options->num_shapes == MAX_SHAPES) {
        message("the lists have more than %d combinations of what is done", (int)MAX_SHAPES);
        return false;
    }
    shape.skip = options->skip.skip;
    shape.skip_percent = options->skip.skip_percent;
    if (shape.limit > 0 || shape.skip > 0 || shape.skip_percent > 0)
        shape.work = BENCH_TOP;
    if (shape.work == BENCH_SEARCH)
        shape.num_queries = options->num_queries;
    options->does_more = options->does_more || shape.work != BENCH_SORT;
    options->shapes[options->num_shapes++] = shape;
    return true;
}

/* Segments have different lengths: a place is one of all, and outputs have room for some. */
static bool has_places_of_segments(const struct bench_options *options)
{
    const struct bench_shape *skip = &options->skip;
    const bool is_skipped = skip->skip > 0 || skip->skip_percent > 0;
    if (options->num[LIST_SEGMENTS] == 0 || !is_skipped ||
        (options->num[LIST_LIMITS] > 0 && skip->skip_percent == 0))
        return true;
    message(options->num[LIST_LIMITS] == 0 ? "--segments and --skip need --limit"
                                           : "--skip of --segments is a place, not a percentage");
    return false;
}

/* One base with every limit. */
static bool add_limits(struct bench_options *options, struct bench_shape shape)
{
    bool ok = options->num[LIST_LIMITS] > 0 || add(options, shape);
    for (int i = 0; i < options->num[LIST_LIMITS] && ok; i++) {
        shape.limit = options->limits[i];
        ok = add(options, shape);
    }
    return ok;
}

bool bench_make_shapes(struct bench_options *options)
{
    bool ok = has_places_of_segments(options), has_search = false;
    for (int list = 0; list < NUM_SHAPE_LISTS; list++) {
        for (int i = 0; i < options->num[list] && ok; i++) {
            ok = add_limits(options, options->bases[list][i]);
            has_search = has_search || options->bases[list][i].work == BENCH_SEARCH;
        }
    }
    if (ok && options->num_shapes == 0)
        ok = add_limits(options, (struct bench_shape){.work = BENCH_SORT});
    if (ok && options->num_queries > 0 && !has_search) {
        message("--queries are for the operations search and search-sorted");
        return false;
    }
    return ok;
}

bool bench_take_skip(const struct argument *argument, const char *text, void *options)
{
    struct bench_shape *skip = argument->to;
    char number[24];
    const size_t length = strlen(text);
    const bool is_percent = length > 0 && length < sizeof number && text[length - 1] == '%';
    uint64_t percent = 0;
    (void)options;
    *skip = (struct bench_shape){.work = BENCH_TOP};
    if (!is_percent)
        return parse_number(text, "a place to skip", 0, UINT64_C(1) << 48, &skip->skip);
    memcpy(number, text, length - 1);
    number[length - 1] = '\0';
    if (!parse_number(number, "a percentage to skip", 0, 99, &percent))
        return false;
    skip->skip_percent = (uint32_t)percent;
    return true;
}

/* What the description of an operation has beside the keys. */
static void describe_work(clsort_desc *desc, const struct bench_input *input)
{
    const uint64_t length = input->row_length;
    switch (input->work) {
    case BENCH_CHECK:
        desc->operation = CLSORT_OPERATION_CHECK;
        break;
    case BENCH_MERGE:
        desc->operation = CLSORT_OPERATION_MERGE;
        desc->first_count = input->count / 2;
        break;
    case BENCH_RUNS:
        desc->operation = CLSORT_OPERATION_RUNS;
        break;
    case BENCH_SEARCH:
        desc->operation = CLSORT_OPERATION_SEARCH;
        desc->num_queries = input->num_queries;
        break;
    default:
        if (length > 0 && length < input->count) {
            desc->count = length;
            desc->num_arrays = input->count / length;
        } else if (input->num_segments > 0 && length == 0) {
            desc->num_segments = input->num_segments;
            desc->offset_size = sizeof(uint64_t);
        }
        desc->skip = input->skip;
        desc->limit = input->limit;
        desc->out_of_place = input->work == BENCH_TOP;
        break;
    }
}

clsort_desc bench_desc(const struct bench_options *options, struct bench_type type,
                       clsort_algorithm algorithm, const struct bench_input *input)
{
    clsort_desc desc = bench_input_desc(type, input->count);
    desc.algorithm = algorithm;
    desc.stable = options->is_stable;
    desc.index_size = (uint32_t)(input->index_size + input->place_size);
    describe_work(&desc, input);
    if (options->is_out_of_place)
        desc.out_of_place = 1;
    return desc;
}
