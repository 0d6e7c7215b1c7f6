/* load.c: the shared objects of the opponents, and of another build of the library, which is
 * measured in turns with this one. None is ever unloaded, since names and functions of theirs are
 * kept. */
#include "bench/bench.h"

#include "cli/message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
static bool is_wanted(struct bench *bench, const struct bench_opponent *opponent)
{
    const struct bench_options *options = &bench->options;
    bool is_wanted = false;
    for (int i = 0; i < options->num[LIST_CHOSEN]; i++) {
        if (strcmp(options->chosen[i], opponent->name) == 0)
            bench->is_found[i] = is_wanted = true;
    }
    for (int i = 0; i < options->num_shapes && options->num[LIST_CHOSEN] == 0; i++)
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
        if (!is_wanted(bench, *opponents))
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

/* ---- Another build --------------------------------------------------------------------------- */

/* The library of a build's or an installation's folder, or a library itself. */
static bool find_library(const char *against, char path[MAX_PATH])
{
    static const char *const places[] = {"", "/libclsort.so", "/lib/libclsort.so",
                                         "/lib64/libclsort.so"};
    struct stat status;
    bool is_there = false;
    for (int i = 0; i < 4; i++) {
        snprintf(path, MAX_PATH, "%s%s%s", strchr(against, '/') ? "" : "./", against, places[i]);
        const bool has_place = stat(path, &status) == 0;
        if (has_place && !S_ISDIR(status.st_mode))
            return true;
        is_there = is_there || has_place;
    }
    message(is_there ? "--against: there is no libclsort.so in %s, nor in its lib"
                     : "--against: there is no %s",
            against);
    return false;
}

static bool is_same(const char *own, const char *old)
{
    return own && old && strcmp(own, old) == 0;
}

/* The same sizes, and the same names for the same numbers: then both builds mean the same by a
 * description. */
static bool is_alike(const struct bench_build *own, const struct bench_build *old)
{
    static const char *const structs[] = {"clsort_desc", "clsort_buffers", "clsort_buffer",
                                          "clsort_plan", "clsort_step",    "clsort_record",
                                          "clsort_field"};
    bool is_alike = true;
    for (clsort_type i = 0; i < CLSORT_NUM_TYPES; i++)
        is_alike = is_alike && is_same(own->type_name(i), old->type_name(i));
    for (clsort_algorithm i = 0; i < CLSORT_NUM_ALGORITHMS; i++)
        is_alike = is_alike && is_same(own->algorithm_name(i), old->algorithm_name(i));
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++)
        is_alike = is_alike && own->struct_size(structs[i]) == old->struct_size(structs[i]);
    return is_alike;
}

static bool take_functions(struct bench_build *build, void *module)
{
    bool has_all = true;
#define TAKE(name)                                           \
    *(void **)&build->name = dlsym(module, "clsort_" #name); \
    has_all = has_all && build->name;
    BENCH_BUILD_FUNCTIONS(TAKE)
#undef TAKE
    return has_all;
}

/* Its own functions go before this program's where it calls itself. AddressSanitizer refuses
 * that flag. */
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__)
enum { LOAD_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND };
#else
enum { LOAD_FLAGS = RTLD_NOW | RTLD_LOCAL };
#endif

static bool load_build(struct bench *bench)
{
    const char *against = bench->options.against;
    struct bench_build *old = &bench->old;
    char path[MAX_PATH];
    if (!find_library(against, path))
        return false;
    void *module = dlopen(path, LOAD_FLAGS);
    if (!module) {
        message("--against: cannot load %s: %s", against, dlerror());
        return false;
    }
    const char *fault = NULL;
    if (!take_functions(old, module))
        fault = "is no clsort, or one from before clsort_struct_size()";
    else if (old->create == bench->own.create)
        fault = "is the library that this program runs with";
    else if (!is_alike(&bench->own, old))
        fault = "has another interface; build this tool's sources with it";
    if (fault) {
        message("--against: %s %s", path, fault);
        return false;
    }
    old->name = "old";
    const clsort_status status = old->create(bench->device.context, bench->device.id, &old->sorter);
    if (status)
        message("--against: %s: %s", path, old->status_text(status));
    return !status;
}

bool bench_load_sorts(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    char path[MAX_PATH];
    if (options->against && !load_build(bench))
        return false;
    bench_add_libraries(bench);
    if (options->has_host && (!find_host_module(path) || !add_opponents(bench, path)))
        return false;
    for (int i = 0; i < options->num_files; i++) {
        if (!add_opponents(bench, options->files[i]))
            return false;
    }
    for (int i = 0; i < options->num[LIST_CHOSEN]; i++) {
        if (!bench->is_found[i]) {
            message("--vs: none of the opponents that were loaded is called '%s'",
                    options->chosen[i]);
            return false;
        }
    }
    return true;
}
