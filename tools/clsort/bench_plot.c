/* bench_plot.c: the rates over the number of keys, drawn by gnuplot, a line for each algorithm, type
 * and distribution. gnuplot writes its SVG to a pipe, so that the file appears whole. */
#include "bench.h"

#include "calls.h"
#include "message.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

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
    if (error != 0)
        return false;
    return call_wait(child) == 0;
}

bool bench_plot_is_possible(void)
{
    FILE *nothing = fopen("/dev/null", "r+");
    const bool ok = nothing && run_gnuplot("--version", nothing, nothing);
    if (nothing)
        fclose(nothing);
    if (!ok)
        message("--plot needs gnuplot, which cannot be run; install it (Debian: gnuplot-nox) or "
                "leave --plot out");
    return ok;
}

static bool is_same_line(const struct bench_row *a, const struct bench_row *b)
{
    return a->type.key == b->type.key && a->type.value_size == b->type.value_size &&
           a->distribution == b->distribution && a->method == b->method;
}

/* Whether a row is the first measured one of its line. */
static bool begins_line(const struct bench *bench, int i)
{
    const struct bench_row *rows = bench->rows;
    for (int before = 0; before < i; before++) {
        if (rows[before].host_median > 0 && is_same_line(&rows[before], &rows[i]))
            return false;
    }
    return rows[i].host_median > 0;
}

static void print_script(const struct bench *bench, FILE *file)
{
    const struct bench_row *rows = bench->rows;
    fputs("set terminal svg size 900,540 noenhanced background 'white'\n"
          "set logscale x 2\nset logscale y 10\nset format x '2^%L'\nset key outside right\n"
          "set grid\nset xlabel 'keys'\nset ylabel 'Mkeys/s'\n",
          file);
    /* In gnuplot's single quotes only the quote itself is special. */
    fputs("set title '", file);
    for (const char *c = bench->device.facts.name; *c; c++)
        fputc(*c == '\'' || *c == '\n' ? ' ' : *c, file);
    fprintf(file, ", clsort %s'\n", clsort_version());

    for (int i = 0; i < bench->num_rows; i++) {
        if (!begins_line(bench, i))
            continue;
        fprintf(file, "$line%d << END\n", i);
        for (int j = i; j < bench->num_rows; j++) {
            if (rows[j].host_median > 0 && is_same_line(&rows[i], &rows[j]))
                fprintf(file, "%" PRIu64 " %.6g\n", rows[j].count,
                        1e-6 * (double)rows[j].count / rows[j].host_median);
        }
        fputs("END\n", file);
    }
    const char *separator = "plot";
    for (int i = 0; i < bench->num_rows; i++) {
        if (!begins_line(bench, i))
            continue;
        char type[BENCH_TYPE_TEXT];
        fprintf(file, "%s $line%d with linespoints title '%s %s %s'", separator, i, rows[i].method,
                bench_type_text(rows[i].type, type), distribution_names[rows[i].distribution]);
        separator = ",";
    }
    fputc('\n', file);
}

static bool write_svg(const struct bench *bench, FILE *script, FILE *svg)
{
    print_script(bench, script);
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || !run_gnuplot("-", script, svg)) {
        message("gnuplot could not draw %s", bench->options.plot);
        return false;
    }
    struct bytes text = {0};
    fseek(svg, 0, SEEK_END);
    text.size = (size_t)ftell(svg);
    rewind(svg);
    const bool ok = bytes_reserve(&text, text.size) &&
                    fread(text.data, 1, text.size, svg) == text.size &&
                    output_write_file(bench->options.plot, text.data, text.size);
    bytes_free(&text);
    return ok;
}

bool bench_write_plot(const struct bench *bench)
{
    int num_measured = 0;
    for (int i = 0; i < bench->num_rows; i++)
        num_measured += bench->rows[i].host_median > 0;
    if (num_measured == 0) {
        message("nothing was measured, so there is nothing to plot");
        return false;
    }
    FILE *script = tmpfile();
    FILE *svg = tmpfile();
    const bool has_files = script && svg;
    if (!has_files)
        message("cannot create a temporary file: %s", strerror(errno));
    const bool ok = has_files && write_svg(bench, script, svg);
    if (script)
        fclose(script);
    if (svg)
        fclose(svg);
    return ok;
}
