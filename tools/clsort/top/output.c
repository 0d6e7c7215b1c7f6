/* output.c: the outputs of 'clsort top', opened when there is something to write. */
#include "numbers/key.h"
#include "numbers/text.h"
#include "top/job.h"

static bool open_outputs(struct top_output *output)
{
    if (output->is_open)
        return true;
    output->is_open = true;
    return output_open(&output->elements, output->path) &&
           (!output->offsets_path || output_open(&output->offsets, output->offsets_path));
}

static bool write_lines(struct top_output *output, const void *elements, uint64_t num)
{
    enum { BUFFER_SIZE = 1 << 16 };
    static char buffer[BUFFER_SIZE];
    const size_t size = clsort_type_size(output->type);
    size_t used = 0;
    for (uint64_t i = 0; i < num; i++) {
        if (used + KEY_TEXT >= BUFFER_SIZE) {
            if (!output_write(&output->elements, buffer, used))
                return false;
            used = 0;
        }
        used += text_print(output->type, key_load(size, elements, i), buffer + used);
        buffer[used++] = '\n';
    }
    return output_write(&output->elements, buffer, used);
}

bool top_output_write(struct top_output *output, const void *elements, uint64_t num)
{
    output->num_written += num;
    return open_outputs(output) &&
           (num == 0 ||
            (output->is_text ? write_lines(output, elements, num)
                             : output_write_many(&output->elements, elements,
                                                 num * clsort_type_size(output->type))));
}

bool top_output_write_found(struct top_output *output, const struct top_found *found)
{
    return top_output_write(output, found->indices ? found->indices : found->keys, found->num);
}

bool top_output_write_offsets(struct top_output *output, const uint64_t *offsets, uint64_t num)
{
    return open_outputs(output) && (!output->offsets_path || output_write(&output->offsets, offsets,
                                                                          num * sizeof(*offsets)));
}

bool top_output_finish(struct top_output *output)
{
    struct output *const all[] = {&output->elements, &output->offsets};
    return open_outputs(output) && output_finish_all(all, output->offsets_path ? 2 : 1);
}
