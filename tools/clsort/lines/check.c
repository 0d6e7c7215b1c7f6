/* check.c: whether lines are in order, by code that is not the library's. */
#include "lines/job.h"

#include "cli/command.h"
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
