/* rows.c: the rows that are found, as the text of a tuning file and as one line of JSON, and the
 * numbers of a sorter's own rows. */
#include "tune/tune.h"

#include "cli/json.h"
#include "cli/message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16 }; /* of all rows that a sorter has */

static void print_comment(const struct tune_row *row, FILE *file)
{
    for (int i = 0; i < row->num_lines; i++)
        fprintf(file, "# %s\n", row->lines[i].text);
}

void tune_print_row(const struct tune_row *row, FILE *file)
{
    if (row->num_settings == 0)
        return;
    fprintf(file, "%s%s", row->kind, row->sizes);
    for (int i = 0; i < row->num_settings; i++)
        fprintf(file, " %s=%" PRIu64, row->settings[i].name, row->settings[i].value);
    fputc('\n', file);
}

void tune_print_rows(const struct tune *tune, bool has_comments, FILE *file)
{
    for (int i = 0; i < tune->num_rows; i++) {
        if (has_comments)
            print_comment(&tune->rows[i], file);
        tune_print_row(&tune->rows[i], file);
    }
}

bool tune_wants(const struct tune *tune, const char *kind)
{
    const char *only = tune->options.only;
    return !only || bench_list_has(only, kind, strlen(kind));
}

struct tune_row *tune_find_row(struct tune *tune, const char *kind, const char *sizes)
{
    for (int i = 0; i < tune->num_rows; i++) {
        struct tune_row *row = &tune->rows[i];
        if (strcmp(row->kind, kind) == 0 && strcmp(row->sizes, sizes) == 0)
            return row;
    }
    if (tune->num_rows == TUNE_ROWS)
        return NULL;
    struct tune_row *row = &tune->rows[tune->num_rows++];
    *row = (struct tune_row){.kind = kind};
    snprintf(row->sizes, sizeof(row->sizes), "%s", sizes);
    return row;
}

void tune_set(struct tune_row *row, const char *name, uint64_t value)
{
    int i = 0;
    while (i < row->num_settings && strcmp(row->settings[i].name, name) != 0)
        i++;
    if (i == TUNE_SETTINGS)
        return;
    row->settings[i] = (struct tune_setting){name, value};
    if (i == row->num_settings)
        row->num_settings++;
}

void tune_comment(struct tune_row *row, const char *part, const char *format, ...)
{
    va_list arguments;
    int i = 0;
    while (i < row->num_lines && strcmp(row->lines[i].part, part) != 0)
        i++;
    if (i == TUNE_LINES)
        return;
    struct tune_line *line = &row->lines[i];
    line->part = part;
    va_start(arguments, format);
    vsnprintf(line->text, sizeof(line->text), format, arguments);
    va_end(arguments);
    if (i == row->num_lines)
        row->num_lines++;
}

void tune_note_gain(struct tune *tune, double gain, const char *what)
{
    if (gain <= tune->gain)
        return;
    tune->gain = gain;
    tune->gain_what = what;
}

bool tune_value(clsort_sorter *sorter, const char *kind, const char *sizes, const char *name,
                uint64_t *value_ret)
{
    static char text[TEXT] = "\n"; /* in front of the first row, too */
    char row[2 * TUNE_SIZES_TEXT], setting[TUNE_SIZES_TEXT];
    if (clsort_get_tuning_text(sorter, text + 1, sizeof(text) - 1, NULL))
        return false;
    snprintf(row, sizeof(row), "\n%s%s ", kind, sizes);
    snprintf(setting, sizeof(setting), " %s=", name);
    char *line = strstr(text, row);
    if (line)
        line[1 + strcspn(line + 1, "\n")] = '\0';
    char *at = line ? strstr(line, setting) : NULL;
    if (!at)
        return false;
    *value_ret = strtoull(at + strlen(setting), &at, 10);
    if (*at == '^')
        *value_ret = UINT64_C(1) << strtoul(at + 1, NULL, 10);
    return true;
}

bool tune_has(const struct tune_numbers *numbers, const char *kind, const char *sizes,
              const char *name)
{
    for (int i = 0; i < numbers->num; i++) {
        if (strcmp(numbers->all[i].kind, kind) == 0 && strcmp(numbers->all[i].name, name) == 0 &&
            strcmp(numbers->all[i].sizes, sizes) == 0)
            return true;
    }
    return false;
}

