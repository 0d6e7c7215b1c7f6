#include "cli/json.h"

#include "cli/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_quoted(FILE *stream, const char *text)
{
    static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    fputc('"', stream);
    for (; *text; text++) {
        const char *special = strchr(letters, *text);
        if (special)
            fprintf(stream, "\\%c", names[special - letters]);
        else if ((unsigned char)*text < 0x20)
            fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
    }
    fputc('"', stream);
}

static void print_csv(FILE *stream, const char *text)
{
    const bool is_quoted = strpbrk(text, " ,\"\r\n") != NULL;
    fputs(is_quoted ? "\"" : "", stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputs(is_quoted ? "\"" : "", stream);
}

/* Whether a member's value is to be printed now. */
static bool begin_member(struct json *json, const char *name)
{
    if (json->form == JSON_AS_CSV_NAMES && !name)
        return false;
    if (json->has_members)
        fputc(json->form == JSON_AS_CSV && !name ? ' ' : ',', json->stream);
    json->has_members = true;
    if (name && json->form == JSON_AS_CSV_NAMES)
        fputs(name, json->stream);
    if (json->form == JSON_AS_JSON && name) {
        print_quoted(json->stream, name);
        fputc(':', json->stream);
    }
    return json->form != JSON_AS_CSV_NAMES;
}

void json_open(struct json *json, const char *name, char bracket)
{
    if (begin_member(json, name) && json->form == JSON_AS_JSON)
        fputc(bracket, json->stream);
    json->has_members = false;
}

void json_close(struct json *json, char bracket)
{
    if (json->form == JSON_AS_JSON)
        fputc(bracket, json->stream);
    json->has_members = true;
}

void json_begin(struct json *json)
{
    json_begin_as(json, JSON_AS_JSON);
}

void json_begin_as(struct json *json, enum json_form form)
{
    *json = (struct json){.form = form};
    json->stream = open_memstream(&json->text, &json->size);
    if (!json->stream)
        die("out of memory");
    json_open(json, NULL, '{');
}

void json_end(struct json *json, FILE *file)
{
    json_close(json, '}');
    if (fclose(json->stream) != 0)
        die("out of memory");
    if (fprintf(file, "%s\n", json->text) < 0)
        die_told();
    free(json->text);
}

void json_text(struct json *json, const char *name, const char *text)
{
    if (!begin_member(json, name))
        return;
    if (json->form == JSON_AS_CSV)
        print_csv(json->stream, text ? text : "");
    else if (text)
        print_quoted(json->stream, text);
    else
        fputs("null", json->stream);
}

void json_count(struct json *json, const char *name, uint64_t number)
{
    if (begin_member(json, name))
        fprintf(json->stream, "%" PRIu64, number);
}

/* 15 digits, or where these are another double, 17; in CSV 9. */
void json_number(struct json *json, const char *name, double number)
{
    const bool is_csv = json->form == JSON_AS_CSV;
    char text[32];
    if (!isfinite(number)) {
        json_text(json, name, NULL);
        return;
    }
    snprintf(text, sizeof text, "%.*g", is_csv ? 9 : 15, number);
    if (!is_csv && strtod(text, NULL) != number)
        snprintf(text, sizeof text, "%.17g", number);
    if (begin_member(json, name))
        fputs(text, json->stream);
}

void json_flag(struct json *json, const char *name, bool is_set)
{
    if (begin_member(json, name))
        fputs(json->form == JSON_AS_CSV ? (is_set ? "1" : "0")
              : is_set                  ? "true"
                                        : "false",
              json->stream);
}

void json_device(struct json *json, const struct device_facts *facts)
{
    const char *const members[][2] = {{"device", facts->name},
                                      {"platform", facts->platform},
                                      {"driver", facts->driver},
                                      {"opencl", facts->version}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        json_text(json, members[i][0], *members[i][1] ? members[i][1] : NULL);
}
