/* tune.c: 'clsort tune': its options, the order of its parts, and the file that it writes. */
#include "tune/tune.h"

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/message.h"
#include "cli/options.h"
#include "io/output.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: clsort tune [OPTION]...\n"
    "\n"
    "Measures a device with other tile sizes and limits than those compiled in. Writes what is\n"
    "faster by more than the noise as a file for CLSORT_TUNING. Every candidate's output is\n"
    "checked. CLSORT_TUNING itself is not read.\n"
    "\n"
    "  -o, --output FILE      (default standard output)\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "  -N, --count COUNT      keys to measure tiles with, and the largest limit: 65536, 1e6\n"
    "                         or 2^20 (default 2^24 on a GPU, else 2^22; --quick: 2^18)\n"
    "  -y, --type LIST        (default u32,u64,u32+u32,u64+u64; --quick: u32,u64)\n"
    "                         as for 'clsort bench'; values have 1, 2, 4 or 8 bytes\n"
    "      --only LIST        rows of these kinds alone:\n"
    "                        " TUNE_KINDS_OF_SORTS "\n"
    "                        " TUNE_KINDS_OF_OTHERS "\n"
    "      --quick            fewer candidates, each measured fewer times\n"
    "      --seconds S        try no more after S seconds (default 900; --quick: 60)\n"
    "      --json             tell what was found as one line of JSON on standard error, too\n"
    "  -h, --help             this text\n"
    "\n"
    "Examples:\n"
    "  clsort tune --quick -o device.tuning\n"
    "  clsort tune -D nvidia -y u32,u32+u32 -o device.tuning\n"
    "  CLSORT_TUNING=device.tuning clsort sort -y u32 -o sorted.bin keys.bin";

static bool take_types(const struct argument *argument, const char *text, void *context)
{
    static struct bench_options lists;
    struct tune_options *options = context;
    (void)argument;
    if (!bench_parse_list(LIST_TYPES, text, &lists))
        return false;
    options->num_types = lists.num[LIST_TYPES];
    for (int i = 0; i < options->num_types; i++) {
        const uint32_t size = lists.types[i].value_size;
        if (lists.types[i].form != BENCH_NUMBERS) {
            message("types to tune with are numbers, with values or without, not structs");
            return false;
        }
        if (size > 8 || (size & (size - 1)) != 0) {
            message("values to tune with have 1, 2, 4 or 8 bytes, not %u", (unsigned)size);
            return false;
        }
        options->types[i] = lists.types[i];
    }
    return true;
}

static bool take_kinds(const struct argument *argument, const char *text, void *options)
{
    (void)argument;
    const char *kind = text;
    size_t length;
    do {
        length = strcspn(kind, ",");
        if (!bench_list_has(TUNE_KINDS_OF_SORTS TUNE_KINDS_OF_OTHERS, kind, length)) {
            message("'%.*s' is no kind of row to measure; the kinds "
                    "are" TUNE_KINDS_OF_SORTS TUNE_KINDS_OF_OTHERS,
                    (int)length, kind);
            return false;
        }
        kind += length;
    } while (*kind++ == ',');
    ((struct tune_options *)options)->only = text;
    return true;
}

static void set_defaults(struct tune_options *options)
{
    options->num_rounds = options->is_quick ? 3 : 7;
    if (options->seconds <= 0)
        options->seconds = options->is_quick ? 60 : 900;
    if (options->num_types == 0)
        take_types(NULL, options->is_quick ? "u32,u64" : "u32,u64,u32+u32,u64+u64", options);
}

static bool open_tune(struct tune *tune)
{
    struct tune_options *options = &tune->options;
    if (!tune_name_rows(tune) || !device_open(&tune->device, options->device))
        return false;
    if (options->count == 0)
        options->count = options->is_quick                             ? UINT64_C(1) << 18
                         : strcmp(tune->device.facts.kind, "GPU") == 0 ? UINT64_C(1) << 24
                                                                       : UINT64_C(1) << 22;
    return bench_opencl_open(&tune->opencl, &tune->device);
}

static void close_tune(struct tune *tune)
{
    bench_opencl_end(&tune->opencl);
    bench_opencl_close(&tune->opencl);
    device_close(&tune->device);
    if (tune->descriptor >= 0)
        close(tune->descriptor);
}

