/* piece.c: reading pieces of one or more files, in lines. */
#include "text/job.h"

#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"

#include <string.h>
#include <unistd.h>

enum {
    SLICE = 1 << 18, /* bytes that a thread splits at once */
    MOST_BLOCK = 1 << 24
};

/* By what sorting the lines costs, about, in bytes: the text, what their codes may take, where each
 * begins, its place in the order, its prefix, and what the sort of these takes. */
static bool is_full(struct text_job *job)
{
    enum { A_LINE = 64 };
    const uint64_t all = job->options.memory;
    const uint64_t memory = job->is_opening ? device_leaves(all) : all - job->sort.device.host_size;
    const uint64_t count = job->lines.count;
    bool has_strings = job->order.num_keys == 0 && (job->is_alone || !job->has_looked);
    for (int i = 0; i < job->order.num_keys; i++)
        has_strings |= job->order.keys[i].flags.kind == TEXT_STRING;
    const uint64_t cost = job->text_read * (has_strings ? 2 : 1) + count * A_LINE;
    return count > 0 && (job->is_short || cost > memory || count > UINT32_MAX / 2);
}

/* What the threads share that find the ends of lines in new bytes of a piece. */
struct splitting {
    struct lines *lines;
    const char *text; /* the bytes */
    char end;
    uint64_t before[MOST_BLOCK / SLICE + 2]; /* lines before each slice, and before its end */
};

static void count_slice(void *context, const struct parallel_slice *slice)
{
    struct splitting *splitting = context;
    const char *const text = splitting->text, end = splitting->end;
    uint64_t num = 0;
    for (uint64_t i = slice->begin; i < slice->end; i++)
        num += text[i] == end;
    splitting->before[slice->number + 1] = num;
}

static void split_slice(void *context, const struct parallel_slice *slice)
{
    const struct splitting *splitting = context;
    const struct lines *lines = splitting->lines;
    const char *at = splitting->text + slice->begin, *const end = splitting->text + slice->end;
    for (uint64_t i = splitting->before[slice->number]; i < splitting->before[slice->number + 1];) {
        at = (const char *)memchr(at, splitting->end, (size_t)(end - at)) + 1;
        key_store(lines->offset_size, lines->starts.data, ++i,
                  (uint64_t)(at - (const char *)lines->text.data));
    }
}

/* Adds the lines that end in `size` new bytes, for whose starts there is room. */
static void split(struct text_job *job, size_t size)
{
    struct lines *lines = &job->lines;
    const uint64_t num_slices = (size + SLICE - 1) / SLICE;
    struct splitting splitting = {
        lines, (const char *)lines->text.data + job->text_read, job->order.end, {lines->count}};
    parallel_for(size, SLICE, count_slice, &splitting);
    for (uint64_t i = 0; i < num_slices; i++)
        splitting.before[i + 1] += splitting.before[i];
    parallel_for(size, SLICE, split_slice, &splitting);
    lines->count = splitting.before[num_slices];
    job->text_read += size;
}

static bool grow(struct bytes *bytes, uint64_t needed)
{
    return needed <= bytes->capacity || bytes_try(bytes, needed + bytes->capacity / 2) ||
           bytes_try(bytes, needed);
}

/* Makes room for text_size more bytes of text, each of which may end a line. */
static bool make_room(struct lines *lines, uint64_t text_size, uint64_t *needed_ret)
{
    const bool is_wide = text_size > UINT32_MAX;
    const uint64_t most = lines->count + (text_size - lines->text.size) + 1;
    *needed_ret = text_size;
    if (!grow(&lines->text, text_size))
        return false;
    *needed_ret = most * (is_wide ? sizeof(uint64_t) : sizeof(uint32_t));
    if (!grow(&lines->starts, *needed_ret))
        return false;
    const uint32_t *narrow = lines->starts.data;
    for (uint64_t i = lines->count + 1; is_wide && lines->offset_size == 4 && i-- > 0;)
        key_store(sizeof(uint64_t), lines->starts.data, i, narrow[i]);
    lines->offset_size = is_wide ? 8 : 4;
    return true;
}

const char *text_file_of(const struct text_job *job, uint64_t line, uint64_t *first_ret)
{
    int input = job->num_opened - 1;
    while (input > 0 && job->inputs[input].first_line > line)
        input--;
    const char *path = job->inputs[input].path;
    *first_ret = job->inputs[input].first_line;
    return path_is_standard(path) ? "standard input" : path;
}

