/* plot.c: the rates over the number of keys, drawn by gnuplot: a panel for each type,
 * distribution and what is done, a line for each sort with a band as wide as its spread. gnuplot
 * writes to a pipe, so that the file appears whole. Where there is no gnuplot, the script, which
 * holds the data, is written. */
#include "bench/bench.h"

#include "io/calls.h"
#include "cli/message.h"
#include "io/output.h"
#include "io/temp.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* In pixels. */
enum { PANEL_WIDTH = 480, PANEL_HEIGHT = 390, TITLE_HEIGHT = 40, MAX_COLUMNS = 2 };

/* Okabe and Ito's colours, which those who see few colours tell apart. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#999999"};
enum { NUM_COLOURS = sizeof(colours) / sizeof(colours[0]) };

static const struct {
    const char *ending;
    const char *terminal; /* of a width and a height */
} formats[] = {{".svg", "svg enhanced size %d,%d background 'white' font 'sans-serif,13'"},
               {".png", "pngcairo enhanced size 2*%d,2*%d fontscale 1.6 linewidth 2 pointscale 2"},
               {".pdf", "pdfcairo enhanced size %d/72.,%d/72. font ',11'"}};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };

static int format_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < NUM_FORMATS; i++) {
        if (length > 4 && strcmp(path + length - 4, formats[i].ending) == 0)
            return i;
    }
    return NUM_FORMATS;
}

bool bench_plot_is_possible(const struct bench_options *options)
{
    if (format_of(options->plot) < NUM_FORMATS)
        return true;
    message("--plot draws .svg, .png and .pdf; %s has another ending", options->plot);
    return false;
}

/* ---- What is drawn --------------------------------------------------------------------------- */

/* Rows come in the order of panels, counts and sorts. */
static const struct bench_row *row_of(const struct bench *bench, int panel, int count, int sort)
{
    return &bench->rows[(panel * bench->options.num_counts + count) * bench->num_sorts + sort];
}

/* What holds for all measured rows of a panel, or of one of its sorts. */
struct extent {
    bool has_rows;
    enum bench_clock clock; /* the device's where all have it */
    double first, last;     /* keys */
    double highest;         /* rate, by that clock or by the host's */
};

static struct extent extent_of(const struct bench *bench, int panel, int first_sort, int end_sort)
{
    struct extent extent = {.clock = BENCH_DEVICE, .first = INFINITY};
    double highest[BENCH_NUM_CLOCKS] = {0, 0};
    for (int i = 0; i < bench->options.num_counts * (end_sort - first_sort); i++) {
        const struct bench_row *row = row_of(bench, panel, i / (end_sort - first_sort),
                                             first_sort + i % (end_sort - first_sort));
        if (row->num_runs == 0)
            continue;
        extent.has_rows = true;
        extent.first = fmin(extent.first, (double)row->count);
        extent.last = fmax(extent.last, (double)row->count);
        if (row->times[BENCH_DEVICE].median == 0)
            extent.clock = BENCH_HOST;
        for (int clock = 0; clock < BENCH_NUM_CLOCKS; clock++)
            highest[clock] = fmax(highest[clock], bench_rate(row, (enum bench_clock)clock));
    }
    extent.highest = highest[extent.clock];
    return extent;
}

static int num_all(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    return options->num_types * options->num_shapes * options->num_distributions;
}

static int num_panels_of(const struct bench *bench, double *highest_ret)
{
    int num = 0;
    *highest_ret = 0;
    for (int i = 0; i < num_all(bench); i++) {
        const struct extent extent = extent_of(bench, i, 0, bench->num_sorts);
        num += extent.has_rows;
        *highest_ret = fmax(*highest_ret, extent.highest);
    }
    return num;
}

/* ---- The script ------------------------------------------------------------------------------ */

