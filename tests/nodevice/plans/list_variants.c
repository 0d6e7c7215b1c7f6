/* list_variants DIR [all]: lists the forms of every kernel that plans use, on made-up devices of
 * each class, for compilers that need no device. Writes the joined kernel files into DIR and prints
 * a line for each form: device, file, kernel, bytes of local memory that the plan counts with, and
 * build options, separated by tabs. Descending orders and bit ranges only change how a key is
 * encoded, so without "all" they are combined with two payloads only. Needs no device. It loops
 * over the lists of types, algorithms and kernels, so additions to those are listed too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "nodevice/made_up.h"
#include "plan/plan.h"
#include "program/record.h"
#include "program/source.h"
#include "program/variant.h"

/* What the drivers of such devices report (AMD twice: its sub-groups are 64 or 32 wide). */
static struct {
    const char *name;
    struct device_facts facts;
} devices[] = {
    {"nvidia", NVIDIA_FACTS(.num_units = 132)},
    {"amd64", FACTS(AMD, 256, 64, 64 << 10, .num_units = 0)},
    {"amd32", FACTS(AMD, 256, 32, 64 << 10, .num_units = 0)},
    {"intel", FACTS(INTEL, 512, 16, 64 << 10, .num_units = 0)},
    {"cpu16", FACTS(CPU, 4096, 0, 1 << 19, .vector_bytes = 16, .num_units = 4)},
    {"cpu64", CPU_FACTS(.num_units = 4)},
    {"cpu", /* forms for CPUs */
     CPU_FACTS(.num_units = 4, .cpu_kernels = 1, .cache_size = 32 << 20)},
    {"other", FACTS(OTHER, 256, 0, 32 << 10, .num_units = 0)},
    {"small", FACTS(OTHER, 32, 0, 4 << 10, .num_units = 0)},
};

#define FILE_OF(enumerator, file, function) file,
static const char *const files[] = {KERNEL_LIST(FILE_OF)};
#undef FILE_OF

/* Forms that no tuning asks for yet: these switch them on. */
static struct tuning_setting on[] = {
    {.kind = TUNING_MSD, .sizes = {TUNING_SIZE_ANY, TUNING_SIZE_ANY}},
    {.kind = TUNING_MSD, .sizes = {TUNING_SIZE_ANY, TUNING_SIZE_ANY}},
    {.kind = TUNING_MSD, .sizes = {TUNING_SIZE_ANY, TUNING_SIZE_ANY}},
};
static const struct tuning_rows rows_on = {.settings = on, .num_settings = sizeof on / sizeof *on};

static void find_fields(void)
{
    static const char *const names[] = {"min", "float_min", "stable_min"};
    for (size_t i = 0; i < sizeof on / sizeof *on; ++i)
        for (const struct tuning_field *field = tuning_kinds[TUNING_MSD].fields;
             field < tuning_kinds[TUNING_MSD + 1].fields; ++field)
            if (strcmp(field->name, names[i]) == 0)
                on[i].field = field;
}

/* What has been printed for one device. Programs are the same if file and variant are. */
struct form {
    enum kernel_id kernel;
    struct variant variant;
};
static const char *folder;
static struct form *seen;
static size_t num_seen, capacity;

static int first_time(const struct step *step)
{
    for (size_t i = 0; i < num_seen; ++i) {
        if (seen[i].kernel == step->kernel &&
            memcmp(&seen[i].variant, &step->variant, sizeof step->variant) == 0)
            return 0;
    }
    if (num_seen == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        seen = realloc(seen, capacity * sizeof *seen);
        if (!seen)
            exit(2);
    }
    seen[num_seen].kernel = step->kernel;
    seen[num_seen++].variant = step->variant;
    return 1;
}

/* A kernel file's name in DIR: its path below cl/, with '_' for each '/'. */
static const char *flat_name(const char *file)
{
    static char name[256];
    snprintf(name, sizeof name, "%s", file);
    for (char *at = name; *at; ++at)
        if (*at == '/')
            *at = '_';
    return name;
}

