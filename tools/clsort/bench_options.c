/* bench_options.c: the options of 'clsort bench'. */
#include "bench.h"

#include "command.h"
#include "message.h"
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: clsort bench [OPTION]...\n"
    "\n"
    "Measures sorts of every combination of the lists, a row each. A LIST is separated by\n"
    "commas. Every run sorts fresh data and is checked; neither is timed.\n"
    "\n"
    "  -N, --count LIST       keys: 65536, 1e6 or 2^20 (default 2^10,2^14,2^17,2^20)\n"
    "  -a, --algorithm LIST   (default all of)" ALGORITHM_NAMES "\n"
    "                         (with --against: auto)\n"
    "  -y, --type LIST        (default u32)" TYPE_NAMES ";\n"
    "                         with values u32+u32, u64+u64, u32+12 (bytes) ...; struct16:\n"
    "                         structs by a comparison, struct16f: the same by two fields\n"
    "      --dist LIST        (default random)" DISTRIBUTION_NAMES "\n"
    "      --values SIZE      a value of SIZE bytes moves with each key of the types that\n"
    "                         name none\n"
    "      --argsort[=4|8]    indices of 4 (the default) or 8 bytes instead of keys\n"
    "      --stable           ask for stable algorithms\n"
    "      --repeat K         rounds, in each of which every sort has a run on each clock\n"
    "                         (default 5)\n"
    "      --seed SEED        of the data (default 1)\n"
    "      --row-seconds S    stop a row's runs after S seconds, and skip rows of which one\n"
    "                         run would take longer (default 2)\n"
    "      --noise PERCENT    say so where times vary by more (default 10)\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "\n"
    "Others that sort the same data, in turns:\n"
    "      --vs-cpu           the host's sorts: std::sort, std::sort(par) of all threads,\n"
    "                         std::stable_sort, qsort, vqsort\n"
    "      --opponent FILE    those of a shared object (tools/opponents/opponent.h)\n"
    "      --vs LIST          of these only some, by name\n"
    "      --against BUILD    another build of clsort: its folder or its libclsort.so\n"
    "\n"
    "      --ratios           a short table: the rates, and how many times as fast as the\n"
    "                         others they are (the host's sorts, if no others are given)\n"
    "      --markdown         print the table as Markdown\n"
    "      --csv FILE         write the rows as CSV too, with the times of all runs\n"
    "      --json FILE        write the rows as JSON too, an object a line\n"
    "      --plot FILE        draw the rates with gnuplot: FILE.svg, FILE.png or FILE.pdf\n"
    "      --first-call       instead: what the first sort costs in a process whose driver\n"
    "                         has nothing cached, and in the process after it (the first\n"
    "                         -N, -a and -y)\n"
    "  -h, --help             this text";

static bool parse_positive(const char *text, const char *what, double *number_ret)
{
    char *end;
    *number_ret = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*number_ret) && *number_ret > 0)
        return true;
    message("'%s' is not %s", text, what);
    return false;
}

static void set_defaults(struct bench_options *options)
{
    if (options->num_counts == 0) {
        for (int exponent = 10; exponent <= 20; exponent += exponent == 10 ? 4 : 3)
            options->counts[options->num_counts++] = UINT64_C(1) << exponent;
    }
    if (options->num_algorithms == 0 && options->against)
        options->algorithms[options->num_algorithms++] = CLSORT_AUTO;
    if (options->num_algorithms == 0) {
        for (int i = 0; i < CLSORT_NUM_ALGORITHMS && i < MAX_LIST; i++)
            options->algorithms[options->num_algorithms++] = (clsort_algorithm)i;
    }
    if (options->num_types == 0)
        options->num_types = 1;
    for (int i = 0; i < options->num_types; i++) {
        if (options->types[i].value_size == 0)
            options->types[i].value_size = options->value_size;
    }
    if (options->num_distributions == 0)
        options->num_distributions = 1;
    if ((options->is_ratios && !options->against) || options->num_chosen > 0)
        options->has_host = options->has_host || options->num_files == 0;
}

