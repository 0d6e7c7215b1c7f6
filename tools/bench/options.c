/* options.c: the options of 'clsort bench' and clsort-bench; the lists among them, whose
 * combinations are measured, and what they say is done. */
#include "bench/bench.h"

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Measures sorts of every combination of the lists, a row each. A LIST is separated by\n"
    "commas. The input is renewed before each run, and the output checked; neither is timed.\n"
    "\n"
    "  -N, --count LIST       keys: 65536, 1e6 or 2^20 (default 2^10,2^14,2^17,2^20)\n"
    "  -a, --algorithm LIST   (default all of)" ALGORITHM_NAMES "\n"
    "  -y, --type LIST        (default u32)" TYPE_NAMES ";\n"
    "                         with values u32+u32, u64+u64, u32+12 (bytes) ...; struct16:\n"
    "                         structs by a comparison, struct16f: the same by two fields\n"
    "      --dist LIST        (default random)" DISTRIBUTION_NAMES "\n"
    "      --values SIZE      a value of SIZE bytes moves with each key of the types that\n"
    "                         name none\n"
    "      --argsort[=4|8]    indices of 4 (the default) or 8 bytes instead of keys\n"
    "      --operation LIST   (default sort)" OPERATION_NAMES "\n"
    "                         (all except sort take keys in order)\n"
    "      --segments LIST    segments, each sorted by itself: their length in keys; power: a\n"
    "                         power law's lengths; half: half of the keys in one\n"
    "      --rows LIST        the same as arrays: their length in keys\n"
    "      --limit LIST       the number of places wanted of each row's or segment's order\n"
    "      --skip PLACES      places before them that are left out: 100, or 50%\n"
    "      --queries COUNT    keys that are searched for (default a 16th of the keys)\n"
    "      --stable           ask for stable algorithms\n"
    "      --out-of-place     sort into other buffers, which leaves the input as it is\n"
    "      --repeat K         rounds, in each of which every sort has a run on each clock\n"
    "                         (default 5)\n"
    "      --seed SEED        of the data (default 1)\n"
    "      --row-seconds S    stop a row's runs after S seconds, and leave out rows whose\n"
    "                         runs would take longer (default 1)\n"
    "      --noise PERCENT    say so where times vary by more (default 10)\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "\n"
    "Others that sort the same data, in turns:\n"
    "      --vs-cpu           the host's sorts: std::sort, std::sort(par) of all threads,\n"
    "                         std::stable_sort, qsort, vqsort; for what else is done, the\n"
    "                         C++ library's: std::partial_sort, std::merge ...\n"
    "      --vs LIST          of these only some, by name\n"
    "\n"
    "      --ratios           a short table: the rates, and how many times as fast as the\n"
    "                         others they are (the host's sorts, if no others are given)\n"
    "      --markdown         print the table as Markdown\n"
    "      --csv FILE         write the rows as CSV too, with the times of all runs\n"
    "      --json FILE        write the rows as JSON too, an object a line\n"
    "      --first-call       instead: what the first sort costs in a process whose driver\n"
    "                         has nothing cached, in the process after it, and in one that\n"
    "                         loads saved programs instead (the first -N, -a and -y)\n"
    "      --report           a text to report a slow case with: the machine, the devices and\n"
    "                         their limits, the table, and each plan with the times of its\n"
    "                         launches\n"
    "  -h, --help             this text\n"
    "\n"
    "Examples:\n"
    "  clsort bench -N 2^20 --vs-cpu --ratios\n"
    "  clsort bench -y u32,u64+u64 --dist random,sorted,few16 --csv rows.csv\n"
    "  clsort bench --report -N 1e7 -y f32 >report.md";
static const char developers_help[] =
    "\n\n"
    "For developers:\n"
    "      --opponent FILE    sorts of a shared object (tools/bench/opponents/opponent.h)\n"
    "      --against BUILD    another build of clsort: its folder or its libclsort.so\n"
    "      --enqueue          a table of what clsort_enqueue() takes the calling thread,\n"
    "                         microseconds: median and 99th percentile (of 200 rounds if\n"
    "                         --repeat says nothing else)";