/* Writes a joined kernel file with this text for its records, or cl/'s if the text is NULL. */
static void write_joined(const char *file, const char *prefix, const char *record)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, prefix, flat_name(file));
    char *text = source_join(file, record);
    FILE *out = fopen(path, "w");
    if (!text || !out || fputs(text, out) < 0 || fclose(out)) {
        perror(path);
        exit(2);
    }
    free(text);
}

/* Prints the forms that a sort adds. A prefix names files that are written for its records. */
static void list_forms(size_t device, const clsort_desc *desc, const char *prefix)
{
    struct problem problem;
    struct plan plan = {0};
    char options[VARIANT_OPTIONS_CAPACITY];
    if (check_desc(desc, &problem).status == CLSORT_OK &&
        plan_make(&devices[device].facts, &problem, &plan) == CLSORT_OK) {
        struct writer written = {0};
        const char *text = *prefix ? record_write(desc->record, &written) : NULL;
        for (uint32_t i = 0; i < plan.num_steps; ++i) {
            const struct step *step = &plan.steps[i];
            const int has_text = text && step->variant.record_size;
            if ((text && !has_text) || !first_time(step))
                continue;
            if (has_text)
                write_joined(files[step->kernel], prefix, text);
            variant_options(&step->variant, options);
            printf("%s\t%s%s\t%s\t%u\t%s\n", devices[device].name, prefix,
                   flat_name(files[step->kernel]), kernel_name(step->kernel), step->local_size,
                   options);
        }
        free(written.bytes);
    }
    plan_finish(&plan);
}

static void list_plan(size_t device, const clsort_desc *desc)
{
    list_forms(device, desc, "");
}

enum { OUT = 1, STABLE = 2, DESCENDING = 4, RANGE = 8, NUM_CHOICES = 16 };

static void list_device(size_t device, int all)
{
    /* values, indices */
    static const uint32_t payloads[][2] = {{0, 0}, {1, 0},  {2, 0}, {4, 0},
                                           {8, 0}, {12, 0}, {0, 4}, {0, 8}};
    static const uint64_t counts[] = {2, 50, 300, 5000, 1 << 17, 1 << 22};
    num_seen = 0;
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
        for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
            for (size_t p = 0; p < sizeof payloads / sizeof *payloads; ++p)
                for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
                    for (uint32_t choice = 0; choice < NUM_CHOICES; ++choice) {
                        const uint32_t encoding = choice & (DESCENDING | RANGE);
                        const int with_all =
                            encoding == 0 || (encoding == (DESCENDING | RANGE) &&
                                              (payloads[p][0] | 4) == 4 && payloads[p][1] == 0);
                        if (!with_all && !all)
                            continue;
                        const clsort_desc desc = {
                            .count = counts[c],
                            .num_arrays = choice & OUT ? 1000 : 1,
                            .type = (clsort_type)type,
                            .order = choice & DESCENDING ? CLSORT_DESCENDING : CLSORT_ASCENDING,
                            .first_bit = choice & RANGE ? 3 : 0,
                            .end_bit = choice & RANGE ? 7 : 0,
                            .algorithm = (clsort_algorithm)algorithm,
                            .stable = (choice & STABLE) != 0,
                            .value_size = payloads[p][0],
                            .index_size = payloads[p][1],
                            .out_of_place = choice & OUT && !payloads[p][1],
                        };
                        list_plan(device, &desc);
                    }
}

/* The forms that only `on` lists: of keys alone, and in place with values that are gathered. */
static void list_more(size_t device)
{
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (int order = 0; order < 2; ++order) {
            clsort_desc desc = {.count = (uint64_t)1 << (order ? 26 : 28),
                                .type = (clsort_type)type,
                                .order = (clsort_order)order,
                                .algorithm = CLSORT_RADIX};
            list_plan(device, &desc);
            desc.value_size = 12;
            list_plan(device, &desc);
        }
}

/* cl/base/record_source.h's records stand for all others. */
static void list_records(size_t device)
{
    static const uint32_t values[] = {0, 1, 2, 4, 8, 12};
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
        for (int order = 0; order < 2; ++order) {
            const clsort_desc desc = {.count = 1 << 20,
                                      .record = &record,
                                      .order = (clsort_order)order,
                                      .value_size = values[i]};
            list_plan(device, &desc);
        }
}