static bool go_together(const struct bench_options *options)
{
    for (int i = 0; i < options->num_types && options->index_size > 0; i++) {
        if (options->types[i].value_size > 0) {
            message("values and --argsort exclude each other");
            return false;
        }
    }
    return true;
}

enum {
    OPTION_DIST = 256,
    OPTION_VALUES,
    OPTION_ARGSORT,
    OPTION_STABLE,
    OPTION_REPEAT,
    OPTION_SEED,
    OPTION_ROW_SECONDS,
    OPTION_NOISE,
    OPTION_VS_CPU,
    OPTION_OPPONENT,
    OPTION_VS,
    OPTION_AGAINST,
    OPTION_RATIOS,
    OPTION_MARKDOWN,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_PLOT,
    OPTION_FIRST_CALL,
    OPTION_FIRST_CALL_CHILD
};

static const struct option table[] = {{"count", required_argument, NULL, 'N'},
                                      {"algorithm", required_argument, NULL, 'a'},
                                      {"type", required_argument, NULL, 'y'},
                                      {"dist", required_argument, NULL, OPTION_DIST},
                                      {"values", required_argument, NULL, OPTION_VALUES},
                                      {"argsort", optional_argument, NULL, OPTION_ARGSORT},
                                      {"stable", no_argument, NULL, OPTION_STABLE},
                                      {"repeat", required_argument, NULL, OPTION_REPEAT},
                                      {"seed", required_argument, NULL, OPTION_SEED},
                                      {"row-seconds", required_argument, NULL, OPTION_ROW_SECONDS},
                                      {"noise", required_argument, NULL, OPTION_NOISE},
                                      {"device", required_argument, NULL, 'D'},
                                      {"vs-cpu", no_argument, NULL, OPTION_VS_CPU},
                                      {"opponent", required_argument, NULL, OPTION_OPPONENT},
                                      {"vs", required_argument, NULL, OPTION_VS},
                                      {"against", required_argument, NULL, OPTION_AGAINST},
                                      {"ratios", no_argument, NULL, OPTION_RATIOS},
                                      {"markdown", no_argument, NULL, OPTION_MARKDOWN},
                                      {"csv", required_argument, NULL, OPTION_CSV},
                                      {"json", required_argument, NULL, OPTION_JSON},
                                      {"plot", required_argument, NULL, OPTION_PLOT},
                                      {"first-call", no_argument, NULL, OPTION_FIRST_CALL},
                                      {"first-call-child", no_argument, NULL,
                                       OPTION_FIRST_CALL_CHILD},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const char letters[] = ":N:a:y:D:h";

#define IS_NO_TABLE "--first-call measures two processes, and has no rows"
#define NO_INDICES "the other sorts are of keys and of pairs"
static const struct exclusion exclusions[] = {{OPTION_VALUES, OPTION_ARGSORT,
                                               "indices are what moves with the keys"},
                                              {OPTION_VS_CPU, OPTION_ARGSORT, NO_INDICES},
                                              {OPTION_OPPONENT, OPTION_ARGSORT, NO_INDICES},
                                              {OPTION_VS, OPTION_ARGSORT, NO_INDICES},
                                              {OPTION_RATIOS, OPTION_ARGSORT, NO_INDICES},
                                              {OPTION_FIRST_CALL, OPTION_VS_CPU, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_OPPONENT, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_VS, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_AGAINST, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_RATIOS, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_MARKDOWN, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_CSV, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_JSON, IS_NO_TABLE},
                                              {OPTION_FIRST_CALL, OPTION_PLOT, IS_NO_TABLE},
                                              {0, 0, NULL}};

static bool add_file(struct bench_options *options, const char *file)
{
    if (options->num_files == MAX_FILES)
        message("--opponent can be given %d times at most", (int)MAX_FILES);
    else
        options->files[options->num_files++] = file;
    return options->num_files == 0 || options->files[options->num_files - 1] == file;
}

/* Options with an argument; false after a message. */
static bool parse_argument(int c, const char *text, struct bench_options *options)
{
    uint64_t number = 0;
    bool ok = true;
    switch (c) {
    case 'N':
        return bench_parse_list(LIST_COUNTS, text, options, &options->num_counts);
    case 'a':
        return bench_parse_list(LIST_ALGORITHMS, text, options, &options->num_algorithms);
    case 'y':
        return bench_parse_list(LIST_TYPES, text, options, &options->num_types);
    case OPTION_DIST:
        return bench_parse_list(LIST_DISTRIBUTIONS, text, options, &options->num_distributions);
    case OPTION_ARGSORT:
        return parse_index_size(text, &options->index_size);
    case OPTION_ROW_SECONDS:
        return parse_positive(text, "a number of seconds", &options->row_seconds);
    case OPTION_NOISE:
        ok = parse_positive(text, "a percentage", &options->noise);
        options->noise /= 100;
        return ok;
    case OPTION_OPPONENT:
        return add_file(options, text);
    case OPTION_VS:
        return bench_parse_list(LIST_CHOSEN, text, options, &options->num_chosen);
    case OPTION_AGAINST:
        options->against = text;
        break;
    case OPTION_SEED:
        return parse_number(text, "the seed", 0, UINT64_MAX, &options->seed);
    case OPTION_VALUES:
        ok = parse_number(text, "the size of a value", 1, MAX_VALUE_SIZE, &number);
        options->value_size = (uint32_t)number;
        return ok;
    case OPTION_REPEAT:
        ok = parse_number(text, "the number of runs", 1, 1000000, &number);
        options->repeat = (int)number;
        return ok;
    case 'D':
        options->device = text;
        break;
    case OPTION_CSV:
        options->csv = text;
        break;
    case OPTION_JSON:
        options->json = text;
        return has_json();
    default:
        options->plot = text;
        break;
    }
    return ok;
}

int bench_parse(int argc, char **argv, struct bench_options *options)
{
    *options = (struct bench_options){.repeat = 5, .seed = 1, .row_seconds = 2, .noise = 0.1};
    if (!options_go_together(argc, argv, letters, table, exclusions))
        return EXIT_TROUBLE + 1;
    int c;
    while ((c = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        switch (c) {
        case OPTION_STABLE:
            options->is_stable = true;
            break;
        case OPTION_VS_CPU:
            options->has_host = true;
            break;
        case OPTION_RATIOS:
            options->is_ratios = true;
            break;
        case OPTION_MARKDOWN:
            options->is_markdown = true;
            break;
        case OPTION_FIRST_CALL:
            options->is_first_call = true;
            break;
        case OPTION_FIRST_CALL_CHILD:
            options->is_first_call_child = true;
            break;
        case 'h':
            puts(help);
            return EXIT_DONE + 1;
        case '?':
        case ':':
            return refuse_option("bench", c, argv, table) + 1;
        default:
            if (!parse_argument(c, optarg, options))
                return EXIT_TROUBLE + 1;
        }
    }
    if (optind < argc) {
        message("'clsort bench' takes no FILE; try 'clsort bench --help'");
        return EXIT_TROUBLE + 1;
    }
    set_defaults(options);
    return go_together(options) ? 0 : EXIT_TROUBLE + 1;
}

clsort_desc bench_desc(const struct bench_options *options, struct bench_type type,
                       clsort_algorithm algorithm, uint64_t count)
{
    static const clsort_field fields[] = {{0, CLSORT_U32, CLSORT_ASCENDING},
                                          {4, CLSORT_I32, CLSORT_ASCENDING}};
    static const clsort_record records[] = {
        [BENCH_BY_TEXT] = {.size = BENCH_RECORD_SIZE,
                           .declarations =
                               "typedef struct { uint first; int second; uint rest[2]; } item;",
                           .type = "item",
                           .less = "a.first < b.first || (a.first == b.first && a.second < "
                                   "b.second)"},
        [BENCH_BY_FIELDS] = {.size = BENCH_RECORD_SIZE, .num_fields = 2, .fields = fields}};
    const bool is_record = type.form != BENCH_NUMBERS;
    return (clsort_desc){.count = count,
                         .type = is_record ? (clsort_type)0 : type.key,
                         .record = is_record ? &records[type.form] : NULL,
                         .algorithm = algorithm,
                         .stable = options->is_stable,
                         .value_size = type.value_size,
                         .index_size = options->index_size};
}
