/* main.c: clsort-bench: 'clsort bench' and what only developers of the library use. */
#include "bench/bench.h"
#include "cli/command.h"

static int run(int argc, char **argv)
{
    return bench_command(argc, argv, true);
}

int main(int argc, char **argv)
{
    return start(argc, argv, run);
}
