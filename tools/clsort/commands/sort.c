/* sort.c: 'clsort sort': its options, whether they are of lines or of numbers, and the sort of
 * lines. */
#include "commands/sort.h"

#include "cli/command.h"
#include "cli/message.h"
#include "memory/host_memory.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: clsort sort [OPTION]... [FILE]...\n"
    "\n"
    "Lines or numbers? FILEs are lines of text, and are sorted as LC_ALL=C sort(1) does, byte for\n"
    "byte, unless an option says numbers: -y for raw ones, as a program writes arrays, or --text\n"
    "for one on each line. Without FILE, or as -, standard input is read. Standard output is\n"
    "written. Examples are at the end.\n"
    "\n"
    "  -r, --reverse          descending\n"
    "  -o, --output OUT       write to OUT, which may be a FILE; it is replaced only when all\n"
    "                         is written\n"
    "  -S, --buffer-size SIZE sort what needs more memory through a temporary file; a number and "
    "%,\n"
    "                         b, K, M, G, ...; the default is half of the memory that is left\n"
    "  -T, --temporary-directory DIR\n"
    "                         where that file lies; the default is $TMPDIR, or /tmp\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "      --argsort[=4|8]    write the order instead: the positions of the lines or keys, "
    "counted\n"
    "                         from 0, as raw u32 (4, the default) or u64 (8)\n"
    "      --verify           prove order and permutation before writing\n"
    "      --stats            tell device, algorithm and times on standard error\n"
    "      --json             the same as one line of JSON\n"
    "      --lines            lines, as without -y; no note about zero bytes in a file\n"
    "      --help, --version  this text; the version\n"
    "\n"
    "Numbers of one FILE, by any of these options except -u, -s and -c:\n"
    "\n"
    "  -y, --type TYPE        raw little-endian keys, one after another; u32 where only other\n"
    "                         options of this list are given:\n"
    "                        " TYPE_NAMES "\n"
    "      --text             a number of the type on each line; lines are written as read, and\n"
    "                         equal numbers keep their order. -n needs no type\n"
    "  -a, --algorithm NAME   (default auto)" ALGORITHM_NAMES "\n"
    "      --record-size N    sort records of N bytes, up to 256, by a key of the type in them\n"
    "      --key-offset N     bytes in front of a record's key (default 0)\n"
    "      --segments OFFSETS sort parts of FILE, each by itself; the file OFFSETS says where\n"
    "                         they begin and end: raw u64 numbers of keys\n"
    "  -u, --unique           only the first of equal keys; records and values go with it\n"
    "      --values FILE --values-output OUT\n"
    "                         move values, too: FILE has one of any size for each key, and they "
    "are\n"
    "                         written to OUT, which may be FILE; both up to 16 times\n"
    "  -s, --stable           ask for a stable algorithm\n"
    "  -c, --check, -C, --check=quiet\n"
    "                         tell whether FILE is in order, as 'clsort check' does; -C without a\n"
    "                         message\n"
    "\n"
    "Floats: -inf ... -0 0 ... inf, then every NaN; with -r the reverse.";

static const char help_of_lines[] =
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
    "  clsort sort -y f32 --verify -o sorted.bin keys.bin\n";

#define NO_RANDOM_ORDER "-R, --random-sort is not supported; shuf(1) puts lines into random order"

static bool take_key(const struct argument *argument, const char *text, void *order)
{
    (void)argument;
    text_add_key(order, text);
    return true;
}

static bool take_flag(const struct argument *argument, const char *text, void *context)
{
    struct text_order *order = context;
    (void)text;
    return text_add_flag(&order->flags, (char)argument->letter, false) &&
           (argument->letter != 'b' || text_add_flag(&order->flags, 'b', true));
}

static bool take_separator(const struct argument *argument, const char *text, void *context)
{
    struct text_order *order = context;
    (void)argument;
    const bool is_zero = strcmp(text, "\\0") == 0;
    const int separator = is_zero ? 0 : (unsigned char)*text;
    if (!is_zero && (!text[0] || text[1]))
        die("-t '%s': a separator is one byte, or \\0", text);
    if (order->separator >= 0 && order->separator != separator)
        die("-t '%s': fields already end with '%c'; there is one separator", text,
            order->separator);
    order->separator = separator;
    return true;
}