/* ---- Lists ----------------------------------------------------------------------------------- */

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
    char *const copy = strdup(text), *rest = copy;
    int *const num = &options->num[list];
    bool ok = copy != NULL;
    if (!ok)
        message("out of memory");
    *num = 0;
    for (char *item; ok && (item = strsep(&rest, ",")) != NULL; ++*num) {
        ok = *num < MAX_LIST && parse_item(list, *num, item, options);
        if (*num == MAX_LIST)
            message("a list has at most %d items", (int)MAX_LIST);
    }
    free(copy);
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
    const int length = (int)strlen(text);
    const bool is_percent = length > 0 && length < (int)sizeof number && text[length - 1] == '%';
    uint64_t percent = 0;
    (void)options;
    *skip = (struct bench_shape){.skip = 0};
    if (!is_percent)
        return parse_number(text, "a place to skip", 0, UINT64_C(1) << 48, &skip->skip);
    snprintf(number, sizeof number, "%.*s", length - 1, text);
    if (!parse_number(number, "a percentage to skip", 0, 99, &percent))
        return false;
    skip->skip_percent = (uint32_t)percent;
    return true;
}

/* ---- All options ----------------------------------------------------------------------------- */

#define ITEM(name, text, about) "," text

/* A list that is not given. */
static bool fill(struct bench_options *options, enum bench_list list, const char *items)
{
    return options->num[list] > 0 || bench_parse_list(list, items, options);
}

/* False after a message. */
static bool set_defaults(struct bench_options *options)
{
    const bool is_auto = options->against || options->does_more;
    options->is_brief = options->repeat == 0 && options->row_seconds == 0 && !options->is_enqueue;
    if (options->repeat == 0)
        options->repeat = options->is_enqueue ? 200 : 5;
    if (options->row_seconds == 0)
        options->row_seconds = 1;
    if (!fill(options, LIST_COUNTS, "2^10,2^14,2^17,2^20") ||
        !fill(options, LIST_ALGORITHMS, is_auto ? "auto" : &(CLSORT_ALGORITHM_LIST(ITEM))[1]) ||
        !fill(options, LIST_TYPES, "u32") || !fill(options, LIST_DISTRIBUTIONS, "random"))
        return false;
    for (int i = 0; i < options->num[LIST_TYPES]; i++) {
        if (options->types[i].value_size == 0)
            options->types[i].value_size = (uint32_t)options->value_size;
        if (options->types[i].value_size > 0 && options->index_size > 0) {
            message("values and --argsort exclude each other");
            return false;
        }
    }
    if ((options->is_ratios && !options->against) || options->num[LIST_CHOSEN] > 0)
        options->has_host = options->has_host || options->num_files == 0;
    return true;
}

static bool take_list(const struct argument *argument, const char *text, void *options)
{
    return bench_parse_list((enum bench_list)argument->first, text, options);
}

static bool add_file(const struct argument *argument, const char *text, void *context)
{
    struct bench_options *options = context;
    const bool has_room = options->num_files < MAX_FILES;
    (void)argument;
    if (has_room)
        options->files[options->num_files++] = text;
    else
        message("--opponent can be given %d times at most", (int)MAX_FILES);
    return has_room;
}

#define LIST(list) .take = take_list, required_argument, .first = list