void tune_note(struct tune_numbers *numbers, const char *kind, const char *sizes, const char *name)
{
    if (numbers->num == TUNE_NUMBERS || tune_has(numbers, kind, sizes, name))
        return;
    const int i = numbers->num++;
    numbers->all[i].kind = kind;
    numbers->all[i].name = name;
    snprintf(numbers->all[i].sizes, TUNE_SIZES_TEXT, "%s", sizes);
}

void tune_sizes(const char *kind, struct bench_type type, char sizes[TUNE_SIZES_TEXT])
{
    const unsigned key = clsort_type_size(type.key) > 4 ? 8 : 4;
    const unsigned payload = type.value_size > 4 ? 8 : type.value_size > 0 ? 4 : 0;
    const unsigned item = type.form != BENCH_NUMBERS ? BENCH_RECORD_SIZE
                          : payload == 0             ? key
                          : key + payload == 8       ? 8
                                                     : 16;
    if (strcmp(kind, "onesweep") == 0)
        snprintf(sizes, TUNE_SIZES_TEXT, " key=%u payload=%u", (unsigned)clsort_type_size(type.key),
                 payload);
    else if (strcmp(kind, "counting") == 0)
        snprintf(sizes, TUNE_SIZES_TEXT, " key=%u", (unsigned)clsort_type_size(type.key));
    else if (strcmp(kind, "digits") == 0 || strcmp(kind, "msd") == 0)
        snprintf(sizes, TUNE_SIZES_TEXT, " key=%u payload=%u", key, payload);
    else if (strcmp(kind, "range") == 0)
        snprintf(sizes, TUNE_SIZES_TEXT, " key=%u", key);
    else if (strcmp(kind, "cpu") == 0 || strcmp(kind, "select") == 0)
        sizes[0] = '\0';
    else
        snprintf(sizes, TUNE_SIZES_TEXT, " item=%u", item);
}

/* The sizes of a row, " key=4 payload=0", are numbers as its settings are. */
static void print_sizes(struct json *json, const char *sizes)
{
    json_open(json, "sizes", '{');
    for (const char *at = sizes; (at = strchr(at, ' ')) && at[1];) {
        char name[TUNE_SIZES_TEXT];
        const char *equals = strchr(++at, '=');
        if (!equals)
            break;
        snprintf(name, sizeof(name), "%.*s", (int)(equals - at), at);
        json_count(json, name, strtoull(equals + 1, NULL, 10));
    }
    json_close(json, '}');
}

/* The lines as the file has them; "" without memory for them. */
static void add_comment(struct json *json, const struct tune_row *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        print_comment(row, file);
        fclose(file);
    }
    json_text(json, "comment", text ? text : "");
    free(text);
}

static void print_row(struct json *json, const struct tune_row *row)
{
    json_open(json, NULL, '{');
    json_text(json, "kind", row->kind);
    print_sizes(json, row->sizes);
    json_open(json, "settings", '{');
    for (int i = 0; i < row->num_settings; i++)
        json_count(json, row->settings[i].name, row->settings[i].value);
    json_close(json, '}');
    add_comment(json, row);
    json_close(json, '}');
}

void tune_print_json(const struct tune *tune)
{
    struct json json;
    json_begin(&json);
    json_device(&json, &tune->device.facts);
    json_text(&json, "clsort", clsort_version());
    json_count(&json, "keys", tune->options.count);
    json_number(&json, "seconds", seconds_now() - tune->start);
    json_flag(&json, "tried_all", !tune->is_over && !tune->has_ended_early);
    json_open(&json, "rows", '[');
    for (int i = 0; i < tune->num_rows; i++) {
        if (tune->rows[i].num_settings > 0)
            print_row(&json, &tune->rows[i]);
    }
    json_close(&json, ']');
    json_open(&json, "measured", '[');
    for (int i = 0; i < tune->numbers.num; i++) {
        json_open(&json, NULL, '{');
        json_text(&json, "kind", tune->numbers.all[i].kind);
        print_sizes(&json, tune->numbers.all[i].sizes);
        json_text(&json, "name", tune->numbers.all[i].name);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_end(&json, stderr);
}
