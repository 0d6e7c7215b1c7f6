#include "numbers/sort_job.h"

/* Whether the key at that place of the order is not the one before it. */
static bool is_first(struct unique *unique, const struct unique_keys *keys, uint64_t place)
{
    const uint64_t position =
        keys->positions ? key_load(keys->position_size, keys->positions, place) : place;
    const uint64_t rank = element_rank(unique->elements, keys->keys, position);
    const bool is_first = !unique->has_last || rank != unique->last;
    unique->has_last = true;
    unique->last = rank;
    return is_first;
}

void unique_write(struct unique *unique, const struct unique_keys *keys, const void *data,
                  size_t size, struct output *output)
{
    char chunk[1 << 16];
    size_t num = 0; /* bytes in it */
    for (uint64_t i = 0; i < keys->count; i++) {
        const char *element = (const char *)data + i * size;
        if (!is_first(unique, keys, i))
            continue;
        unique->num_written++;
        if (num + size > sizeof(chunk)) {
            output_write(output, chunk, num);
            num = 0;
        }
        if (size > sizeof(chunk)) {
            output_write(output, element, size);
            continue;
        }
        memcpy(chunk + num, element, size);
        num += size;
    }
    output_write(output, chunk, num);
}
