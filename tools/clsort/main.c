/* main.c: the table of subcommands. */
#include "command.h"
#include "message.h"
#include "output.h"

#include <clsort/clsort.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"sort", command_sort, "sort a file of numbers, or lines"},
    {"check", command_check, "tell whether a file of numbers, or lines, is sorted"},
    {"devices", command_devices, "list the OpenCL devices"},
    {"plan", command_plan, "show what a sort would do, step by step"},
    {"bench", command_bench, "measure sorts"},
    {"tune", command_tune, "measure which tile sizes and limits a device is fastest with"},
};
enum { NUM_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int print_help(void)
{
    puts("Usage: clsort COMMAND [OPTION]... [FILE]\n"
         "\n"
         "Sorts arrays of numbers on any OpenCL device.\n");
    for (int i = 0; i < NUM_COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].about);
    puts("\n"
         "  -h, --help     this text; 'clsort COMMAND --help' has the options of a command\n"
         "  -V, --version  the version\n"
         "\n"
         "The environment variable CLSORT_DEVICE chooses a device where -D does not: an index\n"
         "of 'clsort devices', or a part of the device's or its platform's name. CLSORT_TUNING\n"
         "names a file of 'clsort tune', whose numbers are taken instead of those compiled in.\n"
         "\n"
         "Exit status: 0 done, 1 'check' found disorder, 2 trouble.");
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return print_help();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("clsort %s\n", clsort_version());
        return EXIT_DONE;
    }
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    if (*name == '\0')
        message("no command; try 'clsort --help'");
    else
        message("unknown command '%s'; try 'clsort --help'", name);
    return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
    /* A closed pipe is then an error of write(), which has a message and a status of its own. */
    signal(SIGPIPE, SIG_IGN);
    output_open_streams();

    int status = run(argc, argv);
    if (!output_close_stdout())
        status = EXIT_TROUBLE;
    return status;
}
