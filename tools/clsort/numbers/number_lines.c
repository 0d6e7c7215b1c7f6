/* number_lines.c: a block of lines is cut into parts, whose lines are counted and then parsed, each
 * part by one thread: its numbers go where the lines before it say. */
#include "numbers/number_lines.h"

#include "numbers/key.h"
#include "cli/message.h"
#include "memory/parallel.h"

#include <inttypes.h>
#include <string.h>

enum {
    BLOCK_SIZE = 2 << 20, /* bytes of lines: little, and enough for several threads */
    MIN_PART = 128 << 10, /* bytes that are worth a thread */
    MAX_PARTS = 16
};

struct part {
    const char *begin, *end; /* of lines */
    uint64_t num_before, num;
    const char *refused; /* a line, of `refused_size` bytes, or NULL */
    size_t refused_size;
    uint64_t refused_number; /* of the part's lines, counted from 0 */
    enum text_status status;
};

struct block {
    clsort_type type;
    char *keys;
    uint64_t num_parts;
    struct part parts[MAX_PARTS];
};

void refuse_line(const char *name, uint64_t number, clsort_type type, enum text_status status,
                 const char *line, size_t size)
{
    enum { SHOWN = 60 };
    char shown[SHOWN + 1];
    size_t end = 0;
    for (; end < SHOWN && end < size; end++)
        shown[end] = line[end] < ' ' || line[end] > '~' ? '?' : line[end];
    shown[end] = '\0';
    const char *more = end < size ? "..." : "";
    const char *type_name = clsort_type_name(type);
    if (end == 0)
        message("%s:%" PRIu64
                ": the line is empty, and each holds one number; 'clsort sort -n' takes any",
                name, number);
    else if (status == TEXT_OUT_OF_RANGE)
        message("%s:%" PRIu64 ": '%s%s' is out of the range of %s", name, number, shown, more,
                type_name);
    else
        message("%s:%" PRIu64 ": '%s%s' is not one %s number; is -y right?", name, number, shown,
                more, type_name);
}

static size_t line_size(const char *line, const char *end)
{
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return (size_t)((feed ? feed : end) - line);
}

static bool count_lines(void *context, uint64_t i)
{
    struct part *part = &((struct block *)context)->parts[i];
    uint64_t num = 0;
    for (const char *at = part->begin; at < part->end; at++)
        num += *at == '\n';
    part->num = num + (part->begin < part->end && part->end[-1] != '\n');
    return true;
}

static bool parse_lines(void *context, uint64_t i)
{
    const struct block *block = context;
    struct part *part = &((struct block *)context)->parts[i];
    const size_t key_size = clsort_type_size(block->type);
    const char *line = part->begin;
    for (uint64_t number = 0; number < part->num; number++) {
        const size_t size = line_size(line, part->end);
        uint64_t bits;
        part->status = text_parse(block->type, line, size, &bits);
        if (part->status != TEXT_OK) {
            part->refused = line;
            part->refused_size = size;
            part->refused_number = number;
            return false;
        }
        key_store(key_size, block->keys, part->num_before + number, bits);
        line += size + 1;
    }
    return true;
}

/* Parts of about the same size that begin with lines. */
static void cut(struct block *block, const char *lines, size_t size)
{
    const uint64_t most = parallel_threads(), wanted = size / MIN_PART + 1;
    const uint64_t num = wanted < most ? wanted : most;
    const char *begin = lines, *end = lines + size;
    block->num_parts = num < MAX_PARTS ? num : MAX_PARTS;
    for (uint64_t i = 0; i < block->num_parts; i++) {
        const char *aim = lines + size / block->num_parts * (i + 1);
        struct part *part = &block->parts[i];
        part->begin = begin;
        part->end = end;
        if (i + 1 < block->num_parts && aim > begin) {
            const size_t rest = line_size(aim, end);
            part->end = aim + rest < end ? aim + rest + 1 : end;
        } else if (i + 1 < block->num_parts) {
            part->end = begin;
        }
        begin = part->end;
    }
}

/* The parts before one that was refused have all been begun. */
static bool refuse(const struct block *block, const struct line_reader *reader)
{
    const struct part *part = block->parts;
    while (!part->refused)
        part++;
    refuse_line(reader->source.name,
                reader->line_number + part->num_before + part->refused_number + 1, block->type,
                part->status, part->refused, part->refused_size);
    return false;
}

static bool read_block(struct number_lines *numbers, struct line_reader *reader)
{
    struct block block = {.type = numbers->type};
    const char *lines;
    size_t size;
    uint64_t num = 0;
    numbers->num = numbers->num_taken = 0;
    if (!line_read_many(reader, BLOCK_SIZE, &lines, &size))
        return false;
    cut(&block, lines, size);
    parallel_for(block.num_parts, count_lines, &block);
    for (uint64_t i = 0; i < block.num_parts; i++) {
        block.parts[i].num_before = num;
        num += block.parts[i].num;
    }
    if (!bytes_reserve(&numbers->keys, num * clsort_type_size(numbers->type)))
        return false;
    block.keys = numbers->keys.data;
    if (!parallel_for(block.num_parts, parse_lines, &block))
        return refuse(&block, reader);
    reader->line_number += num;
    numbers->num = num;
    return true;
}

bool number_lines_read(struct number_lines *numbers, struct line_reader *reader, void *keys,
                       size_t capacity, size_t *num_keys_ret)
{
    const size_t key_size = clsort_type_size(numbers->type);
    *num_keys_ret = 0;
    if (numbers->num_taken == numbers->num && capacity > 0 && !read_block(numbers, reader))
        return false;
    const uint64_t left = numbers->num - numbers->num_taken;
    const size_t num = left < capacity ? (size_t)left : capacity;
    if (num > 0)
        memcpy(keys, (const char *)numbers->keys.data + numbers->num_taken * key_size,
               num * key_size);
    numbers->num_taken += num;
    *num_keys_ret = num;
    return true;
}

void number_lines_close(struct number_lines *numbers)
{
    bytes_free(&numbers->keys);
}
