/* lists.c: the lists among the options, whose combinations are measured. */
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

static bool parse_operation(const char *text, struct bench_shape *shape_ret)
{
#define OPERATION(work_, name, has_sorted_)                                                     \
    if (strcmp(text, name) == 0) {                                                              \
        *shape_ret = (struct bench_shape){.work = BENCH_##work_,                                \
                                          .layout = BENCH_##work_ == BENCH_MERGE ? BENCH_HALVES \
                                                                                 : BENCH_WHOLE, \
                                          .has_sorted_queries = has_sorted_};                   \
        return true;                                                                            \
    }
    BENCH_OPERATION_LIST(OPERATION)
#undef OPERATION
    message("unknown operation '%s'; the operations are" OPERATION_NAMES, text);
    return false;
}

static bool parse_layout(const char *text, enum bench_layout layout, struct bench_shape *shape_ret)
{
    *shape_ret = (struct bench_shape){.work = BENCH_SEGMENTS, .layout = layout};
#define LAYOUT(name, word)                                   \
    if (layout == BENCH_LENGTH && strcmp(text, word) == 0) { \
        shape_ret->layout = BENCH_##name;                    \
        return true;                                         \
    }
    BENCH_LAYOUT_LIST(LAYOUT)
#undef LAYOUT
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
        return parse_operation(text, &options->lists.operations[i]);
    case LIST_SEGMENTS:
        return parse_layout(text, BENCH_LENGTH, &options->lists.segments[i]);
    case LIST_ROWS:
        return parse_layout(text, BENCH_ROWS, &options->lists.rows[i]);
    case LIST_LIMITS:
        return parse_number(text, "a number of places", 1, UINT64_C(1) << 48,
                            &options->lists.limits[i]);
    default:
        options->chosen[i] = strdup(text); /* of the program's arguments, kept to its end */
        return options->chosen[i] != NULL;
    }
}

bool bench_parse_list(enum bench_list list, const char *text, struct bench_options *options,
                      int *length_ret)
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
    *length_ret = length;
    return ok;
}