/* Records whose kernels would explode if all their moves and comparisons were unrolled: wide ones,
 * unaligned ones, ones with many fields, and one with a comparison of the caller's. */
static void list_wide_records(size_t device)
{
    enum { NUM_FIELDS = 16 };
    static const struct {
        uint32_t size, num_fields, first, stride, value_size;
        clsort_type type;
    } shapes[] = {
        {33, 1, 19, 1, 19, CLSORT_I8},    {31, 11, 1, 2, 59, CLSORT_U64},
        {183, 12, 1, 15, 63, CLSORT_F64}, {256, 16, 0, 16, 8, CLSORT_U64},
        {15, 1, 3, 1, 0, CLSORT_U64},     {7, 2, 1, 2, 4, CLSORT_I32},
        {166, 3, 4, 32, 10, CLSORT_F32},  {16, 16, 0, 1, 0, CLSORT_U8},
        {48, 0, 0, 0, 0, CLSORT_U8},      {12, 4, 0, 3, 36, CLSORT_U8},
        {12, 4, 0, 2, 36, CLSORT_U16},    {16, 4, 0, 4, 36, CLSORT_U32},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        clsort_field fields[NUM_FIELDS];
        for (uint32_t i = 0; i < shapes[s].num_fields; ++i)
            fields[i] = (clsort_field){shapes[s].first + i * shapes[s].stride, shapes[s].type,
                                       i % 2 ? CLSORT_DESCENDING : CLSORT_ASCENDING};
        const clsort_record by_fields = {.size = shapes[s].size,
                                         .num_fields = shapes[s].num_fields,
                                         .fields = fields};
        const clsort_record by_text = {
            .size = shapes[s].size,
            .declarations = "typedef struct { uchar name[40]; float score; uint id; } person;",
            .type = "person",
            .less_body = "for (int i = 0; i < 40; ++i)\n"
                         "    if (a.name[i] != b.name[i]) return a.name[i] < b.name[i];\n"
                         "return a.score < b.score;"};
        for (int stable = 0; stable < 2; ++stable)
            for (int quick = 0; quick < 2; ++quick) {
                char prefix[32];
                snprintf(prefix, sizeof prefix, "records_%u_", (unsigned)s);
                num_seen = 0;
                clsort_desc desc = {
                    .count = 1 << 22,
                    .record = shapes[s].num_fields ? &by_fields : &by_text,
                    .algorithm = quick ? CLSORT_QUICK : CLSORT_MERGE,
                    .stable = (uint32_t)stable,
                    .value_size = shapes[s].value_size,
                };
                list_forms(device, &desc, prefix);
                desc.count = 1 << 17; /* a single launch, on devices that can */
                list_forms(device, &desc, prefix);
            }
    }
}

/* A column's type is no form: this lists two widths of keys and of indices, and the kernels that
 * move columns. */
static void list_columns(size_t device)
{
    static const clsort_column columns[] = {
        {CLSORT_F64, CLSORT_ASCENDING},
        {CLSORT_U32, CLSORT_ASCENDING},
        {CLSORT_I16, CLSORT_DESCENDING},
        {CLSORT_U8, CLSORT_ASCENDING},
    };
    for (uint32_t num_columns = 1; num_columns <= 4; ++num_columns)
        for (uint32_t index_size = 0; index_size <= 8; index_size += 4)
            for (uint32_t first = 0; first + num_columns <= 4; ++first) {
                const clsort_desc desc = {.count = 1 << 20,
                                          .num_columns = num_columns,
                                          .columns = columns + first,
                                          .index_size = index_size,
                                          .out_of_place = first % 2 || index_size == 8};
                list_plan(device, &desc);
            }
}

