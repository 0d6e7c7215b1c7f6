/* piece.c: reading pieces of one or more files, in lines. */
#include "text/job.h"

#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"

#include <stdatomic.h>
#include <string.h>

enum { SLICE = 1 << 20 }; /* bytes that a thread splits at once */

/* What sorting lines of that size costs, about, in bytes: the text, what their codes may take,
 * where each begins, its place in the order, its prefix, and what the sort of these takes. */
static uint64_t cost(const struct text_job *job, uint64_t size, uint64_t count)
{
    enum { A_LINE = 64 };
    bool has_strings = job->order.num_keys == 0 && (job->is_alone || !job->has_looked);
    for (int i = 0; i < job->order.num_keys; i++)
        has_strings |= job->order.keys[i].flags.kind == TEXT_STRING;
    return size * (has_strings ? 2 : 1) + count * A_LINE;
}

static bool is_full(struct text_job *job)
{
    const uint64_t all = job->options.pieces->memory;
    const uint64_t memory =
        job->is_opening ? device_leaves(all) : all - job->lines.job.device.host_size;
    return job->num_ends > 0 &&
           (job->is_short || cost(job, job->text_read, job->num_ends) > memory ||
            job->num_ends > UINT32_MAX / 2);
}

static uint64_t count_ends(const char *text, size_t size, char end)
{
    uint64_t num = 0;
    for (size_t i = 0; i < size; i++)
        num += text[i] == end;
    return num;
}

struct counting {
    const char *text;
    size_t size;
    char end;
    atomic_uint_fast64_t num;
};

static bool count_part(void *context, uint64_t part)
{
    struct counting *counting = context;
    const size_t left = counting->size - part * SLICE;
    atomic_fetch_add(&counting->num, count_ends(counting->text + part * SLICE,
                                                left < SLICE ? left : SLICE, counting->end));
    return true;
}

