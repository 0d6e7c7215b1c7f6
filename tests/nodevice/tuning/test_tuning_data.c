/* The rows that tools/build/tuning.cmake makes of the texts in src/tuning/data/, and of those in
 * this folder with them: what the library's own reader makes of each line. And that both say
 * the same of a wrong line. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fixture.h"
#include "tuning/tuning.h"
#include "tuning_broken.h"
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
    union tuning_row rows[NUM_TUNING_KINDS][TUNING_MAX_ROWS];
    int num_lines; /* that say something */
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
    for (int k = 0; k < NUM_TUNING_KINDS; ++k) {
        const uint32_t num_second = tuning_kinds[k].sizes[1].num_values;
        for (uint32_t i = 0; i < num_rows(&tuning_kinds[k]); ++i) {
            const uint32_t at[] = {i / num_second, i % num_second};
            tuning_rows_apply(&settings, (enum tuning_kind_id)k, at, &rows->rows[k][i]);
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

static void check_table(const char *of, const struct tuning_table *table, const struct rows *rows)
{
    static const union tuning_row none;
    for (int k = 0; k < NUM_TUNING_KINDS; ++k) {
        const struct tuning_kind *kind = &tuning_kinds[k];
        for (uint32_t i = 0; i < TUNING_MAX_ROWS; ++i) {
            const union tuning_row *row = table->rows[k][i] ? table->rows[k][i] : &none;
            for (const struct tuning_field *field = kind->fields; field < kind[1].fields; ++field)
                if (tuning_field_value(field, row) != tuning_field_value(field, &rows->rows[k][i]))
                    fail_msg("%s: row %u of '%s' has %s=%llu, not %llu", of, (unsigned)i,
                             kind->name, field->name,
                             (unsigned long long)tuning_field_value(field, row),
                             (unsigned long long)tuning_field_value(field, &rows->rows[k][i]));
        }
    }
}

static void read_class(struct rows *rows, const char *name)
{
    char file[64];
    *rows = (struct rows){.num_lines = 0};
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

/* What the script says of a file, without the line's end. */
static const char *script_says(const char *path)
{
    static char sentence[1024];
    char command[2048];
    snprintf(command, sizeof command,
             "'%s' -P '%s/tools/build/tuning.cmake' '%s/src/tuning/fields.h' none '%s.c' '%s' 2>&1",
             CLSORT_CMAKE, CLSORT_SOURCE_DIR, CLSORT_SOURCE_DIR, path, path);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    if (!fgets(sentence, sizeof sentence, output))
        sentence[0] = 0;
    sentence[strcspn(sentence, "\n")] = 0;
    char rest[256];
    while (fgets(rest, sizeof rest, output))
        ;
    assert_int_not_equal(pclose(output), 0);
    return sentence;
}

static void test_broken(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char folder[512], path[600], sentence[1024];
    snprintf(folder, sizeof folder, "%.200s/clsort-tuning-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
        const int has_device = strncmp(broken[i].text, "device", 6) == 0;
        snprintf(path, sizeof path, "%s/%s.tuning", folder, has_device ? "cpu-some" : "cpu");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(broken[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(clsort_check_tuning(path, sentence, sizeof sentence, NULL),
                         CLSORT_ERROR_TUNING);
        assert_string_equal(script_says(path), sentence);
        remove(path);
    }
    rmdir(folder);
}

/* What only files that are compiled in can have wrong. */
static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
    } files[] = {
        {"h200", "",
         ": a file of tuning is called CLASS.tuning or CLASS-ANYTHING.tuning, CLASS one of "},
        {"nvidia-h200", "\ndigits min=1\ndevice H200",
         ":2: 'device' and a part of a device's name come first"},
        {"nvidia", "digits min=1\n device H200", ":2: a file for a whole class has no 'device'"},
        {"default", "merge group=8", ": no line sets tile_group of the row 'general' of 4"},
    };
    const char *tmp = getenv("TMPDIR");
    char folder[512], path[600], begin[900];
    snprintf(folder, sizeof folder, "%.200s/clsort-tuning-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        snprintf(path, sizeof path, "%s/%s.tuning", folder, files[i].name);
        snprintf(begin, sizeof begin, "%s%s", path, files[i].says);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(files[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        const char *says = script_says(path);
        if (strncmp(says, begin, strlen(begin)) != 0)
            fail_msg("'%s', not '%s'", says, begin);
        remove(path);
    }
    rmdir(folder);
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
                                       cmocka_unit_test(test_broken), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_page)};
    return cmocka_run_group_tests_name("tuning_data", tests, NULL, NULL) ? 1 : 0;
}
