/* load.c: the shared objects of the opponents. None is ever unloaded, since names and functions of
 * theirs are kept. */
#include "bench/bench.h"

#include "cli/message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

/* The host's sorts: beside the tool in a build, or where they are installed. */
static bool find_host_module(char path[MAX_PATH])
{
    static const char *const folders[] = {"", CLSORT_TOOL_MODULES "/"};
    char folder[MAX_PATH / 2];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(folder, '/');
    if (slash)
        slash[1] = '\0';
    for (int i = 0; i < 2; i++) {
        const bool is_absolute = folders[i][0] == '/';
        snprintf(path, MAX_PATH, "%s%sopponents_host.so", is_absolute ? "" : folder, folders[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    message("the host's sorts are not there: no %s, which is built with a C++ compiler", path);
    return false;
}

bool bench_does(const struct bench_opponent *opponent, enum bench_work work)
{
    return (opponent->works ? opponent->works : 1U << BENCH_SORT) >> work & 1;
}

/* Whether it is asked for by name, or, without names, does any of what is done. */
static bool is_wanted(const struct bench_options *options, const struct bench_opponent *opponent)
{
    bool is_wanted = false;
    for (int i = 0; i < options->num_chosen; i++)
        is_wanted = is_wanted || strcmp(options->chosen[i], opponent->name) == 0;
    for (int i = 0; i < options->num_shapes && options->num_chosen == 0; i++)
        is_wanted = is_wanted || bench_does(opponent, options->shapes[i].work);
    return is_wanted;
}

static bool add_opponents(struct bench *bench, const char *file)
{
    char path[MAX_PATH];
    snprintf(path, sizeof(path), "%s%s", strchr(file, '/') ? "" : "./", file);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        message("cannot load the opponent %s: %s", file, dlerror());
        return false;
    }
    struct bench_opponent *const *(*get)(unsigned) = NULL;
    *(void **)&get = dlsym(module, "bench_opponents");
    struct bench_opponent *const *opponents = get ? get(BENCH_OPPONENT_VERSION) : NULL;
    if (!opponents) {
        message(
            get ? "%s was built for another version of opponent.h; this is version %d"
                : "%s exports no bench_opponents() (opponent.h, version %d), so it is no opponent",
            file, (int)BENCH_OPPONENT_VERSION);
        return false;
    }
    for (; *opponents; opponents++) {
        if (!is_wanted(&bench->options, *opponents))
            continue;
        if (bench->num_sorts == MAX_SORTS || bench->num_missing == MAX_LIST) {
            message("%s has more opponents than there is room for", file);
            return false;
        }
        if ((*opponents)->missing)
            bench->missing[bench->num_missing++] = *opponents;
        else
            bench->sorts[bench->num_sorts++] = *opponents;
    }
    return true;
}

/* Every name of --vs is one of an opponent. */
static bool are_known(const struct bench *bench)
{
    for (int i = 0; i < bench->options.num_chosen; i++) {
        const char *name = bench->options.chosen[i];
        bool is_known = false;
        for (int j = bench->num_libraries; j < bench->num_sorts; j++)
            is_known = is_known || strcmp(bench->sorts[j]->name, name) == 0;
        for (int j = 0; j < bench->num_missing; j++)
            is_known = is_known || strcmp(bench->missing[j]->name, name) == 0;
        if (!is_known) {
            message("--vs: none of the opponents that were loaded is called '%s'", name);
            return false;
        }
    }
    return true;
}

bool bench_load_sorts(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    char path[MAX_PATH];
    if (options->against && !bench_load_build(bench))
        return false;
    bench_add_libraries(bench);
    if (options->has_host && (!find_host_module(path) || !add_opponents(bench, path)))
        return false;
    for (int i = 0; i < options->num_files; i++) {
        if (!add_opponents(bench, options->files[i]))
            return false;
    }
    return are_known(bench);
}
