/* text_options.c: 'clsort sort' with sort(1)'s options. */
#include "commands/text_options.h"

#include "cli/command.h"
#include "memory/host_memory.h"
#include "commands/input_job.h"
#include "cli/message.h"
#include "text/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char text_help[] =
    "\n"
    "Lines by keys, as LC_ALL=C sort(1) does, by any of these options:\n"
    "\n"
    "  -k, --key F[.C][FLAGS][,F[.C][FLAGS]]\n"
    "                         a key from field F, character C, to the end of another field or\n"
    "                         of the line; FLAGS are the letters b d f g h i M n r V\n"
    "  -k, --key NAME[:FLAGS] a column that the --header of a --csv or --tsv names; a : within "
    "NAME,\n"
    "                         or a digit that begins it, is written \\: or \\2\n"
    "  -t, --field-separator CHAR\n"
    "                         fields end with CHAR; else blanks begin them\n"
    "      --csv, --tsv       fields are columns of CSV, quoted or not; or end with tabs\n"
    "      --header N         the first N lines of each FILE are no rows; the first FILE's are\n"
    "                         written first\n"
    "  -n, --numeric-sort     decimal numbers of any length, without exponents\n"
    "  -g, --general-numeric-sort\n"
    "                         floating-point numbers, as f64\n"
    "  -h, --human-numeric-sort\n"
    "                         sizes such as 2K and 1G\n"
    "  -M, --month-sort       months: what is none, JAN ... DEC\n"
    "  -V, --version-sort     numbers within words, such as versions\n"
    "      --sort WORD        numeric, general-numeric, human-numeric, month or version\n"
    "  -R, --random-sort      is refused: see shuf(1)\n"
    "  -b, --ignore-leading-blanks, -d, --dictionary-order, -f, --ignore-case,\n"
    "  -i, --ignore-nonprinting\n"
    "                         without blanks in front; by letters, digits and blanks alone;\n"
    "                         lower case as upper case; by printable characters alone\n"
    "  -u, --unique           only the first of lines with equal keys\n"
    "  -s                     lines with equal keys keep their order, as with -u; else their\n"
    "                         bytes decide\n"
    "  -c, --check, --check=diagnose-first, -C, --check=quiet, --check=silent\n"
    "                         tell whether FILE is sorted (exit status 1: it is not)\n"
    "  -m, --merge            merge FILEs that are sorted\n"
    "  -z, --zero-terminated  lines end with a zero byte\n"
    "      --strict           refuse a line whose key is not a number or not there, with file and\n"
    "                         line\n"
    "      --locale NAME      C or POSIX; others are refused, and LC_ALL is not looked at\n"
    "      --parallel N       sort by at most N threads, besides those of a driver; by default\n"
    "                         one for each processor that the process may use\n"
    "      --batch-size N     -m merges at most N files at once, more of them in rounds\n"
    "      --compress-program, --debug, --files0-from, --random-source\n"
    "                         are refused\n"
    "\n"
    "Examples:\n"
    "  clsort sort -o sorted.txt words.txt\n"
    "  clsort sort --csv --header 1 -k price:nr -k name sales.csv\n"
    "  clsort sort -y f32 --verify -o sorted.bin keys.bin";

enum {
    TEXT_BATCH_SIZE = OPTION_OWN,
    TEXT_COMPRESS_PROGRAM,
    TEXT_CSV_FORMAT,
    TEXT_DEBUG,
    TEXT_FILES0_FROM,
    TEXT_TSV_FORMAT,
    TEXT_HEADER,
    TEXT_HELP,
    TEXT_LOCALE,
    TEXT_RANDOM_SOURCE,
    TEXT_SORT,
    TEXT_STRICT,
    TEXT_TOOL_VERSION
};

