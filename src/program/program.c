/* program.c: variant -> program -> kernel. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL_COLUMNS(enumerator, file, function) {file, #function},
static const struct {
    const char *file;
    const char *function;
} kernels[] = {KERNEL_LIST(KERNEL_COLUMNS)};
#undef KERNEL_COLUMNS

const char *kernel_name(enum kernel_id id)
{
    return kernels[id].function;
}

uint32_t program_text(struct program_cache *cache, const char *text)
{
    for (uint32_t i = 0; i < cache->num_texts; ++i) {
        if (strcmp(cache->texts[i], text) == 0)
            return i + 1;
    }
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    char **grown = copy ? realloc(cache->texts, (cache->num_texts + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        return 0;
    }
    cache->texts = grown;
    cache->texts[cache->num_texts++] = memcpy(copy, text, size);
    return cache->num_texts;
}

/* The index of a file's program in this form; num_programs if it is not there. */
static size_t find_program(const struct program_cache *cache, const char *file,
                           const struct variant *variant)
{
    size_t i = 0;
    while (i < cache->num_programs &&
           (strcmp(cache->programs[i].file, file) != 0 ||
            memcmp(&cache->programs[i].variant, variant, sizeof *variant) != 0))
        ++i;
    return i;
}

clsort_status program_prepare(struct program_cache *cache, const struct kernel_wanted *wanted,
                              size_t num, uint32_t num_threads)
{
    const size_t first = cache->num_programs;
    struct program_entry *grown = realloc(cache->programs, (first + num) * sizeof *grown);
    if (!grown)
        return error_set(cache->error, CLSORT_ERROR_HOST_MEMORY);
    cache->programs = grown;
    for (size_t i = 0; i < num; ++i) {
        const char *file = kernels[wanted[i].id].file;
        if (find_program(cache, file, wanted[i].variant) == cache->num_programs)
            grown[cache->num_programs++] =
                (struct program_entry){.file = file, .variant = *wanted[i].variant};
    }
    const clsort_status status =
        program_build(cache, grown + first, cache->num_programs - first, num_threads);
    size_t num_built = first;
    for (size_t i = first; i < cache->num_programs; ++i)
        if (grown[i].program)
            grown[num_built++] = grown[i];
    cache->num_programs = num_built;
    return status;
}

const struct kernel_entry *program_find(const struct program_cache *cache, enum kernel_id id,
                                        const struct variant *variant)
{
    for (size_t i = 0; i < cache->num_entries; ++i) {
        const struct kernel_entry *entry = &cache->entries[i];
        if (entry->id == id && memcmp(&entry->variant, variant, sizeof *variant) == 0)
            return entry;
    }
    return NULL;
}

static clsort_status make_kernel(const struct program_cache *cache, enum kernel_id id,
                                 const struct variant *variant, struct kernel_entry *entry)
{
    cl_int code = CL_SUCCESS;
    const size_t program = find_program(cache, kernels[id].file, variant);
    cl_kernel kernel =
        clCreateKernel(cache->programs[program].program, kernels[id].function, &code);
    if (!kernel)
        return error_opencl(cache->error, "clCreateKernel", code);
    *entry = (struct kernel_entry){.id = id, .variant = *variant, .kernel = kernel};
    code = clGetKernelWorkGroupInfo(kernel, cache->device, CL_KERNEL_WORK_GROUP_SIZE,
                                    sizeof entry->max_group_size, &entry->max_group_size, NULL);
    if (!code)
        return CLSORT_OK;
    clReleaseKernel(kernel);
    return error_opencl(cache->error, "clGetKernelWorkGroupInfo", code);
}

clsort_status program_kernel(struct program_cache *cache, enum kernel_id id,
                             const struct variant *variant, const struct kernel_entry **entry_ret)
{
    *entry_ret = program_find(cache, id, variant);
    if (*entry_ret)
        return CLSORT_OK;
    const struct kernel_wanted wanted = {id, variant};
    clsort_status status = program_prepare(cache, &wanted, 1, 1);
    if (status)
        return status;
    struct kernel_entry *grown = realloc(cache->entries, (cache->num_entries + 1) * sizeof *grown);
    if (!grown)
        return error_set(cache->error, CLSORT_ERROR_HOST_MEMORY);
    cache->entries = grown;
    struct kernel_entry *entry = &grown[cache->num_entries];
    status = make_kernel(cache, id, variant, entry);
    if (status)
        return status;
    cache->num_entries += 1;
    *entry_ret = entry;
    return CLSORT_OK;
}

void program_finish(struct program_cache *cache)
{
    free(cache->saved.bytes);
    for (size_t i = 0; i < cache->num_entries; ++i)
        clReleaseKernel(cache->entries[i].kernel);
    for (size_t i = 0; i < cache->num_programs; ++i)
        clReleaseProgram(cache->programs[i].program);
    free(cache->entries);
    free(cache->programs);
    for (uint32_t i = 0; i < cache->num_texts; ++i)
        free(cache->texts[i]);
    free(cache->texts);
    *cache = (struct program_cache){0};
}