/* Between single quotes, where only the quote itself is special, and is doubled. There is no way to
 * write the end of a line. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('\'', file);
}

static void print_head(const struct bench *bench, FILE *file, int num_panels, bool has_output)
{
    const char *path = bench->options.plot;
    const int num_columns = num_panels < MAX_COLUMNS ? num_panels : MAX_COLUMNS;
    const int num_rows = (num_panels + num_columns - 1) / num_columns;
    char title[600];
    fputs("set terminal ", file);
    fprintf(file, formats[format_of(path)].terminal, PANEL_WIDTH * num_columns,
            PANEL_HEIGHT * num_rows + TITLE_HEIGHT);
    if (has_output) {
        fputs("\nset output ", file);
        print_quoted(file, path);
    }
    fputs("\nset border 3 lc rgb '#666666'\nset tics nomirror\nset grid y lc rgb '#dddddd' lt 1\n"
          "set logscale x 2\nset format x '2^{%L}'\nset xlabel 'keys'\n"
          "set key outside below Left reverse noenhanced samplen 1.5 maxrows 3\n"
          "set style fill transparent solid 0.18 noborder\n",
          file);
    snprintf(title, sizeof(title), "%s, clsort %s", bench->device.facts.name, clsort_version());
    fprintf(file, "set multiplot layout %d,%d title ", num_rows, num_columns);
    print_quoted(file, title);
    fputs(" noenhanced\n", file);
}

/* Keys, the rate, and the rates at both ends of the spread. */
static void print_data(const struct bench *bench, FILE *file, int panel, int sort,
                       enum bench_clock clock, double unit)
{
    fprintf(file, "$line%d << END\n", sort);
    for (int i = 0; i < bench->options.num_counts; i++) {
        const struct bench_row *row = row_of(bench, panel, i, sort);
        const double spread = fmin(row->times[clock].spread, 0.5);
        const double rate = bench_rate(row, clock) / unit;
        if (row->num_runs > 0)
            fprintf(file, "%" PRIu64 " %.6g %.6g %.6g\n", row->count, rate, rate / (1 + spread),
                    rate / (1 - spread));
    }
    fputs("END\n", file);
}

static void print_line(const struct bench *bench, FILE *file, int sort, const char *separator)
{
    const struct bench_row *row = &bench->rows[sort];
    const bool has_algorithm = *row->algorithm && bench->options.num_algorithms > 1;
    const char *colour = colours[sort % NUM_COLOURS];
    char name[BENCH_CELL];
    snprintf(name, sizeof(name), "%s%s%s", row->sort, has_algorithm ? " " : "",
             has_algorithm ? row->algorithm : "");
    fprintf(file,
            "%s $line%d using 1:3:4 with filledcurves lc rgb '%s' notitle, \\\n"
            "     $line%d using 1:2 with linespoints lc rgb '%s' lw 2 pt %d ps 0.6 title ",
            separator, sort, colour, sort, colour, 5 + 2 * (sort % 5));
    print_quoted(file, name);
}

static void print_panel(const struct bench *bench, FILE *file, int panel, double unit)
{
    const struct extent extent = extent_of(bench, panel, 0, bench->num_sorts);
    const struct bench_row *row = row_of(bench, panel, 0, 0);
    const char *separator = "plot";
    char type[BENCH_TYPE_TEXT], shape[BENCH_SHAPE_TEXT];
    bench_shape_text(&row->shape, shape);
    fprintf(file, "set ylabel '%skeys/s'\nset xrange [%.17g:%.17g]\nset yrange [0:%.6g]\n",
            unit == 1e9 ? "G" : "M", 0.8 * extent.first, 1.25 * extent.last,
            1.15 * extent.highest / unit);
    fprintf(file, "set title '%s, %s%s%s, by %s time' noenhanced\n",
            bench_type_text(row->type, type), bench_distribution_names[row->distribution],
            *shape ? ", " : "", shape, extent.clock == BENCH_DEVICE ? "device" : "host");
    for (int i = 0; i < bench->num_sorts; i++)
        print_data(bench, file, panel, i, extent.clock, unit);
    for (int i = 0; i < bench->num_sorts; i++) {
        if (!extent_of(bench, panel, i, i + 1).has_rows)
            continue;
        print_line(bench, file, i, separator);
        separator = ", \\\n    ";
    }
    fputc('\n', file);
}

