#include "commands/input_job.h"

#include "cli/message.h"

#include <inttypes.h>
#include <stddef.h>

/* Lines of text are what a file holds, unless one of these is given. */
static const struct {
    const char *option, *instead;
} of_elements[] = {
    {"type", "-y, --type is for raw keys and --text; lines have -n, -g and the flags of -k"},
    {"algorithm", "-a, --algorithm is for raw keys; lines by keys have one algorithm"},
    {"record-size", "--record-size is for raw keys; lines end with a line feed"},
    {"key-offset", "--key-offset is for raw keys; -k says where a key lies in a line"},
    {"segments", "--segments are parts of raw keys"},
    {"values", "--values move with raw keys"},
    {"values-output", "--values-output is for the values that move with raw keys"},
    {"text", "--text is one number a line by its type; lines by keys have -n and -g"},
};

const char *input_job_elements(void)
{
    for (size_t i = 0; i < sizeof(of_elements) / sizeof(of_elements[0]); i++) {
        if (command_line_has(of_elements[i].option))
            return of_elements[i].instead;
    }
    return NULL;
}

void input_job_complete(struct input_job *job, const char *path)
{
    struct elements *elements = &job->elements;
    const uint32_t size = clsort_type_size(elements->type);
    job->path = path;
    job->is_unsaid = !job->is_lines && !input_job_elements();
    job->is_lines |= job->is_unsaid;
    if (elements->size == 0 && elements->offset == 0)
        elements->size = size;
    if (elements->size == 0)
        die("--key-offset is for records; give their --record-size");
    if (elements->offset + size > elements->size)
        die("a %s key at byte %" PRIu32 " is not within a record of %" PRIu32 " bytes",
            clsort_type_name(elements->type), elements->offset, elements->size);
}