/* Those of raw keys stand here too: a command has one table. */
/* clang-format off */
const struct option text_table[] = {
    ROW_TYPE,
    ROW_ALGORITHM,
    ROW_RECORD_SIZE,
    ROW_KEY_OFFSET,
    ROW_SEGMENTS,
    ROW_VALUE_FILE,
    ROW_VALUE_OUTPUT,
    ROW_ARGSORT,
    ROW_TEXT,
    ROW_REVERSE,
    ROW_DEVICE,
    ROW_OUTPUT,
    ROW_LINES,
    ROW_STATS,
    ROW_JSON,
    {"buffer-size", required_argument, NULL, 'S'},
    {"temporary-directory", required_argument, NULL, 'T'},
    {"stable", no_argument, NULL, 's'},
    ROW_VERIFY,
    {"check", optional_argument, NULL, OPTION_CHECK},
    {"key", required_argument, NULL, 'k'},
    {"field-separator", required_argument, NULL, 't'},
    {"csv", no_argument, NULL, TEXT_CSV_FORMAT},
    {"tsv", no_argument, NULL, TEXT_TSV_FORMAT},
    {"header", required_argument, NULL, TEXT_HEADER},
    {"numeric-sort", no_argument, NULL, 'n'},
    {"general-numeric-sort", no_argument, NULL, 'g'},
    {"human-numeric-sort", no_argument, NULL, 'h'},
    {"month-sort", no_argument, NULL, 'M'},
    {"version-sort", no_argument, NULL, 'V'},
    {"random-sort", no_argument, NULL, 'R'},
    {"ignore-leading-blanks", no_argument, NULL, 'b'},
    {"dictionary-order", no_argument, NULL, 'd'},
    {"ignore-case", no_argument, NULL, 'f'},
    {"ignore-nonprinting", no_argument, NULL, 'i'},
    {"sort", required_argument, NULL, TEXT_SORT},
    {"unique", no_argument, NULL, 'u'},
    {"merge", no_argument, NULL, 'm'},
    {"zero-terminated", no_argument, NULL, 'z'},
    {"strict", no_argument, NULL, TEXT_STRICT},
    {"locale", required_argument, NULL, TEXT_LOCALE},
    {"parallel", required_argument, NULL, OPTION_PARALLEL},
    {"batch-size", required_argument, NULL, TEXT_BATCH_SIZE},
    {"compress-program", required_argument, NULL, TEXT_COMPRESS_PROGRAM},
    {"debug", no_argument, NULL, TEXT_DEBUG},
    {"files0-from", required_argument, NULL, TEXT_FILES0_FROM},
    {"random-source", required_argument, NULL, TEXT_RANDOM_SOURCE},
    {"help", no_argument, NULL, TEXT_HELP},
    {"version", no_argument, NULL, TEXT_TOOL_VERSION}, /* not short for --version-sort */
    ROW_END};
/* clang-format on */
const char text_letters[] = ":y:a:rD:o:S:T:k:t:nghMVRbdfisumzcC";

struct text_settings {
    struct text_job *job;
    bool has_lines;        /* --lines */
    const char *algorithm; /* what -a says, which only --lines may have */
};

/* Options of sort(1) that are not supported. */
static const struct {
    int option;
    const char *why;
} refused[] = {
    {'R', "-R, --random-sort is not supported; shuf(1) puts lines into random order"},
    {TEXT_RANDOM_SOURCE, "--random-source is not supported: there is no random order; see shuf(1)"},
    {TEXT_COMPRESS_PROGRAM, "--compress-program is not supported: the temporary file holds text as "
                            "it is; -T puts it where there is room"},
    {TEXT_DEBUG, "--debug is not supported; --strict refuses a line whose key is no number"},
    {TEXT_FILES0_FROM, "--files0-from is not supported; name the files as arguments"},
};

/* What lines do not have, and what takes its place for them. */
static bool refuse_option(int c)
{
    const char *instead = input_job_elements(c);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]) && !instead; i++)
        instead = refused[i].option == c ? refused[i].why : NULL;
    if (instead)
        message("%s", instead);
    return false;
}

bool text_refuse_old_keys(char **files)
{
    for (; *files; files++) {
        const char *const file = *files;
        if (file[0] == '+' && file[1] >= '0' && file[1] <= '9') {
            message("'%s' is a key in the old form of sort(1), which counts fields from 0; write "
                    "-k %lu for it, or ./%s for a file",
                    file, strtoul(file + 1, NULL, 10) + 1, file);
            return false;
        }
    }
    return true;
}

