/* json_lines MEMBER...: whether the standard input is lines, one at least, each a JSON object
 * with these members, by cJSON. Says what is wrong and ends with 1 if not. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t capacity = 0;
    int num_lines = 0;
    for (ssize_t size; (size = getline(&line, &capacity, stdin)) > 0; num_lines++) {
        const char *end = NULL;
        line[size - (line[size - 1] == '\n')] = '\0';
        cJSON *object = cJSON_ParseWithOpts(line, &end, 1);
        if (!cJSON_IsObject(object)) {
            printf("line %d is no JSON object: %s\n", num_lines + 1, line);
            return 1;
        }
        for (int i = 1; i < argc; i++) {
            if (!cJSON_GetObjectItemCaseSensitive(object, argv[i])) {
                printf("line %d has no \"%s\": %s\n", num_lines + 1, argv[i], line);
                return 1;
            }
        }
        cJSON_Delete(object);
    }
    free(line);
    if (num_lines == 0)
        puts("there are no lines");
    return num_lines == 0;
}
