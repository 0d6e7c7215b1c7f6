/* options.c: reads the command line of clsort-mpi. */
#include "job.h"

#include "cli/message.h"
#include "cli/options.h"

#include <errno.h>
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
    "      --version";

/* Bytes, such as 4G. */
static bool take_bytes(const struct argument *argument, const char *text, void *options)
{
    static const char units[] = "KMGT"; /* powers of 1024 */
    uint64_t *const bytes = argument->to;
    char *end = NULL;
    (void)options;
    errno = 0;
    *bytes = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : units - 1;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (errno || *text < '0' || *text > '9' || !unit || (*end && end[1]))
        message("'%s' is not a whole number", text);
    else if (*bytes > UINT64_MAX >> shift)
        message("'%s' is too large", text);
    else if (*bytes == 0)
        message("the memory of a rank cannot be 0");
    else
        return *bytes <<= shift;
    return false;
}

static bool refuse(const char *what)
{
    message("%s; try 'clsort-mpi --help'", what);
    return false;
}

bool options_read(int argc, char **argv, bool speaks, struct options *options_ret, int *exit_ret)
{
    const struct argument arguments[] = {
        {"output", 'o', .text = &options_ret->output},
        {"type", 'y', .type = &options_ret->type},
        {"count", 'N', .number = &options_ret->count, .last = UINT64_MAX},
        {"reverse", 'r', .order = &options_ret->order},
        {"algorithm", 'a', .algorithm = &options_ret->algorithm},
        {"device", 'D', .text = &options_ret->device},
        {"memory", .take = take_bytes, required_argument, &options_ret->memory},
        {"verify", .flag = &options_ret->verify},
        {"stats", .flag = &options_ret->stats},
        {"json", .flag = &options_ret->json},
        {0}};
    const struct command_line line = {"sort", help, .arguments = arguments, .max_files = ANY_NUMBER,
                                      .has_version = true};
    *options_ret = (struct options){.count = UINT64_MAX};
    message_set_program(speaks ? "clsort-mpi" : NULL);
    *exit_ret = command_line_read(&line, argc, argv, NULL);
    if (*exit_ret != GO_ON)
        return false;
    *exit_ret = 2;
    if (optind == argc || strcmp(argv[optind], "sort") != 0)
        return refuse("the command is missing; use 'sort'");
    if (argc - optind != 2)
        return refuse("sort takes one FILE");
    options_ret->input = argv[optind + 1];
    return (options_ret->output && *options_ret->output) || refuse("-o OUT is missing");
}
