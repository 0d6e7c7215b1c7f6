/* check.c: whether lines are in order, by code that is not the library's. */
#include "lines/job.h"

#include "cli/command.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <string.h>

/* Lines without their line feeds. */
int lines_compare(const char *a, size_t a_size, const char *b, size_t b_size)
{
    const size_t size = a_size < b_size ? a_size : b_size;
    const int order = size ? memcmp(a, b, size) : 0;
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

static bool is_disorder(clsort_order order, int compared)
{
    return order == CLSORT_DESCENDING ? compared < 0 : compared > 0;
}

/* How lines i and j of a text compare. */
static int compare_lines(const struct lines *lines, uint64_t i, uint64_t j)
{
    const char *text = lines->text.data;
    const uint64_t a = lines_start(lines, i), b = lines_start(lines, j);
    return lines_compare(text + a, (size_t)(lines_start(lines, i + 1) - a - 1), text + b,
                         (size_t)(lines_start(lines, j + 1) - b - 1));
}

bool lines_are_right(const struct lines_job *job, uint64_t before, const struct output *output)
{
    const struct lines *lines = &job->lines;
    const clsort_desc *desc = &job->job.desc;
    struct bytes seen = {0}; /* a bit a line */
    if (!bytes_reserve(&seen, lines->count / 8 + 1))
        return false;
    uint8_t *bits = seen.data;
    uint64_t last = 0, i = 0;
    for (; i < lines->count; i++) {
        const uint64_t index = key_load(desc->index_size, job->job.indices.data, i);
        if (index >= lines->count || bits[index / 8] >> index % 8 & 1)
            break;
        bits[index / 8] = (uint8_t)(bits[index / 8] | 1u << index % 8);
        const int compared = i ? compare_lines(lines, last, index) : 0;
        if (is_disorder(desc->order, compared) || (i && compared == 0 && index < last))
            break;
        last = index;
    }
    bytes_free(&seen);
    if (i < lines->count)
        message("verification failed: line %" PRIu64 " of the output is wrong; %s", before + i + 1,
                output_verdict(output));
    return i == lines->count;
}

const char *lines_show(const char *line, size_t size, char shown[LINES_SHOWN + 4])
{
    size_t end = 0;
    for (; end < LINES_SHOWN && end < size; end++)
        shown[end] = line[end] < ' ' || line[end] > '~' ? '?' : line[end];
    strcpy(shown + end, end < size ? "..." : "");
    return shown;
}

static int check_order(struct line_reader *reader, clsort_order order)
{
    for (;;) {
        bool has_line;
        if (!line_read(reader, &has_line))
            return EXIT_TROUBLE;
        if (!has_line)
            return EXIT_DONE;
        const char *line = reader->line, *before = reader->before;
        const size_t size = reader->line_size, before_size = reader->before_size;
        if (before && is_disorder(order, lines_compare(before, before_size, line, size))) {
            char before_shown[LINES_SHOWN + 4], shown[LINES_SHOWN + 4];
            message("%s:%" PRIu64 ": disorder: '%s' after '%s'", reader->source.name,
                    reader->line_number, lines_show(line, size, shown),
                    lines_show(before, before_size, before_shown));
            return EXIT_DISORDER;
        }
    }
}

int lines_check(const char *path, clsort_order order, bool notes_zeros, uint64_t *line_ret)
{
    struct line_reader reader = {.next = 0};
    if (!source_open(&reader.source, path))
        return EXIT_TROUBLE;
    if (notes_zeros)
        lines_note_zeros_of(&reader.source);
    progress_stage("checking", reader.source.size);
    const int result = check_order(&reader, order);
    progress_end();
    *line_ret = reader.line_number;
    line_reader_close(&reader);
    return result;
}