static bool take_locale(const struct argument *argument, const char *name, void *order)
{
    (void)argument, (void)order;
    if (strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        die("--locale %s: lines are ordered by their bytes, as in the locale C; the order of words "
            "in other locales is not supported",
            name);
    return true;
}

static bool take_sort(const struct argument *argument, const char *word, void *context)
{
    struct text_order *order = context;
    (void)argument;
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
        die(NO_RANDOM_ORDER);
    die("--sort=%s: the orders are general-numeric, human-numeric, month, numeric and version",
        word);
}

static bool take_values(const struct argument *argument, const char *text, void *order)
{
    (void)order;
    value_files_add(argument->to, argument->name, text);
    return true;
}

static struct sort_request request = {.order.separator = -1};

#define FLAG .take = take_flag, .is_marked = true

/* Those that lines alone have are marked. */
/* clang-format off */
static const struct argument arguments[] = {
    INPUT_JOB_TYPE(request.input),
    {"algorithm", 'a', .algorithm = &request.job.desc.algorithm},
    INPUT_JOB_RECORDS(request.input),
    {"segments", .text = &request.job.segments.path},
    {"values", .take = take_values, required_argument, &request.job.values.paths, .is_file = true},
    {"values-output", .take = take_values, required_argument, &request.job.values.output_paths,
     .is_file = true},
    {"argsort", .index_size = &request.settings.index_size},
    {"text", .flag = &request.input.is_text},
    {"reverse", 'r', .flag = &request.order.flags.is_reversed},
    {"device", 'D', .text = &request.settings.device},
    {"output", 'o', .once = &request.settings.output},
    {"lines", .flag = &request.input.is_lines},
    {"stats", .flag = &request.settings.is_timed},
    {"json", .flag = &request.settings.is_json},
    {"buffer-size", 'S', .take = take_memory, required_argument, &request.settings.memory},
    {"temporary-directory", 'T', .once = &request.settings.dir},
    {"stable", 's', .flag = &request.order.is_stable},
    {"verify", .take = take_verify, no_argument, &request.settings.is_verified},
    {NULL, 'c', .take = take_mode, no_argument, &request.settings.mode},
    {NULL, 'C', .take = take_mode, no_argument, &request.settings.mode},
    {"check", .take = take_mode, optional_argument, &request.settings.mode,
     .values = " diagnose-first quiet silent"},
    {"key", 'k', .take = take_key, required_argument, .is_marked = true},
    {"field-separator", 't', .take = take_separator, required_argument, .is_marked = true},
    {"csv", .flag = &request.order.is_csv, .is_marked = true},
    {"tsv", .flag = &request.is_tsv, .is_marked = true},
    {"header", .number = &request.order.num_headers, .last = UINT64_MAX,
     .what = "the number of header lines", .is_marked = true},
    {"numeric-sort", 'n', FLAG},
    {"general-numeric-sort", 'g', FLAG},
    {"human-numeric-sort", 'h', FLAG},
    {"month-sort", 'M', FLAG},
    {"version-sort", 'V', FLAG},
    {"random-sort", 'R', .refused = NO_RANDOM_ORDER, .is_marked = true},
    {"ignore-leading-blanks", 'b', FLAG},
    {"dictionary-order", 'd', FLAG},
    {"ignore-case", 'f', FLAG},
    {"ignore-nonprinting", 'i', FLAG},
    {"sort", .take = take_sort, required_argument, .is_marked = true,
     .values = " general-numeric human-numeric month numeric version"},
    {"unique", 'u', .flag = &request.order.is_unique},
    {"merge", 'm', .take = take_mode, no_argument, &request.settings.mode, .is_marked = true},
    {"zero-terminated", 'z', .flag = &request.is_zero, .is_marked = true},
    {"strict", .flag = &request.order.is_strict, .is_marked = true},
    {"locale", .take = take_locale, required_argument, .is_marked = true, .values = " C POSIX"},
    {"parallel", .take = take_parallel, required_argument},
    {"batch-size", .number = &request.batch_size, .first = 2, .last = UINT64_MAX,
     .what = "the number of files to merge at once", .is_marked = true},
    {"compress-program", .has_arg = required_argument, .is_marked = true, .refused =
     "--compress-program is not supported: the temporary file holds text as it is; -T puts it "
     "where there is room"},
    {"debug", .is_marked = true, .refused =
     "--debug is not supported; --strict refuses a line whose key is no number"},
    {"files0-from", .has_arg = required_argument, .is_marked = true, .refused =
     "--files0-from is not supported; name the files as arguments"},
    {"random-source", .has_arg = required_argument, .is_marked = true, .refused =
     "--random-source is not supported: there is no random order; see shuf(1)"},
    {0}};
/* clang-format on */

/* Options that -c, -C or -m goes without. What lines may have comes last. */
static const struct {
    const char *modes, *option, *why;
} unsuited[] = {
#define A_STATUS "its exit status says what it found"
    {"cCm", "argsort", "what is sorted has positions"},
    {"cCm", "device", "no device is needed for it"},
    {"cC", "output", "a check has no output"},
    {"cC", "verify", A_STATUS},
    {"cC", "stats", A_STATUS},
    {"cC", "json", A_STATUS},
    {"m", "verify", "files are merged as they are; check the output by 'clsort sort -c'"},
    {"cC", "unique", "it tells whether numbers are in order"},
    {"cC", "algorithm", "nothing is sorted"},
    {"cC", "segments", "it tells of a whole file"},
    {"cC", "values", "nothing is moved"},
};

enum { NUM_UNSUITED = sizeof(unsuited) / sizeof(unsuited[0]), UNSUITED_LINES = 7 };

static void check_mode(int mode, bool is_of_lines, int num_files)
{
    for (int i = 0; mode && i < (is_of_lines ? UNSUITED_LINES : NUM_UNSUITED); i++) {
        if (strchr(unsuited[i].modes, mode) && command_line_has(unsuited[i].option))
            die("-%c and --%s exclude each other: %s", mode, unsuited[i].option, unsuited[i].why);
    }
    if (mode && mode != 'm' && num_files > 1)
        die("-%c checks one file, and %d are given", mode, num_files);
}

/* Refuses files, up to a NULL, that sort(1) takes for keys, such as +1. */
static void refuse_old_keys(char **files)
{
    for (; *files; files++) {
        const char *const file = *files;
        if (file[0] == '+' && file[1] >= '0' && file[1] <= '9')
            die("'%s' is a key in the old form of sort(1), which counts fields from 0; write "
                "-k %lu for it, or ./%s for a file",
                file, strtoul(file + 1, NULL, 10) + 1, file);
    }
}

/* What lines do not have is refused, with what takes its place; of -a, --lines has some. */
static void refuse_elements(void)
{
    const clsort_algorithm algorithm = request.job.desc.algorithm;
    const char *instead = input_job_elements();
    if (instead && !request.input.is_lines)
        die("%s", instead);
    if (instead && algorithm != CLSORT_AUTO && algorithm != CLSORT_RADIX)
        die("-a %s: lines are sorted by radix alone; give auto or radix",
            clsort_algorithm_name(algorithm));
}

static int sort_lines(int num_files, char **files)
{
    struct text_order *order = &request.order;
    order->end = request.is_zero ? '\0' : '\n';
    order->is_table = order->is_csv || request.is_tsv;
    order->separator = request.is_tsv ? '\t' : order->separator;
    refuse_elements();
    refuse_old_keys(files);
    text_complete_order(order);
    struct text_job *job = text_make_job(num_files, (const char *const *)files);
    job->order = *order;
    job->options = request.settings;
    job->options.memory = host_memory_share(job->options.memory, host_memory_available());
    job->batch_size = request.batch_size;
    job->algorithm = request.job.desc.algorithm;
    job->notes_zeros = !request.input.is_lines && job->order.end == '\n' &&
                       (job->order.num_keys == 0 || job->order.is_table);
    const int mode = job->options.mode;
    int status = EXIT_DONE;
    if (mode == 'c' || mode == 'C')
        status = text_check_file(job, mode == 'C');
    else
        text_run(job);
    free(job);
    return status;
}

int command_sort(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {
        INPUT_JOB_EXCLUSIONS,
        {"stats", "json", "they are the same in two forms"},
        {"csv", "tsv", "columns end with commas or with tabs"},
        {"tsv", "field-separator", "columns end with tabs, or with what -t says"},
        {"segments", "algorithm", "each segment takes the algorithm that its length asks for"},
        {"segments", "text lines", "segments are parts of raw keys"},
        {"segments", "verify", "keys are in order within their segment only"},
        {"segments", "buffer-size", "segments are not sorted in pieces"},
        {"segments", "unique", "keys are in order within their segment only"},
        {"text", "unique", "-u is for raw keys, and for lines by -n or -g"},
        {"values", "text lines", "values move with raw keys"},
        {"values-output", "lines", "values move with raw keys"},
        {"values", "argsort", "the positions are written instead of the keys"},
        {"values", "buffer-size", "keys with values are not sorted in pieces"},
        {0}};
    static const struct command_line line = {"sort",     help,       help_of_lines, arguments,
                                             exclusions, ANY_NUMBER, true,          true};
    const int status = command_line_read(&line, argc, argv, &request.order);
    if (status != GO_ON)
        return status;
    const int num_files = argc - optind;
    request.settings.is_timed |= request.settings.is_json;
    request.input.order = request.order.flags.is_reversed ? CLSORT_DESCENDING : CLSORT_ASCENDING;
    const bool is_of_lines =
        command_line_has(NULL) || request.input.is_lines || !input_job_elements();
    check_mode(request.settings.mode, is_of_lines, num_files);
    if (is_of_lines)
        return sort_lines(num_files, argv + optind);
    if (num_files > 1)
        return command_line_refuse_file(&line, argv[optind + 1]);
    input_job_complete(&request.input, argv[optind]);
    return sort_numbers(&request);
}
