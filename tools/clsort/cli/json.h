/* json.h: one JSON object a line, written member by member; or a line of CSV, which has the
 * members' names or their values. The text is kept until the end. */
#ifndef CLSORT_TOOL_JSON_H
#define CLSORT_TOOL_JSON_H

#include "memory/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* In CSV (RFC 4180) null is empty, flags are 0 and 1, and blanks separate a list's numbers. A text
 * of one word has no quotes unless it needs them. */
enum json_form { JSON_AS_JSON, JSON_AS_CSV_NAMES, JSON_AS_CSV };

struct json {
    enum json_form form;
    FILE *stream;
    char *text;
    size_t size;
    bool has_members; /* of what is open */
};

void json_begin(struct json *json);
void json_begin_as(struct json *json, enum json_form form);

/* Prints the line, or dies. */
void json_end(struct json *json, FILE *file);

/* An object or an array as a member; in an array, and at the beginning of an object in one, the
 * name is NULL. */
void json_open(struct json *json, const char *name, char bracket);
void json_close(struct json *json, char bracket);

/* Members. A NULL text is null, as a number is that is not finite. */
void json_text(struct json *json, const char *name, const char *text);
void json_count(struct json *json, const char *name, uint64_t number);
void json_number(struct json *json, const char *name, double number);
void json_flag(struct json *json, const char *name, bool is_set);

/* A device's names, which are null if there is no device. */
void json_device(struct json *json, const struct device_facts *facts);

#endif
