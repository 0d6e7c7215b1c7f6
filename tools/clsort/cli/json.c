#include "cli/json.h"

#include "cli/message.h"

#include <inttypes.h>

void json_add_u64(cJSON *object, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number);
    cJSON_AddRawToObject(object, name, text);
}

/* A text that is not there is null. */
static void add_text(cJSON *object, const char *name, const char *text)
{
    if (*text)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

void json_add_device(cJSON *object, const struct device_facts *facts)
{
    add_text(object, "device", facts->name);
    add_text(object, "platform", facts->platform);
    add_text(object, "driver", facts->driver);
    add_text(object, "opencl", facts->version);
}

bool json_print_line(FILE *file, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text) {
        message("out of memory");
        return false;
    }
    const bool ok = fprintf(file, "%s\n", text) >= 0;
    cJSON_free(text);
    return ok;
}