static bool set_separator(struct text_order *order, const char *text)
{
    const bool is_zero = strcmp(text, "\\0") == 0;
    const int separator = is_zero ? 0 : (unsigned char)*text;
    const bool is_byte = is_zero || (text[0] && !text[1]);
    if (!is_byte)
        message("-t '%s': a separator is one byte, or \\0", text);
    else if (order->separator >= 0 && order->separator != separator)
        message("-t '%s': fields already end with '%c'; there is one separator", text,
                order->separator);
    const bool ok = is_byte && (order->separator < 0 || order->separator == separator);
    order->separator = separator;
    return ok;
}

static bool set_locale(const char *name)
{
    if (strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0)
        return true;
    message("--locale %s: lines are ordered by their bytes, as in the locale C; the order of words "
            "in other locales is not supported",
            name);
    return false;
}

static bool set_sort(struct text_order *order, const char *word)
{
    static const struct {
        const char *word;
        char letter;
    } words[] = {{"general-numeric", 'g'},
                 {"human-numeric", 'h'},
                 {"month", 'M'},
                 {"numeric", 'n'},
                 {"version", 'V'}};
    /* No two begin with the same letter, so sort(1) takes any word cut short. */
    for (size_t i = 0; *word && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strncmp(word, words[i].word, strlen(word)) == 0)
            return text_add_flag(&order->flags, words[i].letter, false);
    }
    if (*word && strncmp(word, "random", strlen(word)) == 0)
        return refuse_option('R');
    message("--sort=%s: the orders are general-numeric, human-numeric, month, numeric and version",
            word);
    return false;
}

static bool set_format(struct text_order *order, int c)
{
    if (c == TEXT_TSV_FORMAT)
        order->separator = '\t';
    order->format = c == TEXT_CSV_FORMAT ? TEXT_CSV : TEXT_PLAIN;
    return order->is_table = true;
}

/* An option that says what the order is; false with *is_known_ret: it was refused. */
static bool take_order_option(int c, struct text_order *order, bool *is_known_ret)
{
    *is_known_ret = true;
    if (c < 256 && text_add_flag(&order->flags, (char)c, false))
        return c != 'b' || text_add_flag(&order->flags, 'b', true);
    switch (c) {
    case 'k':
        return text_add_key(order, optarg);
    case 't':
        return set_separator(order, optarg);
    case 's':
        return order->is_stable = true;
    case 'u':
        return order->is_unique = true;
    case 'z':
        order->end = '\0';
        return true;
    case TEXT_CSV_FORMAT:
    case TEXT_TSV_FORMAT:
        return set_format(order, c);
    case TEXT_HEADER:
        return parse_number(optarg, "the number of header lines", 0, UINT64_MAX,
                            &order->num_headers);
    case TEXT_LOCALE:
        return set_locale(optarg);
    case TEXT_SORT:
        return set_sort(order, optarg);
    case TEXT_STRICT:
        return order->is_strict = true;
    default:
        return *is_known_ret = false;
    }
}

static bool take_option(int c, void *context)
{
    struct text_settings *settings = context;
    struct text_job *job = settings->job;
    bool is_known;
    bool ok = take_order_option(c, &job->order, &is_known);
    if (!is_known)
        ok = take_sort_setting(c, &job->options, &is_known);
    if (is_known)
        return ok;
    switch (c) {
    case OPTION_LINES:
        return settings->has_lines = true;
    case 'a':
        settings->algorithm = optarg;
        return true;
    case TEXT_BATCH_SIZE:
        return parse_number(optarg, "the number of files to merge at once", 2, UINT64_MAX,
                            &job->batch_size);
    default:
        return refuse_option(c);
    }
}

