/* options.c: the options of 'clsort bench' and clsort-bench. */
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

/* Lists that are not given. */
#define ITEM(name, text, about) "," text

static bool fill_lists(struct bench_options *o)
{
    const bool is_auto = o->against || o->does_more;
    const struct {
        enum bench_list list;
        const char *items;
    } lists[] = {{LIST_COUNTS, "2^10,2^14,2^17,2^20"},
                 {LIST_ALGORITHMS, is_auto ? "auto" : &(CLSORT_ALGORITHM_LIST(ITEM))[1]},
                 {LIST_TYPES, "u32"},
                 {LIST_DISTRIBUTIONS, "random"}};
    bool ok = true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && ok; i++)
        ok = o->num[lists[i].list] > 0 || bench_parse_list(lists[i].list, lists[i].items, o);
    return ok;
}

/* False after a message. */
static bool set_defaults(struct bench_options *options)
{
    options->is_brief = options->repeat == 0 && options->row_seconds == 0 && !options->is_enqueue;
    if (options->repeat == 0)
        options->repeat = options->is_enqueue ? 200 : 5;
    if (options->row_seconds == 0)
        options->row_seconds = 1;
    if (!fill_lists(options))
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
