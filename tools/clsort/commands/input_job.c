#include "commands/input_job.h"

#include "cli/message.h"

#include <inttypes.h>
#include <stddef.h>

/* Lines of text are what a file holds, unless one of these is given. */
static const struct {
    int option;
    const char *instead;
} of_elements[] = {
    {'y', "-y, --type is for raw keys and --text; lines have -n, -g and the flags of -k"},
    {'a', "-a, --algorithm is for raw keys; lines by keys have one algorithm"},
    {OPTION_RECORD_SIZE, "--record-size is for raw keys; lines end with a line feed"},
    {OPTION_KEY_OFFSET, "--key-offset is for raw keys; -k says where a key lies in a line"},
    {OPTION_SEGMENTS, "--segments are parts of raw keys"},
    {OPTION_VALUE_FILE, "--values move with raw keys"},
    {OPTION_VALUE_OUTPUT, "--values-output is for the values that move with raw keys"},
    {OPTION_TEXT, "--text is one number a line by its type; lines by keys have -n and -g"},
};

const char *input_job_elements(int c)
{
    for (size_t i = 0; i < sizeof(of_elements) / sizeof(of_elements[0]); i++) {
        if (of_elements[i].option == c)
            return of_elements[i].instead;
    }
    return NULL;
}

static bool take_size(uint32_t *size_ret, const char *what, uint64_t first, uint64_t last)
{
    uint64_t size = 0;
    const bool ok = parse_number(optarg, what, first, last, &size);
    *size_ret = (uint32_t)size;
    return ok;
}

bool input_job_take(struct input_job *job, int c)
{
    job->has_elements |= input_job_elements(c) != NULL;
    switch (c) {
    case 'y':
        return parse_type(optarg, &job->elements.type);
    case 'r':
        job->order = CLSORT_DESCENDING;
        return true;
    case 'D':
        job->device = optarg;
        return true;
    case 'o':
        return set_once("-o", optarg, &job->output);
    case OPTION_RECORD_SIZE:
        return take_size(&job->elements.size, "the size of a record", 1, 256);
    case OPTION_KEY_OFFSET:
        return take_size(&job->elements.offset, "the offset of a key", 0, 255);
    case OPTION_TEXT:
        return job->is_text = true;
    case OPTION_LINES:
        return job->is_lines = true;
    case OPTION_JSON:
        job->is_json = true;
        return true;
    default:
        return true;
    }
}

bool input_job_complete(struct input_job *job, const char *path)
{
    struct elements *elements = &job->elements;
    const uint32_t size = clsort_type_size(elements->type);
    job->path = path;
    job->is_unsaid = !job->is_lines && !job->has_elements;
    job->is_lines |= job->is_unsaid;
    if (elements->size == 0 && elements->offset == 0)
        elements->size = size;
    if (elements->size == 0)
        message("--key-offset is for records; give their --record-size");
    else if (elements->offset + size > elements->size)
        message("a %s key at byte %" PRIu32 " is not within a record of %" PRIu32 " bytes",
                clsort_type_name(elements->type), elements->offset, elements->size);
    else
        return true;
    return false;
}

bool input_job_open(const struct input_job *job, struct input *input)
{
    return input_open(input, job->path, job->is_text, &job->elements);
}
