/* bench_plot.c: the rates over the number of keys, drawn by gnuplot: a panel for each type and
 * distribution, a line for each sort with a band as wide as its spread. gnuplot writes to a
 * pipe, so that the file appears whole. Where there is no gnuplot, the script, which holds the
 * data, is written. */
#include "bench.h"

#include "calls.h"
#include "message.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* In pixels. */
enum { PANEL_WIDTH = 480, PANEL_HEIGHT = 340, TITLE_HEIGHT = 40, MAX_COLUMNS = 2 };

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

struct plot {
    const struct bench *bench;
    FILE *file;
    int num_panels;
    bool has_algorithms; /* more than one, so that lines are named after them */
    double unit;         /* keys a second of 1 on the axis */
};

static bool is_same_panel(const struct bench_row *a, const struct bench_row *b)
{
    return a->type.key == b->type.key && a->type.value_size == b->type.value_size &&
           a->type.form == b->type.form && a->distribution == b->distribution;
}

static bool is_same_line(const struct bench_row *a, const struct bench_row *b)
{
    return is_same_panel(a, b) && strcmp(a->sort, b->sort) == 0 &&
           strcmp(a->algorithm, b->algorithm) == 0;
}

/* Whether a row is the first measured one of its panel, or of its line. */
static bool is_first(const struct bench *bench, int i,
                     bool is_same(const struct bench_row *, const struct bench_row *))
{
    for (int before = 0; before < i; before++) {
        if (bench->rows[before].num_runs > 0 && is_same(&bench->rows[before], &bench->rows[i]))
            return false;
    }
    return bench->rows[i].num_runs > 0;
}

/* By the device's clock where all of a panel have it. */
static enum bench_clock clock_of(const struct bench *bench, const struct bench_row *panel)
{
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (row->num_runs > 0 && is_same_panel(row, panel) && row->times[BENCH_DEVICE].median == 0)
            return BENCH_HOST;
    }
    return BENCH_DEVICE;
}

static struct plot measure(const struct bench *bench, FILE *file)
{
    struct plot plot = {.bench = bench,
                        .file = file,
                        .has_algorithms = bench->options.num_algorithms > 1};
    double largest = 0;
    for (int i = 0; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        plot.num_panels += is_first(bench, i, is_same_panel);
        if (row->num_runs > 0 && largest < bench_rate(row, BENCH_HOST))
            largest = bench_rate(row, BENCH_HOST);
    }
    plot.unit = largest >= 2e9 ? 1e9 : 1e6;
    return plot;
}

/* ---- The script ------------------------------------------------------------------------------ */

/* Between single quotes, where only the quote itself is special. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++)
        fputc(*text == '\'' || *text == '\n' ? ' ' : *text, file);
    fputc('\'', file);
}

static void print_head(const struct plot *plot, const char *path, bool has_output)
{
    FILE *file = plot->file;
    const int num_columns = plot->num_panels < MAX_COLUMNS ? plot->num_panels : MAX_COLUMNS;
    const int num_rows = (plot->num_panels + num_columns - 1) / num_columns;
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
          "set key top left Left reverse noenhanced samplen 1.5 spacing 1.1\n"
          "set style fill transparent solid 0.18 noborder\n",
          file);
    fprintf(file, "set ylabel '%skeys/s'\n", plot->unit == 1e9 ? "G" : "M");
    snprintf(title, sizeof(title), "%s, clsort %s", plot->bench->device.facts.name,
             clsort_version());
    fprintf(file, "set multiplot layout %d,%d title ", num_rows, num_columns);
    print_quoted(file, title);
    fputs(" noenhanced\n", file);
}

/* Keys, the rate, and the rates at both ends of the spread. */
static void print_data(const struct plot *plot, int first, enum bench_clock clock)
{
    const struct bench *bench = plot->bench;
    fprintf(plot->file, "$line%d << END\n", first);
    for (int i = first; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        const struct bench_summary *time = &row->times[clock];
        if (row->num_runs == 0 || !is_same_line(&bench->rows[first], row))
            continue;
        const double rate = bench_rate(row, clock) / plot->unit;
        fprintf(plot->file, "%" PRIu64 " %.6g %.6g %.6g\n", row->count, rate,
                rate / (1 + time->spread), rate / (time->spread < 0.5 ? 1 - time->spread : 0.5));
    }
    fputs("END\n", plot->file);
}

static void print_line(const struct plot *plot, int first, int number)
{
    const struct bench_row *row = &plot->bench->rows[first];
    const char *colour = colours[number % NUM_COLOURS];
    char name[BENCH_CELL];
    snprintf(name, sizeof(name), "%s%s%s", row->sort,
             *row->algorithm && plot->has_algorithms ? " " : "",
             plot->has_algorithms ? row->algorithm : "");
    fprintf(plot->file,
            "%s $line%d using 1:3:4 with filledcurves lc rgb '%s' notitle, \\\n"
            "     $line%d using 1:2 with linespoints lc rgb '%s' lw 2 pt %d ps 0.6 title ",
            number == 0 ? "plot" : ", \\\n    ", first, colour, first, colour,
            5 + 2 * (number % 5));
    print_quoted(plot->file, name);
}

static void print_panel(const struct plot *plot, int first)
{
    const struct bench *bench = plot->bench;
    const struct bench_row *panel = &bench->rows[first];
    const enum bench_clock clock = clock_of(bench, panel);
    uint64_t smallest = panel->count, largest = panel->count;
    double highest = 0;
    char type[BENCH_TYPE_TEXT];
    int number = 0;
    for (int i = first; i < bench->num_rows; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (!is_same_panel(panel, row) || row->num_runs == 0)
            continue;
        smallest = row->count < smallest ? row->count : smallest;
        largest = row->count > largest ? row->count : largest;
        highest = fmax(highest, bench_rate(row, clock) / plot->unit);
        if (is_first(bench, i, is_same_line))
            print_data(plot, i, clock);
    }
    fprintf(plot->file, "set xrange [%.17g:%.17g]\nset yrange [0:%.6g]\n", 0.8 * (double)smallest,
            1.25 * (double)largest, 1.15 * highest);
    fprintf(plot->file, "set title '%s, %s, by %s time' noenhanced\n",
            bench_type_text(panel->type, type), bench_distribution_names[panel->distribution],
            clock == BENCH_DEVICE ? "device" : "host");
    for (int i = first; i < bench->num_rows; i++) {
        if (is_same_panel(panel, &bench->rows[i]) && is_first(bench, i, is_same_line))
            print_line(plot, i, number++);
    }
    fputc('\n', plot->file);
}

static void print_script(const struct bench *bench, FILE *file, bool has_output)
{
    const struct plot plot = measure(bench, file);
    print_head(&plot, bench->options.plot, has_output);
    for (int i = 0; i < bench->num_rows; i++) {
        if (is_first(bench, i, is_same_panel))
            print_panel(&plot, i);
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
    pid_t child;
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
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

static bool write_script(const struct bench *bench, FILE *script)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s.gnuplot", bench->options.plot);
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

bool bench_write_plot(const struct bench *bench)
{
    if (measure(bench, NULL).num_panels == 0) {
        message("nothing was measured, so there is nothing to plot");
        return false;
    }
    FILE *script = tmpfile();
    FILE *picture = tmpfile();
    bool ok = script && picture;
    if (!ok)
        message("cannot create a temporary file: %s", strerror(errno));
    else
        ok = has_gnuplot() ? draw(bench, script, picture) : write_script(bench, script);
    if (script)
        fclose(script);
    if (picture)
        fclose(picture);
    return ok;
}