enum text_request text_request(int argc, char **argv)
{
    static const char neutral[] = "rsucCDoSTya:?";
    int c;
    bool is_asked = false, is_help = false, is_version = false;
    bool has_elements = false, is_shared = false;
    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, text_letters, text_table, NULL)) != -1) {
        is_asked |= c < 256 ? !strchr(neutral, c) : c >= OPTION_OWN && c != TEXT_HELP;
        is_help |= c == TEXT_HELP;
        is_version |= c == TEXT_TOOL_VERSION;
        has_elements |= input_job_elements(c) != NULL;
        is_shared |= c == 'u' || c == 'c' || c == 'C' || c == OPTION_CHECK; /* by raw keys, too */
    }
    is_asked |= is_shared && !has_elements;
    is_asked |= !has_elements && argc - optind > 1;
    optind = 0;
    return is_help      ? TEXT_HELP_ASKED
           : is_version ? TEXT_VERSION_ASKED
           : is_asked   ? TEXT_ASKED
                        : TEXT_NOT_ASKED;
}

static bool takes_algorithm(struct text_settings *settings)
{
    clsort_algorithm *algorithm = &settings->job->algorithm;
    if (!settings->algorithm)
        return true;
    if (!settings->has_lines)
        return refuse_option('a');
    if (!parse_algorithm(settings->algorithm, algorithm))
        return false;
    const bool is_taken = *algorithm == CLSORT_AUTO || *algorithm == CLSORT_RADIX;
    if (!is_taken)
        message("-a %s: lines are sorted by radix alone; give auto or radix", settings->algorithm);
    return is_taken;
}

static int do_work(struct text_settings *settings)
{
    struct text_job *job = settings->job;
    const bool is_check = job->options.mode == 'c' || job->options.mode == 'C';
    const uint64_t available = host_memory_available();
    job->options.memory = host_memory_share(job->options.memory, available);
    job->notes_zeros = !settings->has_lines && job->order.end == '\n' &&
                       (job->order.num_keys == 0 || job->order.is_table);
    if (job->options.index_size && job->options.mode) {
        message("--argsort and -%c exclude each other: what is sorted has positions",
                job->options.mode);
        return EXIT_TROUBLE;
    }
    if (job->options.device && job->options.mode) {
        message("-%c and -D exclude each other: no device is needed for it", job->options.mode);
        return EXIT_TROUBLE;
    }
    if (is_check && (job->num_inputs > 1 || job->options.output)) {
        message("-%c checks one file and has no output", job->options.mode);
        return EXIT_TROUBLE;
    }
    if (is_check && (job->options.is_verified || job->options.is_timed)) {
        message("-%c goes without --verify, --stats and --json: its exit status says what it found",
                job->options.mode);
        return EXIT_TROUBLE;
    }
    if (job->options.mode == 'm' && job->options.is_verified) {
        message(
            "-m and --verify exclude each other: files are merged as they are; check the output "
            "by 'clsort sort -c'");
        return EXIT_TROUBLE;
    }
    if (is_check)
        return text_check_file(job, job->options.mode == 'C');
    return job->options.mode == 'm' ? text_merge_files(job) : text_sort_files(job);
}

static int parse_and_work(struct text_settings *settings, int argc, char **argv)
{
    static const struct exclusion exclusions[] = {
        {OPTION_STATS, OPTION_JSON, "they are the same in two forms"},
        {TEXT_CSV_FORMAT, TEXT_TSV_FORMAT, "columns end with commas or with tabs"},
        {TEXT_TSV_FORMAT, 't', "columns end with tabs, or with what -t says"},
        {0, 0, NULL}};
    static const struct command_line line = {"sort",     NULL,       text_letters, text_table,
                                             exclusions, ANY_NUMBER, take_option};
    int status;
    if (!command_line_read(&line, argc, argv, settings, &status))
        return status;
    if (!takes_algorithm(settings) || !text_refuse_old_keys(argv + optind) ||
        !text_complete_order(&settings->job->order))
        return EXIT_TROUBLE;
    text_take_files(settings->job, argc - optind, argv + optind);
    return do_work(settings);
}

int text_command(int argc, char **argv)
{
    struct text_settings settings = {.job = text_make_job(argc)};
    const int status = settings.job ? parse_and_work(&settings, argc, argv) : EXIT_TROUBLE;
    free(settings.job);
    return status;
}
