/* file.c: reads tuning rows from a text: a row a line, words between blanks, '#' before a
 * comment. "device NAME" says which devices the lines after it are for. Everything is checked
 * against kinds.h, also rows that are for other devices; the first fault ends the
 * reading. */
#include "tuning/file.h"

#include "device/device.h"
#include "base/environment.h"
#include "tuning/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE (1 << 16) /* bytes */
#define SENTENCE 512
#define QUOTED 40 /* bytes of a wrong word that are shown, and more of a file's name */

struct word {
    const char *text;
    size_t length;
};

struct reader {
    const char *path;
    cl_device_id device;
    struct tuning_rows *rows;
    unsigned line;
    int is_ours; /* the device that the lines are for */
    char sentence[SENTENCE];
};

/* What is wrong, with the file and, if one is being read, the line. */
static clsort_status fault(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = snprintf(reader->sentence, SENTENCE, "%.255s:", reader->path);
    if (reader->line)
        length +=
            snprintf(reader->sentence + length, SENTENCE - (size_t)length, "%u:", reader->line);
    reader->sentence[length++] = ' ';
    vsnprintf(reader->sentence + length, SENTENCE - (size_t)length, format, arguments);
    va_end(arguments);
    return CLSORT_ERROR_TUNING;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of [*text, end), of length 0 if there is none. */
static struct word next_word(const char **text, const char *end)
{
    while (*text < end && is_blank(**text))
        ++*text;
    struct word word = {*text, 0};
    while (*text < end && !is_blank(**text))
        ++*text;
    word.length = (size_t)(*text - word.text);
    return word;
}

static int is(struct word word, const char *name)
{
    return name && strlen(name) == word.length && memcmp(word.text, name, word.length) == 0;
}

/* For "%.*s": a word, or the beginning of a long one. */
#define SHOW(word) (int)((word).length < QUOTED ? (word).length : QUOTED), (word).text

static clsort_status add(struct reader *reader, const struct tuning_setting *setting)
{
    struct tuning_rows *rows = reader->rows;
    struct tuning_setting *grown =
        realloc(rows->settings, (rows->num_settings + 1) * sizeof *grown);
    if (!grown)
        return CLSORT_ERROR_HOST_MEMORY;
    rows->settings = grown;
    rows->settings[rows->num_settings++] = *setting;
    return CLSORT_OK;
}

static clsort_status read_size(struct reader *reader, const struct tuning_size *size,
                               uint64_t number, uint32_t *size_ret)
{
    char values[80] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < size->num_values; ++i) {
        if (size->values[i] == number) {
            *size_ret = size->values[i];
            return CLSORT_OK;
        }
        length += (size_t)snprintf(values + length, sizeof values - length, "%s%u",
                                   i == 0                      ? ""
                                   : i + 1 == size->num_values ? " or "
                                                               : ", ",
                                   (unsigned)size->values[i]);
    }
    return fault(reader, "%s is %s here", size->name, values);
}

static clsort_status check_value(struct reader *reader, const struct tuning_field *field,
                                 struct word word, uint64_t value)
{
    if (value < field->min || value > field->max)
        return fault(reader, "%s is %llu to %llu, not %.*s", field->name,
                     (unsigned long long)field->min, (unsigned long long)field->max, SHOW(word));
    if (field->is_power && (value & (value - 1)))
        return fault(reader, "%s is a power of two, not %.*s", field->name, SHOW(word));
    return CLSORT_OK;
}

/* A word name=value: one of the row's sizes, or a setting. */
static clsort_status read_word(struct reader *reader, struct word word,
                               struct tuning_setting *setting, size_t first)
{
    const struct tuning_kind *kind = &tuning_kinds[setting->kind];
    const char *equals = memchr(word.text, '=', word.length);
    if (!equals)
        return fault(reader, "'%.*s' is not of the form name=value", SHOW(word));
    const struct word name = {word.text, (size_t)(equals - word.text)};
    const struct word value = {equals + 1, word.length - name.length - 1};
    uint64_t number = 0;
    const int is_number = tuning_read_number(value.text, value.length, &number);
    for (int i = 0; i < TUNING_SIZES; ++i) {
        if (!is(name, kind->sizes[i].name))
            continue;
        if (setting->sizes[i] != TUNING_SIZE_ANY)
            return fault(reader, "%s is there twice", kind->sizes[i].name);
        return read_size(reader, &kind->sizes[i], is_number ? number : UINT64_MAX,
                         &setting->sizes[i]);
    }
    const char *new_name = tuning_new_name(name.text, name.length);
    if (new_name)
        return fault(reader, "'%.*s' is called '%s' now", SHOW(name), new_name);
    setting->field = kind->fields;
    while (setting->field < kind[1].fields && !is(name, setting->field->name))
        ++setting->field;
    if (setting->field == kind[1].fields)
        return fault(reader, "a row '%s' has no '%.*s'", kind->name, SHOW(name));
    if (!is_number)
        return fault(reader, "%s is a number, such as 96 or 2^20, not '%.*s'", setting->field->name,
                     SHOW(value));
    for (size_t i = first; i < reader->rows->num_settings; ++i) {
        if (reader->rows->settings[i].field == setting->field)
            return fault(reader, "%s is there twice", setting->field->name);
    }
    setting->value = number;
    const clsort_status status = check_value(reader, setting->field, value, number);
    return status ? status : add(reader, setting);
}

