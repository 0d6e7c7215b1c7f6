#include "json.h"

#include "message.h"

#include <inttypes.h>

void json_add_u64(cJSON *object, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number);
    cJSON_AddRawToObject(object, name, text);
}

void json_add_device(cJSON *object, const struct device_facts *facts)
{
    cJSON_AddStringToObject(object, "device", facts->name);
    cJSON_AddStringToObject(object, "platform", facts->platform);
    cJSON_AddStringToObject(object, "driver", facts->driver);
    cJSON_AddStringToObject(object, "opencl", facts->version);
}

bool json_print_line(FILE *file, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text) {
        message("out of memory");
        return false;
    }
    fprintf(file, "%s\n", text);
    cJSON_free(text);
    return true;
}