/* By all threads. */
static uint64_t count_all_ends(const char *text, size_t size, char end)
{
    struct counting counting = {.text = text, .size = size, .end = end};
    parallel_for((size + SLICE - 1) / SLICE, count_part, &counting);
    return counting.num;
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

/* Keeps a file's first line until its end is there, and learns the columns from it. */
static bool take_titles(struct text_job *job, const char *text, size_t size)
{
    struct bytes *titles = &job->titles;
    if (job->headers_left < job->order.num_headers || !job->order.is_table)
        return true;
    const char *end = memchr(text, job->order.end, size);
    const size_t more = end ? (size_t)(end - text) : size;
    if (!bytes_reserve(titles, titles->size + more + 1))
        return false;
    memcpy((char *)titles->data + titles->size, text, more);
    titles->size += more;
    if (!end && (!job->source.is_at_end || titles->size == 0))
        return true;
    const size_t title_size = titles->size;
    titles->size = 0;
    return text_learn_columns(&job->order, job->source.name, titles->data, title_size);
}

/* Without a header the first row of all tells of the columns. */
static bool take_first_row(struct text_job *job)
{
    uint64_t first;
    size_t size;
    if (job->order.num_headers || job->num_lines || job->lines.lines.count == 0)
        return true;
    const char *line = text_line(job, 0, &size);
    return text_learn_columns(&job->order, text_file_of(job, 0, &first), line, size);
}

/* Takes header lines from the begin of `size` new bytes, whose number it returns. */
static bool take_header(struct text_job *job, const char *text, size_t size, size_t *taken_ret)
{
    size_t taken = 0;
    if (!take_titles(job, text, size))
        return false;
    while (job->headers_left > 0 && taken < size) {
        const char *end = memchr(text + taken, job->order.end, size - taken);
        taken = end ? (size_t)(end + 1 - text) : size;
        job->headers_left -= end != NULL;
    }
    *taken_ret = taken;
    if (job->num_opened > 1 || taken == 0)
        return true;
    if (!bytes_reserve(&job->header, job->header.size + taken + 1))
        return false;
    memcpy((char *)job->header.data + job->header.size, text, taken);
    job->header.size += taken;
    return true;
}

/* The end of a last line that has none, in the header or the text. */
static void end_file(struct text_job *job)
{
    const char end = job->order.end;
    char *header = job->header.data, *text = job->lines.lines.text.data;
    if (job->num_opened == 1 && job->header.size && header[job->header.size - 1] != end)
        header[job->header.size++] = end;
    if (job->text_read && text[job->text_read - 1] != end) {
        text[job->text_read++] = end;
        job->num_ends++;
    }
}

static bool open_next(struct text_job *job)
{
    struct text_input *input = &job->inputs[job->num_opened++];
    input->first_line = job->num_lines + job->num_ends;
    job->headers_left = job->order.num_headers;
    return source_open(&job->source, input->path);
}

/* A size to read at once, so that a piece is not much larger than the memory. Much of a file is
 * read by several threads. */
static size_t block_size(const struct text_job *job)
{
    enum { MANY = 1 << 24, FEW = 1 << 19, LEAST = 512, SHARE = 256 };
    const uint64_t share = job->options.pieces->memory / SHARE;
    const bool has_many = job->source.size >= job->source.num_read + MANY;
    const uint64_t most = has_many ? MANY : FEW;
    return share > most ? most : share < LEAST ? LEAST : (size_t)share;
}

/* Reads a block behind what there is, or goes on to the next file. */
static bool read_block(struct text_job *job)
{
    struct bytes *text = &job->lines.lines.text;
    if (!job->source.name && !open_next(job))
        return false;
    const size_t block = block_size(job);
    size_t size, taken = 0;
    const uint64_t needed = job->text_read + block + 1;
    if (needed > text->capacity && !bytes_try(text, needed + text->capacity / 2) &&
        !bytes_try(text, needed)) {
        job->is_short = job->num_ends > 0;
        return job->is_short || bytes_refuse(needed);
    }
    char *to = (char *)text->data + job->text_read;
    if (!source_read(&job->source, to, block, &size))
        return false;
    const bool is_begin = job->source.num_read == size;
    const size_t mark = is_begin ? text_mark_size(&job->order, to, size) : 0;
    job->has_mark |= mark && job->num_opened == 1;
    if (job->headers_left && !take_header(job, to + mark, size - mark, &taken))
        return false;
    taken += mark;
    if (taken && taken < size)
        memmove(to, to + taken, size - taken);
    job->num_ends += count_all_ends(to, size - taken, job->order.end);
    job->text_read += size - taken;
    if (job->source.is_at_end) {
        end_file(job);
        source_close(&job->source);
        job->source = (struct source){0};
        job->has_ended = job->num_opened == job->num_inputs;
    }
    return true;
}

/* What the threads that split share. */
struct splitting {
    struct text_job *job;
    uint64_t *before; /* line ends before each slice */
};

static size_t slice_size(const struct lines *lines, uint64_t slice)
{
    const uint64_t left = lines->text.size - slice * SLICE;
    return left < SLICE ? (size_t)left : SLICE;
}

static bool count_slice(void *context, uint64_t slice)
{
    const struct splitting *splitting = context;
    const struct lines *lines = &splitting->job->lines.lines;
    splitting->before[slice + 1] = count_ends((const char *)lines->text.data + slice * SLICE,
                                              slice_size(lines, slice), splitting->job->order.end);
    return true;
}

static bool split_slice(void *context, uint64_t slice)
{
    const struct splitting *splitting = context;
    const struct lines *lines = &splitting->job->lines.lines;
    const char *text = lines->text.data, *at = text + slice * SLICE;
    const char *const end = at + slice_size(lines, slice);
    for (uint64_t i = splitting->before[slice]; at < end;) {
        const char *found = memchr(at, splitting->job->order.end, (size_t)(end - at));
        if (!found)
            break;
        at = found + 1;
        key_store(lines->offset_size, lines->starts.data, ++i, (uint64_t)(at - text));
    }
    return true;
}

static bool split(struct text_job *job)
{
    struct lines *lines = &job->lines.lines;
    const uint64_t num_slices = (lines->text.size + SLICE - 1) / SLICE;
    struct splitting splitting = {job, calloc(num_slices + 1, sizeof(uint64_t))};
    lines->offset_size = lines->text.size <= UINT32_MAX ? 4 : 8;
    bool ok = splitting.before != NULL;
    if (!ok)
        message("out of memory");
    ok = ok && parallel_for(num_slices, count_slice, &splitting);
    for (uint64_t i = 0; ok && i < num_slices; i++)
        splitting.before[i + 1] += splitting.before[i];
    if (ok) {
        lines->count = splitting.before[num_slices];
        lines->starts.size = (size_t)(lines->count + 1) * lines->offset_size;
        ok = bytes_reserve(&lines->starts, lines->starts.size);
    }
    if (ok) {
        key_store(lines->offset_size, lines->starts.data, 0, 0);
        parallel_for(num_slices, split_slice, &splitting);
    }
    free(splitting.before);
    return ok;
}

/* The begin of a file may be its header. */
static void note_zeros(const struct text_job *job)
{
    const char *name = job->num_inputs > 1                     ? "the text"
                       : path_is_standard(job->inputs[0].path) ? "standard input"
                                                               : job->inputs[0].path;
    const struct bytes *text = job->header.size ? &job->header : &job->lines.lines.text;
    lines_note_zeros(name, text->data, text->size);
}

bool text_read_piece(struct text_job *job, bool *is_last_ret)
{
    struct lines *lines = &job->lines.lines;
    const double start = seconds_now();
    job->is_short = false;
    while (!job->has_ended && !is_full(job)) {
        if (!read_block(job))
            return false;
    }
    const char *text = lines->text.data, *last = NULL;
    if (job->text_read)
        last = job->has_ended ? text + job->text_read - 1
                              : memrchr(text, job->order.end, job->text_read);
    lines->text.size = last ? (size_t)(last + 1 - text) : 0;
    *is_last_ret = job->has_ended;
    if (job->options.notes_zeros && job->num_lines == 0)
        note_zeros(job);
    const bool ok = split(job) && take_first_row(job);
    job->lines.job.seconds[STAGE_READING] += seconds_now() - start;
    return ok;
}

void text_drop_piece(struct text_job *job)
{
    struct lines *lines = &job->lines.lines;
    char *text = lines->text.data;
    job->num_lines += lines->count;
    job->num_ends -= lines->count;
    job->text_read -= lines->text.size;
    if (job->text_read)
        memmove(text, text + lines->text.size, (size_t)job->text_read);
    lines->text.size = 0;
    lines->count = 0;
}