static void print_script(const struct bench *bench, FILE *file, bool has_output)
{
    double highest;
    const int num_panels = num_panels_of(bench, &highest);
    print_head(bench, file, num_panels, has_output);
    for (int i = 0; i < num_all(bench); i++) {
        if (extent_of(bench, i, 0, bench->num_sorts).has_rows)
            print_panel(bench, file, i, highest >= 2e9 ? 1e9 : 1e6);
    }
    fputs("unset multiplot\n", file);
}

/* ---- The files ------------------------------------------------------------------------------- */

/* Runs gnuplot between two files and waits for it; false without a message when it fails. */
static bool run_gnuplot(const char *argument, FILE *from, FILE *to)
{
    char *const arguments[] = {"gnuplot", (char *)(uintptr_t)argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(from), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(to), STDOUT_FILENO);
    posix_spawnattr_t attributes; /* no signal is blocked there, as some are here (signals.h) */
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    pid_t child;
    const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 && call_wait(child) == 0;
}

static bool has_gnuplot(void)
{
    FILE *nothing = fopen("/dev/null", "r+");
    const bool has = nothing && run_gnuplot("--version", nothing, nothing);
    if (nothing)
        fclose(nothing);
    return has;
}

/* All that a file holds becomes the file of that name. */
static bool copy_to(const char *path, FILE *from)
{
    struct bytes text = {0};
    fseek(from, 0, SEEK_END);
    text.size = (size_t)ftell(from);
    rewind(from);
    const bool ok = bytes_reserve(&text, text.size + 1) &&
                    fread(text.data, 1, text.size, from) == text.size &&
                    output_write_file(path, text.data, text.size);
    bytes_free(&text);
    return ok;
}

bool bench_script_path(const char *plot, char path[BENCH_PATH])
{
    const bool fits = snprintf(path, BENCH_PATH, "%s.gnuplot", plot) < BENCH_PATH;
    if (!fits)
        message("--plot: the name is too long");
    return fits;
}

static bool write_script(const struct bench *bench, FILE *script)
{
    char path[BENCH_PATH];
    if (!bench_script_path(bench->options.plot, path))
        return false;
    print_script(bench, script, true);
    if (fflush(script) != 0 || !copy_to(path, script))
        return false;
    message("gnuplot cannot be run, so %s, with the data, was written: 'gnuplot %s' draws %s; on "
            "Debian it is the package gnuplot-nox",
            path, path, bench->options.plot);
    return true;
}

static bool draw(const struct bench *bench, FILE *script, FILE *picture)
{
    print_script(bench, script, false);
    if (fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0 && run_gnuplot("-", script, picture))
        return copy_to(bench->options.plot, picture);
    message("gnuplot could not draw %s", bench->options.plot);
    return false;
}

/* One without a name; NULL after a message. */
static FILE *open_temp(void)
{
    const int fd = temp_open_nameless(temp_dir());
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file)
        message("cannot create a temporary file in %s: %s", temp_dir(), strerror(errno));
    if (!file && fd >= 0)
        close(fd);
    return file;
}

bool bench_write_plot(const struct bench *bench)
{
    double unused;
    if (num_panels_of(bench, &unused) == 0) {
        message("nothing was measured, so there is nothing to plot");
        return false;
    }
    FILE *script = open_temp();
    FILE *picture = script ? open_temp() : NULL;
    bool ok = script && picture;
    if (ok)
        ok = has_gnuplot() ? draw(bench, script, picture) : write_script(bench, script);
    if (script)
        fclose(script);
    if (picture)
        fclose(picture);
    return ok;
}
