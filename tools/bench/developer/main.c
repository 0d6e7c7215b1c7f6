/* main.c: clsort-bench: 'clsort bench' and what only developers of the library use. */
#include "bench/developer/developer.h"
#include "cli/command.h"

static const struct bench_extra extra = {
    .help =
        "\n"
        "For developers:\n"
        "      --opponent FILE    sorts of a shared object (tools/bench/opponents/opponent.h)\n"
        "      --against BUILD    another build of clsort: its folder or its libclsort.so\n"
        "      --sweep[=FACTOR]   many combinations, in short runs, and only the rows that take\n"
        "                         more than FACTOR (default 1.5) times what others suggest:\n"
        "                         7 rounds and 0.25 s a row unless more is asked for\n"
        "      --enqueue          a table of what clsort_enqueue() takes the calling thread,\n"
        "                         microseconds: median and 99th percentile (of 200 rounds if\n"
        "                         --repeat says nothing else)",
    .load_build = bench_load_build,
    .print_sweep_head = bench_print_sweep_head,
    .print_outliers = bench_print_outliers};

static int run(int argc, char **argv)
{
    return bench_command(argc, argv, &extra);
}

int main(int argc, char **argv)
{
    return start(argc, argv, run);
}
