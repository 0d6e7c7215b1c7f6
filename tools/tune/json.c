/* json.c: what 'clsort tune' has found, as one line of JSON. */
#include "tune/tune.h"

#include "cli/json.h"
#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

/* The sizes of a row, " key=4 payload=0", are numbers as its settings are. */
static void add_sizes(cJSON *object, const char *sizes)
{
    for (const char *at = sizes; (at = strchr(at, ' ')) && at[1];) {
        char name[TUNE_SIZES_TEXT];
        const char *equals = strchr(++at, '=');
        if (!equals)
            return;
        snprintf(name, sizeof(name), "%.*s", (int)(equals - at), at);
        json_add_u64(object, name, strtoull(equals + 1, NULL, 10));
    }
}

/* The lines as the file has them; "" without memory for them. */
static void add_comment(cJSON *object, const struct tune_row *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        tune_print_comment(row, file);
        fclose(file);
    }
    cJSON_AddStringToObject(object, "comment", text ? text : "");
    free(text);
}

static cJSON *json_of_row(const struct tune_row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", row->kind);
    add_sizes(cJSON_AddObjectToObject(object, "sizes"), row->sizes);
    cJSON *settings = cJSON_AddObjectToObject(object, "settings");
    for (int i = 0; i < row->num_settings; i++)
        json_add_u64(settings, row->settings[i].name, row->settings[i].value);
    add_comment(object, row);
    return object;
}

static cJSON *json_of_number(const struct tune_number *number)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", number->kind);
    add_sizes(cJSON_AddObjectToObject(object, "sizes"), number->sizes);
    cJSON_AddStringToObject(object, "name", number->name);
    return object;
}

bool tune_print_json(const struct tune *tune)
{
    cJSON *object = cJSON_CreateObject();
    json_add_device(object, &tune->device.facts);
    cJSON_AddStringToObject(object, "clsort", clsort_version());
    json_add_u64(object, "keys", tune->options.count);
    cJSON_AddNumberToObject(object, "seconds", seconds_now() - tune->start);
    cJSON_AddBoolToObject(object, "tried_all", !tune->is_over && !tune->has_ended_early);
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    for (int i = 0; i < tune->num_rows; i++) {
        if (tune->rows[i].num_settings > 0)
            cJSON_AddItemToArray(rows, json_of_row(&tune->rows[i]));
    }
    cJSON *numbers = cJSON_AddArrayToObject(object, "measured");
    for (int i = 0; i < tune->num_numbers; i++)
        cJSON_AddItemToArray(numbers, json_of_number(&tune->numbers[i]));
    return json_print_line(stderr, object);
}