static clsort_status read_row(struct reader *reader, struct word kind, const char *text,
                              const char *end)
{
    const size_t first = reader->rows->num_settings;
    struct tuning_setting setting = {.sizes = {TUNING_SIZE_ANY, TUNING_SIZE_ANY}};
    const char *new_name = tuning_new_name(kind.text, kind.length);
    if (new_name)
        return fault(reader, "'%.*s' is called '%s' now", SHOW(kind), new_name);
    int id = 0;
    while (id < NUM_TUNING_KINDS && !is(kind, tuning_kinds[id].name))
        ++id;
    if (id == NUM_TUNING_KINDS)
        return fault(reader, "there is no kind of row '%.*s'", SHOW(kind));
    setting.kind = (enum tuning_kind_id)id;
    for (struct word word; (word = next_word(&text, end)).length > 0;) {
        const clsort_status status = read_word(reader, word, &setting, first);
        if (status)
            return status;
    }
    if (reader->rows->num_settings == first)
        return fault(reader, "the row sets nothing");
    /* Sizes may stand anywhere in the line. */
    for (size_t i = first; i < reader->rows->num_settings; ++i)
        memcpy(reader->rows->settings[i].sizes, setting.sizes, sizeof setting.sizes);
    if (!reader->is_ours)
        reader->rows->num_settings = first;
    return CLSORT_OK;
}

static clsort_status read_device(struct reader *reader, const char *text, const char *end)
{
    char name[256];
    while (text < end && is_blank(*text))
        ++text;
    while (end > text && is_blank(end[-1]))
        --end;
    const size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof name)
        return fault(reader, "'device' is followed by a part of the device's name");
    memcpy(name, text, length);
    name[length] = 0;
    reader->is_ours = reader->device && device_is_named(reader->device, name);
    return CLSORT_OK;
}

static clsort_status read_line(struct reader *reader, const char *text, const char *end)
{
    const char *comment = memchr(text, '#', (size_t)(end - text));
    end = comment ? comment : end;
    for (const char *at = text; at < end; ++at) {
        if ((unsigned char)*at < ' ' && !is_blank(*at))
            return fault(reader, "there is a byte that is no text");
    }
    const struct word kind = next_word(&text, end);
    if (kind.length == 0)
        return CLSORT_OK;
    return is(kind, "device") ? read_device(reader, text, end) : read_row(reader, kind, text, end);
}

static clsort_status read_text(struct reader *reader, const char *text, size_t size)
{
    const char *const end = text + size;
    for (const char *line = text; line < end;) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        const char *line_end = feed ? feed : end;
        reader->line += 1;
        const clsort_status status = read_line(reader, line, line_end);
        if (status)
            return status;
        line = line_end + 1;
    }
    return CLSORT_OK;
}

static clsort_status read_file(struct reader *reader)
{
    FILE *file = fopen(reader->path, "rb");
    if (!file)
        return fault(reader, "the file cannot be opened");
    clsort_status status = CLSORT_ERROR_HOST_MEMORY;
    char *text = malloc(MAX_FILE + 1);
    if (text) {
        const size_t size = fread(text, 1, MAX_FILE + 1, file);
        status = ferror(file)      ? fault(reader, "the file cannot be read")
                 : size > MAX_FILE ? fault(reader, "the file is longer than %d bytes", MAX_FILE)
                                   : read_text(reader, text, size);
    }
    free(text);
    fclose(file);
    return status;
}

static clsort_status read_rows(struct reader *reader)
{
    *reader->rows = (struct tuning_rows){0};
    reader->is_ours = 1;
    const clsort_status status = reader->path ? read_file(reader) : CLSORT_OK;
    if (status)
        tuning_rows_finish(reader->rows);
    return status;
}

clsort_status tuning_file_read(cl_device_id device, struct tuning_rows *rows_ret)
{
    struct reader reader = {.path = environment_get("CLSORT_TUNING"),
                            .device = device,
                            .rows = rows_ret};
    return read_rows(&reader);
}

void tuning_rows_finish(struct tuning_rows *rows)
{
    free(rows->settings);
    *rows = (struct tuning_rows){0};
}

clsort_status clsort_check_tuning(const char *path, char *text, size_t size, size_t *size_ret)
{
    struct tuning_rows rows;
    struct reader reader = {.path = path ? path : environment_get("CLSORT_TUNING"), .rows = &rows};
    if (!text && size)
        return CLSORT_ERROR_NULL;
    clsort_status status = read_rows(&reader);
    tuning_rows_finish(&rows);
    struct device_facts facts = {0};
    if (!status && !path)
        status = device_apply_limits(&facts, reader.sentence, SENTENCE);
    const int length = snprintf(text, size, "%s", reader.sentence);
    if (size_ret)
        *size_ret = (size_t)length + 1;
    return status;
}
