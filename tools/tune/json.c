/* json.c: what 'clsort tune' has found, as one line of JSON. */
#include "tune/tune.h"

#include "cli/json.h"
#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

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
static void print_comment(struct json *json, const struct tune_row *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        tune_print_comment(row, file);
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
    print_comment(json, row);
    json_close(json, '}');
}

static void print_number(struct json *json, const struct tune_number *number)
{
    json_open(json, NULL, '{');
    json_text(json, "kind", number->kind);
    print_sizes(json, number->sizes);
    json_text(json, "name", number->name);
    json_close(json, '}');
}

bool tune_print_json(const struct tune *tune)
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
    for (int i = 0; i < tune->num_numbers; i++)
        print_number(&json, &tune->numbers[i]);
    json_close(&json, ']');
    return json_end(&json, stderr);
}