/* Without a header the first row of all tells of the columns. */
static void take_first_row(struct text_job *job)
{
    uint64_t first;
    size_t size;
    if (job->order.num_headers || job->num_lines || job->lines.count == 0)
        return;
    const char *line = text_line(job, 0, &size);
    text_learn_columns(&job->order, text_file_of(job, 0, &first), line, size);
}

/* A size to read at once, so that a piece is not much larger than the memory. Much of a file is
 * read by several threads. */
static size_t block_size(const struct text_job *job)
{
    enum { FEW = 1 << 19, LEAST = 512, SHARE = 256 };
    const uint64_t share = job->block ? job->block : job->options.memory / SHARE;
    const struct source *source = &job->stream.source;
    const bool has_many = source->size >= source->num_read + MOST_BLOCK;
    const uint64_t most = has_many ? MOST_BLOCK : FEW;
    return share > most ? most : share < LEAST ? LEAST : (size_t)share;
}

/* Reads a block behind what there is, or goes on to the next file. */
static void read_block(struct text_job *job)
{
    if (!job->stream.source.name) {
        struct text_input *input = &job->inputs[job->num_opened++];
        input->first_line = job->num_lines + job->lines.count;
        text_stream_open(&job->stream, input->path, &job->order, block_size(job));
        text_take_header(job, &job->stream, input == job->inputs);
    }
    const size_t block = block_size(job);
    uint64_t needed;
    job->lines.text.size = (size_t)job->text_read;
    if (!make_room(&job->lines, job->text_read + block + 1, &needed)) {
        job->is_short = job->lines.count > 0;
        if (!job->is_short)
            bytes_refuse(needed);
        return;
    }
    const size_t size =
        text_stream_take(&job->stream, (char *)job->lines.text.data + job->text_read, block);
    split(job, size);
    if (job->stream.source.is_at_end && size < block) {
        char *text = job->lines.text.data;
        if (job->text_read > 0 && text[job->text_read - 1] != job->order.end) {
            text[job->text_read] = job->order.end; /* of a last line that has none */
            split(job, 1);
        }
        text_stream_close(&job->stream);
        job->has_ended = job->num_opened == job->num_inputs;
    }
}

enum { NOTE_SIZE = 4096 }; /* bytes that are looked at */

/* Prints a note if the begin of a text has zero bytes, as raw keys have. */
static void note_zeros_of(const char *name, const void *text, size_t size)
{
    if (size && memchr(text, '\0', size < NOTE_SIZE ? size : NOTE_SIZE))
        message("note: %s has zero bytes and is taken for lines of text; raw keys need -y TYPE, "
                "lines that end with zero bytes need 'sort -z'; --lines silences this note",
                name);
}

void text_note_zeros_of(const struct source *source)
{
    char text[NOTE_SIZE];
    const ssize_t size =
        source->size ? pread(source->fd, text, sizeof(text), (off_t)source->start) : 0;
    note_zeros_of(source->name, text, size > 0 ? (size_t)size : 0);
}

/* The begin of a file may be its header. */
static void note_zeros(const struct text_job *job)
{
    const char *name = job->num_inputs > 1                     ? "the text"
                       : path_is_standard(job->inputs[0].path) ? "standard input"
                                                               : job->inputs[0].path;
    const struct bytes *text = job->header.size ? &job->header : &job->lines.text;
    note_zeros_of(name, text->data, text->size);
}

bool text_read_piece(struct text_job *job)
{
    struct lines *lines = &job->lines;
    const double start = seconds_now();
    job->is_short = false;
    while (!job->has_ended && !is_full(job))
        read_block(job);
    lines->text.size = lines->count ? (size_t)lines_start(lines, lines->count) : 0;
    if (job->notes_zeros && job->num_lines == 0)
        note_zeros(job);
    take_first_row(job);
    sort_timed(&job->sort, STAGE_READING, start);
    return job->has_ended;
}

void text_drop_piece(struct text_job *job)
{
    struct lines *lines = &job->lines;
    char *text = lines->text.data;
    job->num_lines += lines->count;
    job->text_read -= lines->text.size;
    if (job->text_read)
        memmove(text, text + lines->text.size, (size_t)job->text_read);
    lines->text.size = 0;
    lines->count = 0;
}
