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
    "  -y, --type LIST        (default u32)" TYPE_NAMES ";\n"
    "                         with values u32+u32, u64+u64, u32+12 (bytes) ...\n"
    "      --dist LIST        (default random)" DISTRIBUTION_NAMES "\n"
    "      --values SIZE      a value of SIZE bytes moves with each key of the types that\n"
    "                         name none\n"
    "      --argsort[=4|8]    indices of 4 (the default) or 8 bytes instead of keys\n"
    "      --stable           ask for stable algorithms\n"
    "      --repeat K         runs a row on each clock (default 5)\n"
    "      --seed SEED        of the data (default 1)\n"
    "      --row-seconds S    stop a row's runs after S seconds on a clock, and skip rows\n"
    "                         of which one run would take longer (default 2)\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "      --vs-cpu           measure the host's sorts too, in turns, on the same data:\n"
    "                         std::sort, std::sort(par) of all threads, qsort, vqsort\n"
    "      --ratios           the same as a short table: the rates, and how many times as\n"
    "                         fast as the host's sorts they are\n"
    "      --markdown         print the table as Markdown\n"
    "      --csv FILE         write the rows as CSV too\n"
    "      --json FILE        write the rows as JSON too, an object a line\n"
    "      --plot FILE.svg    draw the rates with gnuplot\n"
    "      --first-call       instead: what the first sort costs in a process whose driver\n"
    "                         has nothing cached, and in the process after it (the first\n"
    "                         -N, -a and -y)\n"
    "  -h, --help             this text";

static bool parse_seconds(const char *text, double *seconds_ret)
{
    char *end;
    *seconds_ret = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*seconds_ret) && *seconds_ret > 0)
        return true;
    message("'%s' is not a number of seconds", text);
    return false;
}

static void set_defaults(struct bench_options *options)
{
    if (options->num_counts == 0) {
        for (int exponent = 10; exponent <= 20; exponent += exponent == 10 ? 4 : 3)
            options->counts[options->num_counts++] = UINT64_C(1) << exponent;
    }
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
}

static bool go_together(const struct bench_options *options)
{
    for (int i = 0; i < options->num_types && options->index_size > 0; i++) {
        if (options->types[i].value_size > 0) {
            message("values and --argsort exclude each other");
            return false;
        }
    }
    if (options->has_opponents && options->index_size > 0) {
        message("--vs-cpu and --ratios compare sorts of keys and of pairs, without --argsort");
        return false;
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
    OPTION_VS_CPU,
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
                                      {"device", required_argument, NULL, 'D'},
                                      {"vs-cpu", no_argument, NULL, OPTION_VS_CPU},
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
static const struct exclusion exclusions[] = {
    {OPTION_VALUES, OPTION_ARGSORT, "indices are what moves with the keys"},
    {OPTION_VS_CPU, OPTION_ARGSORT, "the host's sorts are of keys and of pairs"},
    {OPTION_RATIOS, OPTION_ARGSORT, "the host's sorts are of keys and of pairs"},
    {OPTION_FIRST_CALL, OPTION_VS_CPU, IS_NO_TABLE},
    {OPTION_FIRST_CALL, OPTION_RATIOS, IS_NO_TABLE},
    {OPTION_FIRST_CALL, OPTION_MARKDOWN, IS_NO_TABLE},
    {OPTION_FIRST_CALL, OPTION_CSV, IS_NO_TABLE},
    {OPTION_FIRST_CALL, OPTION_JSON, IS_NO_TABLE},
    {OPTION_FIRST_CALL, OPTION_PLOT, IS_NO_TABLE},
    {0, 0, NULL}};

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
        return parse_seconds(text, &options->row_seconds);
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
    *options = (struct bench_options){.repeat = 5, .seed = 1, .row_seconds = 2};
    if (!options_go_together(argc, argv, letters, table, exclusions))
        return EXIT_TROUBLE + 1;
    int c;
    while ((c = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        switch (c) {
        case OPTION_STABLE:
            options->is_stable = true;
            break;
        case OPTION_VS_CPU:
            options->has_opponents = true;
            break;
        case OPTION_RATIOS:
            options->has_opponents = true;
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
    return (clsort_desc){.count = count,
                         .type = type.key,
                         .algorithm = algorithm,
                         .stable = options->is_stable,
                         .value_size = type.value_size,
                         .index_size = options->index_size};
}
