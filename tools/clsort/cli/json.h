/* json.h: cJSON with whole numbers of 64 bits, a line an object. Without cJSON, has_json() of
 * options.h refuses --json, and nothing here is called. */
#ifndef CLSORT_TOOL_JSON_H
#define CLSORT_TOOL_JSON_H

#include "memory/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef CLSORT_TOOL_HAS_JSON
#include <cjson/cJSON.h>
#else
#include "cli/json_none.h"
#endif

/* cJSON's own numbers are doubles. */
void json_add_u64(cJSON *object, const char *name, uint64_t number);

/* Its names, which are null if there is no device. */
void json_add_device(cJSON *object, const struct device_facts *facts);

/* Prints an object on a line and deletes it. False with a message when memory is out, also for an
 * object that is NULL. */
bool json_print_line(FILE *file, cJSON *object);

#endif
