/* The rows that tools/build/tuning.cmake makes of the texts in src/tuning/data/, and of those in
 * this folder with them: what the library's own reader makes of each line, which it checks. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "tuning/tuning.h"
#include "support/tuning_case.h"
#include "tuning/file.h"

#define TUNING CLSORT_SOURCE_DIR "/src/tuning/data"
#define MADE_UP CLSORT_SOURCE_DIR "/tests/nodevice/tuning"

/* Made of TUNING and MADE_UP. */
extern const struct tuning_table *const made_up_classes[];
extern const struct tuning_device made_up_devices[];

static const struct {
    const char *name;
    enum device_class class;
} classes[] = {{"default", DEVICE_OTHER}, {"default", DEVICE_NONE}, {"nvidia", DEVICE_NVIDIA},
               {"amd", DEVICE_AMD},       {"intel", DEVICE_INTEL},  {"cpu", DEVICE_CPU}};
enum { NUM_CLASSES = sizeof classes / sizeof *classes };

/* What a text says of every row, by the library's reader. */
struct rows {
    union tuning_row rows[TUNING_NUM_ROWS];
    union tuning_row others[TUNING_NUM_ROWS]; /* the same, but what no line sets has all bits */
    int num_lines;                            /* that say something */
};

static uint32_t num_rows(const struct tuning_kind *kind)
{
    return kind->sizes[0].num_values * kind->sizes[1].num_values;
}

static void apply_line(struct rows *rows, const char *line)
{
    struct tuning_rows settings;
    tuning_write_text(line);
    assert_int_equal(tuning_file_read(NULL, &settings), CLSORT_OK);
    tuning_remove();
    for (int k = 0, number = 0; k < NUM_TUNING_KINDS; ++k) {
        const uint32_t num_second = tuning_kinds[k].sizes[1].num_values;
        for (uint32_t i = 0; i < num_rows(&tuning_kinds[k]); ++i, ++number) {
            const uint32_t at[] = {i / num_second, i % num_second};
            tuning_rows_apply(&settings, (enum tuning_kind_id)k, at, &rows->rows[number]);
            tuning_rows_apply(&settings, (enum tuning_kind_id)k, at, &rows->others[number]);
        }
    }
    rows->num_lines += settings.num_settings > 0;
    tuning_rows_finish(&settings);
}

static FILE *open_text(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be opened", path);
    return file;
}

/* Applies lines up to the next "device NAME", whose name is returned, or to the end: NULL. */
static const char *apply_lines(struct rows *rows, FILE *file)
{
    static char line[1024];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "#\n")] = 0;
        if (strncmp(line, "device ", 7) == 0) {
            size_t length = strlen(line);
            while (line[length - 1] == ' ')
                line[--length] = 0;
            return line + 7;
        }
        apply_line(rows, line);
    }
    fclose(file);
    return NULL;
}

/* Whether a device may lack a kind of row: those sorts are not planned. */
static int is_optional(enum tuning_kind_id kind)
{
    return kind == TUNING_DIGITS || kind == TUNING_MSD || kind == TUNING_ONESWEEP ||
           kind == TUNING_CPU;
}

/* A row has the numbers of its lines, and all of them or, if it is optional, none. */
static void check_row(const char *of, enum tuning_kind_id kind, const union tuning_row *row,
                      const union tuning_row *expected, const union tuning_row *other)
{
    static const union tuning_row none;
    const int is_there = !is_optional(kind) || memcmp(expected, &none, sizeof none) != 0;
    for (const struct tuning_field *field = tuning_kinds[kind].fields;
         field < tuning_kinds[kind + 1].fields; ++field) {
        const uint64_t value = tuning_field_value(field, expected);
        if (tuning_field_value(field, row) != value)
            fail_msg("%s: a row '%s' has %s=%llu, not %llu", of, tuning_kinds[kind].name,
                     field->name, (unsigned long long)tuning_field_value(field, row),
                     (unsigned long long)value);
        if (is_there && tuning_field_value(field, other) != value)
            fail_msg("%s: no line sets %s of a row '%s'", of, field->name, tuning_kinds[kind].name);
    }
}

static void check_table(const char *of, const struct tuning_table *table, const struct rows *rows)
{
    uint32_t number = 0;
    for (int k = 0; k < NUM_TUNING_KINDS; ++k)
        for (uint32_t i = 0; i < num_rows(&tuning_kinds[k]); ++i, ++number)
            check_row(of, (enum tuning_kind_id)k, &table->rows[number], &rows->rows[number],
                      &rows->others[number]);
    assert_int_equal(number, TUNING_NUM_ROWS);
}

static void read_class(struct rows *rows, const char *name)
{
    char file[64];
    *rows = (struct rows){.num_lines = 0};
    memset(rows->others, 0xff, sizeof rows->others);
    assert_null(apply_lines(rows, open_text(TUNING, "default.tuning")));
    snprintf(file, sizeof file, "%s.tuning", name);
    if (strcmp(name, "default") != 0)
        assert_null(apply_lines(rows, open_text(TUNING, file)));
}