static void list_segments(size_t device)
{
    static const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    static const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    static const struct {
        clsort_type type;
        uint32_t value_size, index_size;
    } forms[] = {{CLSORT_U32, 0, 0}, {CLSORT_F32, 4, 0}, {CLSORT_I64, 8, 0}, {CLSORT_U16, 0, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        const clsort_desc desc = {.count = 1 << 20,
                                  .num_segments = 1000,
                                  .offset_size = 4,
                                  .type = forms[i].type,
                                  .value_size = forms[i].value_size,
                                  .index_size = forms[i].index_size};
        clsort_desc places = desc; /* in place, and of another output */
        places.skip = 10;
        list_plan(device, &desc);
        list_plan(device, &places);
        places.limit = 100;
        places.out_of_place = 1;
        list_plan(device, &places);
    }
    for (uint32_t i = 0; i < 3; ++i) { /* records alone, with values, and their indices */
        const clsort_desc desc = {.count = 1 << 20,
                                  .num_segments = 1000,
                                  .offset_size = 4,
                                  .record = &record,
                                  .value_size = i == 1 ? 8 : 0,
                                  .index_size = i == 2 ? 4 : 0};
        list_plan(device, &desc);
    }
}

/* The other operations, of numbers, of records and of bits. */
static void list_operations(size_t device)
{
    static const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    static const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    for (int operation = 1; operation < CLSORT_NUM_OPERATIONS; ++operation)
        for (int type = 0; type <= CLSORT_NUM_TYPES; ++type)
            for (uint32_t size = 4; size <= 8; size += 4) {
                const int is_runs = operation == CLSORT_OPERATION_RUNS;
                const int is_merge = operation == CLSORT_OPERATION_MERGE;
                clsort_desc desc = {
                    .count = 1 << 20,
                    .type = type < CLSORT_NUM_TYPES ? (clsort_type)type : CLSORT_U32,
                    .record = type < CLSORT_NUM_TYPES ? NULL : &record,
                    .operation = (clsort_operation)operation,
                    .offset_size = is_runs ? size : 0,
                    .value_size = is_merge ? size : 0,
                    .num_queries = operation == CLSORT_OPERATION_SEARCH ? 1 << 20 : 0,
                };
                if (!is_runs && !is_merge && operation != CLSORT_OPERATION_CHECK)
                    desc.index_size = size;
                list_plan(device, &desc);
                /* Short arrays, several to a work-group. */
                desc.count = 10;
                desc.num_arrays = 1 << 20;
                desc.num_queries = operation == CLSORT_OPERATION_SEARCH ? 10 : 0;
                list_plan(device, &desc);
            }
}

/* Some places of the order: by selection, of rows, of short ones, and by a sort of all. */
static void list_places(size_t device)
{
    static const uint64_t shapes[][2] = {{1 << 20, 1}, {1200, 500}, {30, 1}, {700, 20}};
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
            for (uint32_t index_size = 0; index_size <= 8; index_size += 4) {
                const clsort_desc desc = {.count = shapes[i][0],
                                          .num_arrays = shapes[i][1],
                                          .type = (clsort_type)type,
                                          .value_size = index_size ? 0 : 4,
                                          .index_size = index_size,
                                          .out_of_place = 1,
                                          .limit = i == 2 ? 20 : 10};
                list_plan(device, &desc);
            }
}

static void list_strings(size_t device)
{
    static const clsort_strings strings = {.num_bytes = 1 << 24, .offset_size = 4};
    static const uint32_t sizes[] = {4, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const clsort_desc desc = {
            .count = 1 << 20, .strings = &strings, .index_size = sizes[i], .out_of_place = 1};
        list_plan(device, &desc);
    }
}

int main(int argc, char **argv)
{
    const int all = argc == 3 && strcmp(argv[2], "all") == 0;
    if (argc != 2 + all) {
        fprintf(stderr, "usage: list_variants DIR [all]\n");
        return 2;
    }
    folder = argv[1];
    find_fields();
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
        write_joined(files[i], "", NULL);
    for (size_t device = 0; device < sizeof devices / sizeof *devices; ++device) {
        list_device(device, all);
        devices[device].facts.tuning_rows = &rows_on;
        list_more(device);
        devices[device].facts.tuning_rows = NULL;
        list_records(device);
        list_columns(device);
        list_segments(device);
        list_operations(device);
        list_strings(device);
        list_places(device);
        list_wide_records(device);
    }
    free(seen);
    return 0;
}
