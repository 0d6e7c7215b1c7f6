/* main.c: the table of subcommands. */
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/message.h"
#include "cli/nearest.h"

#include <clsort/clsort.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"sort", command_sort, "sort lines of text, or a file of numbers"},
    {"check", command_check, "tell whether lines, or numbers, are sorted"},
    {"merge", command_merge, "merge sorted files of raw numbers"},
    {"top", command_top, "write the first numbers of a file, or the median"},
    {"devices", command_devices, "list the OpenCL devices"},
    {"plan", command_plan, "show what a sort would do, step by step"},
    {"bench", command_bench, "measure sorts"},
    {"tune", command_tune, "measure which tile sizes and limits a device is fastest with"},
};
enum { NUM_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* What can stand in a command's place. */
static const char *const words[] = {"help", "--help", "--version"};
enum { NUM_WORDS = sizeof(words) / sizeof(words[0]) };

static int print_help(void)
{
    puts("Usage: clsort COMMAND [OPTION]... [FILE]\n"
         "\n"
         "Sorts lines of text as sort(1) does, and numbers, on any OpenCL device.\n"
         "Lines or numbers? Lines: clsort sort FILE. Raw numbers: clsort sort -y TYPE FILE.\n");
    for (int i = 0; i < NUM_COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].about);
    puts("\n"
         "  -h, --help     this text; 'clsort help COMMAND' has the options of a command\n"
         "  -V, --version  the version\n"
         "\n"
         "The environment variable CLSORT_DEVICE chooses a device where -D does not: an index\n"
         "of 'clsort devices', or a part of the device's or its platform's name. CLSORT_TUNING\n"
         "names a file of 'clsort tune', whose numbers are taken instead of those compiled in.\n"
         "\n"
         "Exit status: 0 done, 1 'check' or 'sort -c' found disorder, 2 trouble.");
    return EXIT_DONE;
}

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int refuse_command(const char *name)
{
    struct nearest nearest = {.word = name, .length = strlen(name)};
    char hint[NEAREST_TEXT];
    for (int i = 0; i < NUM_COMMANDS; i++)
        nearest_offer(&nearest, commands[i].name);
    for (int i = 0; i < NUM_WORDS; i++)
        nearest_offer(&nearest, words[i]);
    message("unknown command '%s'%s", name, nearest_hint(&nearest, "", "", hint));
    return EXIT_TROUBLE;
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* 'clsort help' or --help with the words behind it. */
static int help(int argc, char **argv)
{
    const struct command *command = argc > 0 ? find_command(argv[0]) : NULL;
    if (argc == 0 || (argc == 1 && is_help(argv[0])))
        return print_help();
    if (argc > 1)
        message("'clsort help' takes one command; '%s' is one too many", argv[1]);
    else if (command)
        return command->run(2, (char *[]){argv[0], (char[]){"--help"}, NULL});
    else
        return refuse_command(argv[0]);
    return EXIT_TROUBLE;
}

/* 'clsort --complete' with the words behind it: the last one is to be completed. */
static int complete(int argc, char **argv)
{
    const struct command *command = argc > 1 ? find_command(argv[0]) : NULL;
    const bool wants_help = argc == 2 && strcmp(argv[0], "help") == 0;
    complete_begin(argc, argv);
    if (command)
        return command->run(2, (char *[]){argv[0], (char[]){COMPLETE_OPTION}, NULL}), EXIT_DONE;
    for (int i = 0; i < NUM_COMMANDS && (argc < 2 || wants_help); i++)
        complete_offer(commands[i].name);
    for (int i = 0; i < NUM_WORDS && argc < 2; i++)
        complete_offer(words[i]);
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct command *command = find_command(name);
    if (command)
        return command->run(argc - 1, argv + 1);
    if (is_help(name))
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return print_version();
    if (strcmp(name, "--complete") == 0)
        return complete(argc - 2, argv + 2);
    if (*name != '\0')
        return refuse_command(name);
    message("no command; try 'clsort --help'");
    return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
    return start(argc, argv, run);
}