static int is_of_devices(const struct dirent *entry)
{
    return strchr(entry->d_name, '-') && strstr(entry->d_name, ".tuning");
}

/* The devices of a folder's files, in the order of the list. */
static const struct tuning_device *check_folder(const struct tuning_device *device,
                                                const char *folder)
{
    struct dirent **entries = NULL;
    const int num = scandir(folder, &entries, is_of_devices, alphasort);
    assert_true(num >= 0);
    for (int i = 0; i < num; ++i) {
        struct rows rows;
        char class[64], name[1024];
        snprintf(class, sizeof class, "%.*s", (int)strcspn(entries[i]->d_name, "-"),
                 entries[i]->d_name);
        FILE *file = open_text(folder, entries[i]->d_name);
        const char *next = apply_lines(&(struct rows){.num_lines = 0}, file);
        while (next) {
            snprintf(name, sizeof name, "%s", next);
            read_class(&rows, class);
            next = apply_lines(&rows, file);
            assert_string_equal(device->name, name);
            int c = 0;
            while (strcmp(classes[c].name, class) != 0)
                ++c;
            assert_int_equal(device->class, classes[c].class);
            check_table(name, device->table, &rows);
            ++device;
        }
        free(entries[i]);
    }
    free(entries);
    return device;
}

static void test_lines(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_CLASSES; ++i) {
        struct rows rows;
        read_class(&rows, classes[i].name);
        assert_true(rows.num_lines > 10);
        check_table(classes[i].name, tuning_classes[classes[i].class], &rows);
        check_table(classes[i].name, made_up_classes[classes[i].class], &rows);
    }
    assert_null(check_folder(tuning_devices, TUNING)->name);
    const struct tuning_device *device = check_folder(made_up_devices, TUNING);
    assert_ptr_not_equal(device, check_folder(device, MADE_UP));
    assert_null(check_folder(device, MADE_UP)->name);
}

static uint32_t onesweep_items(const struct device_facts *facts, uint32_t key_size,
                               uint32_t payload_size)
{
    union tuning_row row = tuning_row(facts, TUNING_ONESWEEP, key_size, payload_size);
    tuning_fit_onesweep(facts, key_size, payload_size, &row.onesweep);
    return row.onesweep.scatter.items;
}

/* A device that a file names goes by its rows, for all that it is asked. */
static void test_device(void **state)
{
    (void)state;
    const struct tuning_device *made_up = made_up_devices;
    while (made_up->name && strcmp(made_up->name, "B200") != 0)
        ++made_up;
    assert_non_null(made_up->name);
    struct device_facts facts = {
        .class = DEVICE_NVIDIA, .max_group_size = 1024, .subgroup_size = 32, .local_size = 1 << 20};
    const uint32_t usual = onesweep_items(&facts, 4, 4);
    facts.tuning_table = made_up->table;
    assert_int_not_equal(usual, 24);
    assert_int_equal(onesweep_items(&facts, 4, 0), 36);
    assert_int_equal(onesweep_items(&facts, 4, 4), 24);
    assert_int_not_equal(onesweep_items(&facts, 8, 0), 24);

    cl_device_id device = NULL;
    char name[256] = "";
    if (clsort_find_device(NULL, &device))
        skip();
    expect_cl(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    assert_int_equal(device_query(device, &facts), CLSORT_OK);
    const struct tuning_device list[] = {{facts.class, "no such device", tuning_classes[0]},
                                         {DEVICE_NONE, name, tuning_classes[0]},
                                         {facts.class, name, made_up->table},
                                         {facts.class, name, tuning_classes[0]},
                                         {DEVICE_NONE, NULL, NULL}};
    assert_ptr_equal(tuning_find(list, facts.class, device), made_up->table);
    assert_null(tuning_find(list + 4, facts.class, device));
}

/* The page on tuning files names every number of each kind. */
static void test_page(void **state)
{
    (void)state;
    static char text[1 << 17];
    FILE *file = open_text(CLSORT_SOURCE_DIR "/docs", "tuning.md");
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_in_range(size, 1, sizeof text - 2);
    for (int k = 0; k < NUM_TUNING_KINDS; ++k) {
        const struct tuning_kind *kind = &tuning_kinds[k];
        char words[8192], item[64];
        snprintf(item, sizeof item, "\n## %s\n", kind->name);
        const char *at = strstr(text, item);
        if (!at)
            fail_msg("tuning.md does not describe '%s'", kind->name);
        const char *end = strstr(at + 1, "\n## ");
        snprintf(words, sizeof words, "%.*s", (int)(end ? end - at : (long)strlen(at)), at);
        for (const struct tuning_field *field = kind->fields; field < kind[1].fields; ++field) {
            snprintf(item, sizeof item, "`%s`", field->name);
            if (!strstr(words, item))
                fail_msg("tuning.md does not explain %s of '%s'", field->name, kind->name);
        }
    }
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_device),
                                       cmocka_unit_test(test_page)};
    return cmocka_run_group_tests_name("tuning_data", tests, NULL, NULL) ? 1 : 0;
}
