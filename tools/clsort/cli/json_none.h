/* json_none.h: the functions of cJSON that the tool calls, where it was built without: so that
 * no caller has to know. None makes anything. */
#ifndef CLSORT_TOOL_JSON_NONE_H
#define CLSORT_TOOL_JSON_NONE_H

#include <stddef.h>

typedef struct cJSON cJSON;

/* clang-format off */
#define cJSON_CreateObject()                         ((cJSON *)NULL)
#define cJSON_AddObjectToObject(object, name)        ((void)(object), (void)(name), (cJSON *)NULL)
#define cJSON_AddArrayToObject(object, name)         ((void)(object), (void)(name), (cJSON *)NULL)
#define cJSON_CreateNumber(value)                    ((void)(value), (cJSON *)NULL)
#define cJSON_AddItemToArray(array, item)            ((void)(array), (void)(item))
#define cJSON_AddStringToObject(object, name, text)  ((void)(object), (void)(name), (void)(text))
#define cJSON_AddNumberToObject(object, name, value) ((void)(object), (void)(name), (void)(value))
#define cJSON_AddBoolToObject(object, name, value)   ((void)(object), (void)(name), (void)(value))
#define cJSON_AddNullToObject(object, name)          ((void)(object), (void)(name))
#define cJSON_AddRawToObject(object, name, text)     ((void)(object), (void)(name), (void)(text))
#define cJSON_PrintUnformatted(object)               ((void)(object), (char *)NULL)
#define cJSON_Delete(object)                         ((void)(object))
#define cJSON_free(text)                             ((void)(text))
/* clang-format on */

#endif
