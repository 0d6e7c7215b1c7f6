/* options.c: reads the command line of clsort-mpi. */
#include "options.h"

#include "cli/count.h"
#include "cli/nearest.h"
#include "cli/option_names.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: mpirun [-n RANKS] clsort-mpi sort [OPTION...] -o OUT FILE\n"
    "\n"
    "Sorts the keys of FILE, raw and little-endian, over all ranks into OUT. In both names \"%r\"\n"
    "stands for the rank's number, from 0: every rank then reads its own file, or writes its\n"
    "part of the result to its own file.\n"
    "\n"
    "  -o, --output OUT       the result; it gets this name when it is complete\n"
    "  -y, --type TYPE        (default u32)" TYPE_NAMES "\n"
    "  -N, --count COUNT      only the first COUNT keys of each file\n"
    "  -r, --reverse          descending\n"
    "  -a, --algorithm NAME   (default auto)" ALGORITHM_NAMES "\n"
    "  -D, --device DEVICE    the device of every rank: an index or a part of a name; by default\n"
    "                         the host sorts few keys, and the ranks of a machine share its\n"
    "                         devices\n"
    "      --memory SIZE      bytes that a rank may use, such as 4G (default: its share of the\n"
    "                         machine's available memory)\n"
    "      --verify           prove that the result is in order over all ranks and a permutation\n"
    "                         of the input\n"
    "      --stats            print the seconds of each stage and the balance to standard error\n"
    "      --json             the same as one line of JSON\n"
    "  -h, --help             this text\n"
    "      --version\n";

enum { OPTION_MEMORY = 256, OPTION_VERIFY, OPTION_STATS, OPTION_JSON, OPTION_VERSION };

static const struct option table[] = {
    {"output", required_argument, NULL, 'o'},
    {"type", required_argument, NULL, 'y'},
    {"count", required_argument, NULL, 'N'},
    {"reverse", no_argument, NULL, 'r'},
    {"algorithm", required_argument, NULL, 'a'},
    {"device", required_argument, NULL, 'D'},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static bool speaking;

static bool refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (speaking) {
        fputs("clsort-mpi: ", stderr);
        vfprintf(stderr, format, arguments);
        fputs("\nTry 'clsort-mpi --help'.\n", stderr);
    }
    va_end(arguments);
    return false;
}

/* Parses a whole number. Each character of suffixes[] multiplies by 1024 once more than the one
 * before it. */
static bool parse_number(const char *text, const char *suffixes, uint64_t *number_ret)
{
    char *end = NULL;
    errno = 0;
    *number_ret = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9')
        return refuse("'%s' is not a whole number", text);
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (*end && (!suffix || end[1]))
        return refuse("'%s' is not a whole number", text);
    for (const char *at = suffixes; suffix && at <= suffix; ++at) {
        if (*number_ret > UINT64_MAX / 1024)
            return refuse("'%s' is too large", text);
        *number_ret *= 1024;
    }
    return true;
}

/* What getopt_long() did not take: an unknown option, one without its argument, or with one. */
static bool refuse_option(const char *word)
{
    struct nearest nearest = {.word = word, .length = 0};
    if (strncmp(word, "--", 2) == 0)
        nearest = (struct nearest){.word = word + 2, .length = strcspn(word + 2, "=")};
    for (const struct option *option = table; option->name; option++)
        nearest_offer(&nearest, option->name);
    if (nearest.name && nearest.distance > 0)
        return refuse("'%s' is not an option; did you mean '--%s'?", word, nearest.name);
    return refuse("'%s' is not an option, or its argument is missing", word);
}

/* Applies one option; `word` is its spelling on the command line. */
static bool apply_option(int c, const char *word, struct options *options)
{
    switch (c) {
    case 'o':
        options->output = optarg;
        return true;
    case 'y':
        return !clsort_type_from_name(optarg, &options->type) ||
               refuse("unknown type '%s'", optarg);
    case 'N':
        switch (count_of(optarg, &options->count)) {
        case COUNT_TOO_LARGE:
            return refuse("'%s' is too large", optarg);
        case COUNT_NONE:
            return refuse("'%s' is not a whole number, such as 65536, 1e6 or 2^20", optarg);
        default:
            return true;
        }
    case 'r':
        options->order = CLSORT_DESCENDING;
        return true;
    case 'a':
        return !clsort_algorithm_from_name(optarg, &options->algorithm) ||
               refuse("unknown algorithm '%s'", optarg);
    case 'D':
        options->device = optarg;
        return true;
    case OPTION_MEMORY:
        return parse_number(optarg, "KMGT", &options->memory) &&
               (options->memory || refuse("the memory of a rank cannot be 0"));
    case OPTION_VERIFY:
        options->verify = true;
        return true;
    case OPTION_STATS:
        options->stats = true;
        return true;
    case OPTION_JSON:
        options->json = true;
        return true;
    default:
        return refuse_option(word);
    }
}

bool options_read(int argc, char **argv, bool speaks, struct options *options_ret, int *exit_ret)
{
    int c = 0;
    speaking = speaks;
    *exit_ret = 2;
    *options_ret = (struct options){.count = UINT64_MAX};
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:y:N:ra:D:h", table, NULL)) != -1) {
        if (c == 'h' || c == OPTION_VERSION) {
            if (speaks)
                printf("%s%s", c == 'h' ? help : clsort_version(), c == 'h' ? "" : "\n");
            *exit_ret = 0;
            return false;
        }
        if (!apply_option(c, argv[optind - 1], options_ret))
            return false;
    }
    if (optind == argc || strcmp(argv[optind], "sort") != 0)
        return refuse("the command is missing; use 'sort'");
    if (argc - optind != 2)
        return refuse("sort takes one FILE");
    options_ret->input = argv[optind + 1];
    return (options_ret->output && *options_ret->output) || refuse("-o OUT is missing");
}
