/* against.c: another build of the library, which is measured in turns with this one. It is never
 * unloaded, since names and functions of it are kept. */
#include "bench/bench.h"

#include "cli/message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH = 4096 };

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

/* The same sizes, and the same names for the same numbers: then both builds mean the same by a
 * description. */
static bool is_alike(const struct bench_build *own, const struct bench_build *old)
{
    for (int i = 0; i < CLSORT_NUM_TYPES; i++) {
        const char *name = old->type_name((clsort_type)i);
        if (!name || strcmp(name, own->type_name((clsort_type)i)) != 0)
            return false;
    }
    for (int i = 0; i < CLSORT_NUM_ALGORITHMS; i++) {
        const char *name = old->algorithm_name((clsort_algorithm)i);
        if (!name || strcmp(name, own->algorithm_name((clsort_algorithm)i)) != 0)
            return false;
    }
    static const char *const structs[] = {"clsort_desc", "clsort_buffers", "clsort_buffer",
                                          "clsort_plan", "clsort_step",    "clsort_record",
                                          "clsort_field"};
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
        if (old->struct_size(structs[i]) != own->struct_size(structs[i]))
            return false;
    }
    return true;
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

bool bench_load_build(struct bench *bench)
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
    if (!take_functions(old, module)) {
        message("--against: %s is no clsort, or one from before clsort_struct_size()", path);
        return false;
    }
    if (old->create == bench->own.create) {
        message("--against: %s is the library that this program runs with", path);
        return false;
    }
    if (!is_alike(&bench->own, old)) {
        message("--against: %s has another interface; build this tool's sources with it", path);
        return false;
    }
    old->name = "old";
    const clsort_status status = old->create(bench->device.context, bench->device.id, &old->sorter);
    if (status)
        message("--against: %s: %s", path, old->status_text(status));
    return !status;
}
