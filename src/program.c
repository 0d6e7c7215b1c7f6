/* program.c: variant -> source and options -> program -> kernel. */
#include "program.h"

#include "build_log.h"
#include "source.h"

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

/* The build log of a program; NULL if there is none or no memory. */
static char *read_build_log(cl_program program, cl_device_id device, const char *source)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size == 0)
        return NULL;
    char *log = calloc(size + 1, 1);
    if (log)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return build_log_by_marks(log, source);
}

uint32_t program_text(struct program_cache *cache, char *text)
{
    if (!text)
        return 0;
    for (uint32_t i = 0; i < cache->num_texts; ++i) {
        if (strcmp(cache->texts[i], text) == 0) {
            free(text);
            return i + 1;
        }
    }
    char **grown = realloc(cache->texts, (cache->num_texts + 1) * sizeof *grown);
    if (!grown) {
        free(text);
        return 0;
    }
    cache->texts = grown;
    cache->texts[cache->num_texts++] = text;
    return cache->num_texts;
}

/* A retained program of this file and variant that another kernel has built; or NULL. */
static cl_program find_program(const struct program_cache *cache, enum kernel_id id,
                               const struct variant *variant)
{
    cl_program program = NULL;
    for (size_t i = 0; i < cache->num_entries; ++i) {
        const struct kernel_entry *entry = &cache->entries[i];
        if (strcmp(kernels[entry->id].file, kernels[id].file) == 0 &&
            memcmp(&entry->variant, variant, sizeof *variant) == 0 &&
            !clGetKernelInfo(entry->kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL))
            return clRetainProgram(program) ? NULL : program;
    }
    return NULL;
}

static clsort_status build_program(const struct program_cache *cache, cl_context context,
                                   cl_device_id device, enum kernel_id id,
                                   const struct variant *variant, struct error *error,
                                   cl_program *program_ret)
{
    char *source =
        source_join(kernels[id].file,
                    variant->record_text ? cache->texts[variant->record_text - 1] : NULL);
    if (!source)
        return error_set(error, CLSORT_ERROR_HOST_MEMORY);
    char options[VARIANT_OPTIONS_CAPACITY];
    variant_options(variant, options);

    const char *text = source;
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (!program) {
        free(source);
        return error_opencl(error, "clCreateProgramWithSource", code);
    }
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    *program_ret = program;
    clsort_status status = CLSORT_OK;
    if (code == CL_OUT_OF_HOST_MEMORY)
        status = error_opencl(error, "clBuildProgram", code);
    else if (code)
        status = error_build(error, code, read_build_log(program, device, source));
    free(source);
    if (status)
        clReleaseProgram(program);
    return status;
}

static clsort_status build(const struct program_cache *cache, cl_context context,
                           cl_device_id device, enum kernel_id id, const struct variant *variant,
                           struct error *error, struct kernel_entry *entry)
{
    cl_program program = find_program(cache, id, variant);
    clsort_status status = CLSORT_OK;
    cl_int code = CL_SUCCESS;
    if (!program)
        status = build_program(cache, context, device, id, variant, error, &program);
    if (status)
        return status;
    cl_kernel kernel = clCreateKernel(program, kernels[id].function, &code);
    if (!kernel) {
        status = error_opencl(error, "clCreateKernel", code);
        goto release;
    }
    *entry = (struct kernel_entry){.id = id, .variant = *variant, .kernel = kernel};
    code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                    sizeof entry->max_group_size, &entry->max_group_size, NULL);
    if (code) {
        clReleaseKernel(kernel);
        status = error_opencl(error, "clGetKernelWorkGroupInfo", code);
    }
release:
    clReleaseProgram(program); /* the kernel keeps it alive */
    return status;
}

clsort_status program_kernel(struct program_cache *cache, cl_context context, cl_device_id device,
                             enum kernel_id id, const struct variant *variant, struct error *error,
                             const struct kernel_entry **entry_ret)
{
    for (size_t i = 0; i < cache->num_entries; ++i) {
        struct kernel_entry *entry = &cache->entries[i];
        if (entry->id == id && memcmp(&entry->variant, variant, sizeof *variant) == 0) {
            *entry_ret = entry;
            return CLSORT_OK;
        }
    }
    if (cache->num_entries == cache->capacity) {
        const size_t capacity = cache->capacity ? 2 * cache->capacity : 16;
        struct kernel_entry *grown = realloc(cache->entries, capacity * sizeof *grown);
        if (!grown)
            return error_set(error, CLSORT_ERROR_HOST_MEMORY);
        cache->entries = grown;
        cache->capacity = capacity;
    }
    struct kernel_entry *entry = &cache->entries[cache->num_entries];
    const clsort_status status = build(cache, context, device, id, variant, error, entry);
    if (status)
        return status;
    cache->num_entries += 1;
    *entry_ret = entry;
    return CLSORT_OK;
}

void program_finish(struct program_cache *cache)
{
    for (size_t i = 0; i < cache->num_entries; ++i)
        clReleaseKernel(cache->entries[i].kernel);
    free(cache->entries);
    for (uint32_t i = 0; i < cache->num_texts; ++i)
        free(cache->texts[i]);
    free(cache->texts);
    *cache = (struct program_cache){0};
}