/* Both sides of a race need scratch, which is a few copies of the keys. */
static bool fit_types(const struct tune *tune)
{
    const uint64_t count = tune->options.count;
    for (int i = 0; i < tune->options.num_types; i++) {
        const struct bench_type type = tune->options.types[i];
        const struct bench_input input = bench_input_make(type, 4 * count, BENCH_RANDOM, 1);
        char note[BENCH_NOTE], name[BENCH_TYPE_TEXT];
        if (bench_fits_device(&tune->device.facts, &input, 0, note))
            continue;
        message("%s: %" PRIu64 " keys with scratch: %s; give less with -N",
                bench_type_text(type, name), count, note);
        return false;
    }
    return true;
}

/* Cuts a name where a tuning file would see a comment. */
static void clean(char *name)
{
    name[strcspn(name, "#")] = '\0';
    for (char *at = name; *at; at++) {
        if ((unsigned char)*at < ' ')
            *at = ' ';
    }
}

static void write_rows(struct tune *tune)
{
    struct device_facts *facts = &tune->device.facts;
    char *text = NULL, memory[SIZE_TEXT];
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        die("out of memory");
    clean(facts->name);
    fprintf(file, "# clsort %s, tune%s: %s on %s, driver %s, %u compute units, local memory %s.\n",
            clsort_version(), tune->options.is_quick ? " --quick" : "", facts->name,
            facts->platform, facts->driver, (unsigned)facts->compute_units,
            size_text(facts->local_memory, memory));
    fprintf(
        file,
        "# %" PRIu64
        " random keys. Rates are medians by the device's clock; by the host's where a line has a "
        "limit of one array's sort.\n",
        tune->options.count);
    if (tune->is_over)
        fprintf(file, "# The time, %.0f seconds, did not suffice for all candidates.\n",
                tune->options.seconds);
    if (tune->has_ended_early)
        fputs("# Trouble ended it before all had been tried.\n", file);
    if (tune->num_rows > 0) {
        fprintf(file, "device %s\n", facts->name);
        tune_print_rows(tune, true, file);
    } else
        fputs("# No candidate is faster than the compiled-in rows by more than the noise.\n", file);
    if (fclose(file) != 0)
        die("out of memory");
    output_write_file(tune->options.output, text, size);
    free(text);
}

/* What is in the file, and how it is used; nothing where the file is standard output. */
static void print_end(const struct tune *tune)
{
    const char *file = tune->options.output;
    if (!file || strcmp(file, "-") == 0)
        return;
    if (tune->num_rows == 0)
        printf("%s: no row; nothing is faster than the compiled-in ones by more than the noise\n",
               file);
    else
        printf("%s: %d row%s; the largest gain is %.2f times as fast (%s); to use %s, set "
               "CLSORT_TUNING=%s\n",
               file, tune->num_rows, tune->num_rows == 1 ? "" : "s", tune->gain, tune->gain_what,
               tune->num_rows == 1 ? "it" : "them", file);
}

int command_tune(int argc, char **argv)
{
    static struct tune tune = {.descriptor = -1};
    static uint64_t seconds;
    static const struct argument arguments[] = {
        {"output", 'o', .text = &tune.options.output},
        {"device", 'D', .text = &tune.options.device},
        {"count", 'N', .number = &tune.options.count, .first = 2, .last = UINT64_C(1) << 32,
         .what = "the number of keys"},
        {"type", 'y', .take = take_types, required_argument, .values = TYPE_NAMES},
        {"only", .take = take_kinds, required_argument,
         .values = TUNE_KINDS_OF_SORTS TUNE_KINDS_OF_OTHERS},
        {"quick", .flag = &tune.options.is_quick},
        {"seconds", .number = &seconds, .first = 1, .last = 1000000,
         .what = "the number of seconds"},
        {"json", .flag = &tune.options.is_json},
        {0}};
    static const struct command_line line = {"tune", help, .arguments = arguments};
    const int status = command_line_read(&line, argc, argv, &tune.options);
    if (status != GO_ON)
        return status;
    tune.options.seconds = (double)seconds;
    set_defaults(&tune.options);
    output_try(tune.options.output);
    bool ok = open_tune(&tune) && fit_types(&tune);
    if (ok) {
        tune.start = seconds_now();
        progress_stage_of_seconds("tuning", tune.options.seconds);
        tune_all(&tune);
        progress_end();
        /* What has been found by then is not lost to trouble. */
        write_rows(&tune);
        print_end(&tune);
        if (tune.options.is_json)
            tune_print_json(&tune);
        ok = !tune.has_ended_early;
    }
    close_tune(&tune);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