/* Those of clsort-bench are the last ones. */
enum { NUM_DEVELOPERS = 3 };
/* clang-format off */
static void list_arguments(struct bench_options *o, bool is_developers,
                           struct argument arguments[MOST_ARGUMENTS])
{
    const struct argument all[] = {
        {"count",       'N', LIST(LIST_COUNTS)},
        {"algorithm",   'a', LIST(LIST_ALGORITHMS), .values = ALGORITHM_NAMES},
        {"type",        'y', LIST(LIST_TYPES), .values = TYPE_NAMES},
        {"dist",         0,  LIST(LIST_DISTRIBUTIONS),
                         .values = DISTRIBUTION_NAMES},
        {"vs",           0,  LIST(LIST_CHOSEN)},
        {"values",       0,  .number = &o->value_size, .first = 1, .last = MAX_VALUE_SIZE,
                         .what = "the size of a value"},
        {"operation",    0,  LIST(LIST_OPERATIONS),
                         .values = OPERATION_NAMES},
        {"segments",     0,  LIST(LIST_SEGMENTS)},
        {"rows",         0,  LIST(LIST_ROWS)},
        {"limit",        0,  LIST(LIST_LIMITS)},
        {"skip",         0,  .take = bench_take_skip, required_argument, &o->skip},
        {"queries",      0,  .number = &o->num_queries, .first = 1, .last = UINT32_MAX,
                         .what = "a number of queries"},
        {"repeat",       0,  .number = &o->repeat, .first = 1, .last = 1000000,
                         .what = "the number of rounds"},
        {"seed",         0,  .number = &o->seed, .last = UINT64_MAX, .what = "the seed"},
        {"row-seconds",  0,  .positive = &o->row_seconds, .what = "a number of seconds"},
        {"noise",        0,  .positive = &o->noise,       .what = "a percentage"},
        {"device",      'D', .text = &o->device},
        {"csv",          0,  .text = &o->csv},
        {"json",         0,  .text = &o->json},
        {"stable",       0,  .flag = &o->is_stable},
        {"out-of-place", 0,  .flag = &o->is_out_of_place},
        {"vs-cpu",       0,  .flag = &o->has_host},
        {"ratios",       0,  .flag = &o->is_ratios},
        {"markdown",     0,  .flag = &o->is_markdown},
        {"first-call",   0,  .flag = &o->is_first_call},
        {"report",       0,  .flag = &o->is_report},
        {"argsort",      0,  .index_size = &o->index_size},
        {"opponent",     0,  .take = add_file, required_argument, .is_file = true},
        {"against",      0,  .text = &o->against},
        {"enqueue",      0,  .flag = &o->is_enqueue}};
    memcpy(arguments, all, sizeof(all) - (is_developers ? 0 : NUM_DEVELOPERS * sizeof(all[0])));
}

#define ONE_ARRAY "operations are measured on one array; leave --operation out to sort many"
#define SORTS "only sorts have it"
#define NO_INDICES "the other sorts are of keys and of pairs"
static const struct exclusion exclusions[] = {
    {"values", "argsort", "indices are what moves with the keys"},
    {"operation", "segments rows", ONE_ARRAY},
    {"operation", "argsort limit skip out-of-place", SORTS},
    {"argsort", "out-of-place", "indices leave the input as it is anyway"},
    {"vs-cpu", "argsort", NO_INDICES},
    {"opponent", "argsort", NO_INDICES},
    {"vs", "argsort", NO_INDICES},
    {"ratios", "argsort", NO_INDICES},
    {"first-call", "vs-cpu opponent vs against ratios markdown csv json report enqueue "
     "repeat noise row-seconds", "--first-call measures processes, and has no rows"},
    {"first-call", "operation queries limit skip dist",
     "--first-call sorts random keys, all of them"},
    {"enqueue", "ratios", "each is a table of its own"},
    {"enqueue", "vs-cpu opponent vs", "only clsort has this call"},
    {0}};
/* clang-format on */
int bench_parse(int argc, char **argv, bool is_developers, struct bench_options *options)
{
    struct argument arguments[MOST_ARGUMENTS] = {{0}};
    char text[sizeof help + sizeof developers_help + 100];
    *options = (struct bench_options){.seed = 1, .noise = 10};
    list_arguments(options, is_developers, arguments);
    snprintf(text, sizeof text, "Usage: clsort%sbench [OPTION]...\n\n%s%s",
             is_developers ? "-" : " ", help, is_developers ? developers_help : "");
    const struct command_line line = {"bench", text, .arguments = arguments,
                                      .exclusions = exclusions};
    const int status = command_line_read(&line, argc, argv, options);
    if (status != GO_ON)
        return status;
    return bench_make_shapes(options) && set_defaults(options) ? GO_ON : EXIT_TROUBLE;
}
