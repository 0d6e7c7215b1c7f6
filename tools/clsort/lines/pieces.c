/* pieces.c: lines larger than memory. */
#include "lines/pieces.h"

#include "memory/device_sort.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "numbers/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 1024 }; /* lines between two looks at the cost */

struct lines_pieces {
    struct lines_job *job;
    const struct pieces_options *options;
    struct output *output;
    struct runs runs;
    uint64_t text_read;      /* bytes in the text's buffer: the piece, and what lies behind it */
    uint64_t searched;       /* bytes behind the lines known, without a line feed */
    bool has_ended;          /* the source */
    bool is_reserved;        /* the temporary file is open */
    bool is_alone;           /* there is no device */
    uint64_t num_read;       /* lines of pieces that are written */
    uint64_t num_written;    /* lines of the output */
    uint64_t most;           /* lines sorted at once so far */
    uint64_t guess;          /* lines of the next part */
    uint64_t *before, *cuts; /* positions, one a run */
    uint64_t output_hash;
    struct bytes last;  /* the line written last, where it is checked */
    uint64_t last_rank; /* and its number's */
};

static bool is_by_bytes(const struct lines_job *job)
{
    return job->job.desc.strings != NULL;
}

/* The memory that a piece may take, also of the device. */
static uint64_t budget(const struct lines_pieces *pieces)
{
    const struct device_facts *facts = &pieces->job->job.device.facts;
    uint64_t memory = pieces->options->memory - pieces->job->job.device.host_size;
    if (pieces->job->job.device.sorter && memory > facts->memory - facts->memory / 10)
        memory = facts->memory - facts->memory / 10;
    return memory;
}

/* Bytes of text at most: what offsets of 4 bytes and one buffer of the device take. */
static uint64_t max_text(const struct lines_pieces *pieces)
{
    const struct device *device = &pieces->job->job.device;
    const uint64_t largest = device->sorter ? device->facts.max_alloc : UINT32_MAX;
    return largest < UINT32_MAX ? largest : UINT32_MAX;
}

static bool fits(const struct lines_pieces *pieces, uint64_t text_size, uint64_t count)
{
    return text_size <= max_text(pieces) &&
           lines_cost(pieces->job, text_size, count) <= budget(pieces);
}

/* Lets go of pages behind the piece: another one may need more of another array. */
static void trim(struct lines_pieces *pieces)
{
    struct lines_job *job = pieces->job;
    const uint64_t read = pieces->text_read, size = job->lines.text.size;
    bytes_trim(&job->lines.text, read > size ? read : size);
    bytes_trim(&job->lines.starts, job->lines.starts.size);
    bytes_trim(&job->job.keys, job->job.keys.size);
    bytes_trim(&job->job.indices, job->lines.count * sizeof(uint32_t));
    if (job->job.device.sorter && job->lines.count < pieces->most / 4 * 3) {
        clsort_release_scratch(job->job.device.sorter);
        pieces->most = 0;
    }
    if (job->lines.count > pieces->most)
        pieces->most = job->lines.count;
}

static uint64_t hash_lines(const struct lines_pieces *pieces)
{
    const struct lines *lines = &pieces->job->lines;
    uint64_t sum = 0;
    const bool has_positions = pieces->job->position_size > 0;
    for (uint64_t i = 0; pieces->options->is_verified && i < lines->count; i++) {
        const uint64_t start = lines_start(lines, i);
        const uint64_t position =
            (pieces->before ? 0 : pieces->num_read) + lines_position(pieces->job, i);
        sum += multiset_hash((const char *)lines->text.data + start,
                             (size_t)(lines_start(lines, i + 1) - start), &position,
                             has_positions ? sizeof(position) : 0, 1);
    }
    return sum;
}

/* What orders line i of the sorted lines in memory: its bytes, or its key as a number. */
static const char *sort_key(const struct lines_pieces *pieces, uint64_t i, uint64_t *rank,
                            size_t *size_ret)
{
    const struct lines *lines = &pieces->job->lines;
    const struct sort_job *sort = &pieces->job->job;
    const uint64_t line = key_load(sort->desc.index_size, sort->indices.data, i);
    const uint64_t start = lines_start(lines, line);
    *size_ret = (size_t)(lines_start(lines, line + 1) - start - 1);
    *rank = is_by_bytes(pieces->job)
                ? 0
                : key_rank(&key_types[sort->desc.type],
                           key_load(pieces->runs.keys.size, sort->keys.data, line));
    return (const char *)lines->text.data + start;
}

/* Whether a part's first line comes behind the part before it. Keeps its last one for the next
 * part. */
static bool follows_last_part(struct lines_pieces *pieces)
{
    const uint64_t count = pieces->job->lines.count;
    const bool is_descending = pieces->job->job.desc.order == CLSORT_DESCENDING;
    if (!pieces->before || count == 0) /* pieces of the input have no order among them */
        return true;
    uint64_t rank;
    size_t size;
    const char *line = sort_key(pieces, 0, &rank, &size);
    const struct bytes *last = &pieces->last;
    const int compared = is_by_bytes(pieces->job)
                             ? lines_compare(last->data, last->size, line, size)
                             : (pieces->last_rank > rank) - (pieces->last_rank < rank);
    if (pieces->num_written > 0 && (is_descending ? compared < 0 : compared > 0)) {
        message("verification failed: line %" PRIu64 " of the output is wrong; %s",
                pieces->num_written + 1, output_verdict(pieces->output));
        return false;
    }
    line = sort_key(pieces, count - 1, &pieces->last_rank, &size);
    if (!bytes_reserve(&pieces->last, size + 1))
        return false;
    memcpy(pieces->last.data, line, size);
    pieces->last.size = size;
    return true;
}

/* The order of the lines in memory, as indices. */
static bool sort_in_memory(struct lines_pieces *pieces)
{
    struct lines_job *job = pieces->job;
    struct sort_job *sort = &job->job;
    const double start = seconds_now();
    trim(pieces);
    sort->desc.count = job->lines.count;
    sort->desc.index_size = sizeof(uint32_t);
    if (!bytes_reserve(&sort->indices, job->lines.count * sizeof(uint32_t)))
        return false;
    sort->indices.size = (size_t)job->lines.count * sizeof(uint32_t);
    job->strings.num_bytes = job->lines.text.size;
    clsort_arrays arrays = {.keys = sort->keys.data, .indices = sort->indices.data};
    if (is_by_bytes(job)) {
        arrays.keys = job->lines.text.data;
        arrays.offsets = job->lines.starts.data;
    }
    const bool is_sorted =
        job->lines.count == 0 || device_sort_arrays(&sort->device, &sort->desc, &arrays);
    sort->seconds[STAGE_SORTING] += seconds_now() - start;
    if (!is_sorted)
        return false;
    const double check_start = seconds_now();
    const bool ok = !pieces->options->is_verified ||
                    ((is_by_bytes(job) ? lines_are_right(job, pieces->num_written, pieces->output)
                                       : sort_is_right(sort, pieces->output)) &&
                     follows_last_part(pieces));
    sort->seconds[STAGE_CHECKING] += seconds_now() - check_start;
    return ok;
}

/* Keeps as many lines as fit of those in memory, of which `low` are known to. */
static void keep_fitting(struct lines_pieces *pieces, uint64_t low)
{
    struct lines *lines = &pieces->job->lines;
    const uint32_t *starts = lines->starts.data;
    uint64_t high = lines->count + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (fits(pieces, starts[middle], middle))
            low = middle;
        else
            high = middle;
    }
    lines->count = low;
    lines->text.size = starts[low];
    pieces->searched = 0;
}

/* Notes where the lines read begin, as many as fit, from those known on. *is_full_ret: no more
 * do. */
static void split(struct lines_pieces *pieces, bool *is_full_ret)
{
    struct lines *lines = &pieces->job->lines;
    const char *text = lines->text.data;
    const char *end = text + pieces->text_read;
    uint32_t *starts = lines->starts.data;
    *is_full_ret = false;
    for (uint64_t before = lines->count; !*is_full_ret; before = lines->count) {
        for (int i = 0; i < STRIDE; i++) {
            const char *at = text + lines->text.size + pieces->searched;
            const char *feed = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
            pieces->searched = feed ? 0 : pieces->text_read - lines->text.size;
            if (!feed)
                break;
            const uint64_t line_end = (uint64_t)(feed + 1 - text);
            *is_full_ret = line_end > max_text(pieces); /* starts have 32 bits */
            if (*is_full_ret)
                break;
            lines->text.size = (size_t)line_end;
            starts[++lines->count] = (uint32_t)line_end;
        }
        if (lines->count == before)
            return;
        if (!fits(pieces, lines->text.size, lines->count)) {
            keep_fitting(pieces, before);
            *is_full_ret = true;
        }
    }
}

/* Reads a block behind what there is. At the source's end a last line gets its line feed. */
static bool read_block(struct lines_pieces *pieces)
{
    struct lines *lines = &pieces->job->lines;
    enum { BLOCK = 1 << 20 };
    const uint64_t part = pieces->options->memory / 16;
    const size_t block = part < BLOCK ? (size_t)part : BLOCK;
    const double start = seconds_now();
    size_t size;
    if (!bytes_reserve(&lines->text, pieces->text_read + block + 1) ||
        !source_read(&lines->source, (char *)lines->text.data + pieces->text_read, block, &size))
        return false;
    pieces->job->job.seconds[STAGE_READING] += seconds_now() - start;
    pieces->text_read += size;
    pieces->has_ended = size == 0;
    char *end = (char *)lines->text.data + pieces->text_read;
    if (pieces->has_ended && pieces->text_read > 0 && end[-1] != '\n') {
        *end = '\n';
        pieces->text_read++;
    }
    return true;
}

static bool refuse_long_line(const struct lines_pieces *pieces)
{
    char text[SIZE_TEXT];
    if (pieces->text_read > max_text(pieces)) {
        message("%s:%" PRIu64 ": the line is longer than %s, the most that a piece can have",
                pieces->job->lines.source.name, pieces->num_read + 1,
                size_text(max_text(pieces), text));
        return false;
    }
    message("%s:%" PRIu64 ": the line is too long to be sorted in %s of memory; give more with -S",
            pieces->job->lines.source.name, pieces->num_read + 1, size_text(budget(pieces), text));
    return false;
}

/* Reads lines, as many as fit. What lies behind them in the text is the next piece's. */
static bool read_piece(struct lines_pieces *pieces, bool *is_full_ret)
{
    struct lines *lines = &pieces->job->lines;
    ((uint32_t *)lines->starts.data)[0] = 0;
    lines->count = 0;
    lines->text.size = 0;
    pieces->searched = 0;
    for (;;) {
        split(pieces, is_full_ret);
        if (*is_full_ret || (pieces->has_ended && lines->text.size == pieces->text_read))
            break;
        /* A line that does not fit is not read to its end. */
        *is_full_ret = !fits(pieces, pieces->text_read, lines->count + 1);
        if (*is_full_ret)
            break;
        if (!read_block(pieces))
            return false;
    }
    if (*is_full_ret && lines->count == 0)
        return refuse_long_line(pieces);
    lines->starts.size = (size_t)(lines->count + 1) * sizeof(uint32_t);
    return is_by_bytes(pieces->job) || lines_parse(pieces->job, pieces->num_read);
}

/* The lines behind the piece become the next one's first. */
static void drop_piece(struct lines_pieces *pieces)
{
    struct lines *lines = &pieces->job->lines;
    char *text = lines->text.data;
    pieces->num_read += lines->count;
    pieces->text_read -= lines->text.size;
    memmove(text, text + lines->text.size, (size_t)pieces->text_read);
    lines->text.size = (size_t)pieces->text_read;
    bytes_trim(&lines->text, pieces->text_read);
}

static bool write_sorted(struct lines_pieces *pieces)
{
    const double start = seconds_now();
    const bool ok = pieces->job->position_size > 0
                        ? lines_write_positions(pieces->job, pieces->output)
                        : lines_write(pieces->job, pieces->output);
    pieces->job->job.seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

static bool write_run(struct lines_pieces *pieces)
{
    const double start = seconds_now();
    const bool ok = lines_write_run(pieces->job, &pieces->runs, pieces->num_read);
    pieces->job->job.seconds[STAGE_WRITING] += seconds_now() - start;
    progress_add(pieces->job->lines.text.size);
    return ok;
}

/* Opens the device before the first piece is sorted, unless that is all and needs none, or there is
 * none. Then less may fit. */
static bool open_device(struct lines_pieces *pieces, bool *is_full)
{
    struct lines_job *job = pieces->job;
    struct sort_job *sort = &job->job;
    clsort_desc desc = sort->desc;
    desc.count = job->lines.count;
    desc.index_size = sizeof(uint32_t);
    if (sort->device.sorter || pieces->is_alone ||
        (!*is_full && device_is_needless(&desc, pieces->options->device)))
        return true;
    pieces->is_alone = !is_by_bytes(job) &&
                       device_is_absent(&desc, pieces->options->device, pieces->options->memory);
    if (pieces->is_alone)
        return true;
    const double start = seconds_now();
    if (!device_open(&sort->device, pieces->options->device))
        return false;
    device_limit_host(&sort->device, pieces->options->memory);
    sort->seconds[STAGE_OPENING] += seconds_now() - start;
    const uint64_t count = job->lines.count;
    keep_fitting(pieces, 0);
    *is_full |= job->lines.count < count;
    job->lines.starts.size = (size_t)(job->lines.count + 1) * sizeof(uint32_t);
    return job->lines.count > 0 || count == 0 || refuse_long_line(pieces);
}

static bool reserve(struct lines_pieces *pieces)
{
    const uint64_t size = pieces->job->lines.source.size;
    pieces->is_reserved = true;
    return spill_open(&pieces->runs.spill, pieces->options->dir, size) &&
           (pieces->job->position_size > 0 || output_reserve(pieces->output, size));
}

/* *is_done_ret: all lines were one piece, which is written. */
static bool write_runs(struct lines_pieces *pieces, bool *is_done_ret)
{
    struct lines_job *job = pieces->job;
    /* Text that does not fit by itself is refused unread if the disk has no room for it. */
    if (job->lines.source.size > pieces->options->memory && !reserve(pieces))
        return false;
    for (bool is_full = true; is_full;) {
        if (!read_piece(pieces, &is_full) || !open_device(pieces, &is_full))
            return false;
        job->job.input_hash += hash_lines(pieces);
        if (!sort_in_memory(pieces))
            return false;
        *is_done_ret = !is_full && pieces->runs.num == 0;
        if (*is_done_ret)
            return write_sorted(pieces);
        if (!pieces->is_reserved && !reserve(pieces))
            return false;
        if (!write_run(pieces))
            return false;
        drop_piece(pieces);
    }
    return true;
}

/* Cuts the runs `count` lines behind the part before; *size_ret bytes of text lie between. */
static bool cut(struct lines_pieces *pieces, uint64_t count, uint64_t *size_ret)
{
    struct runs *runs = &pieces->runs;
    *size_ret = 0;
    if (!runs_cut(runs, pieces->num_written + count, pieces->before, pieces->cuts))
        return false;
    for (uint64_t i = 0; i < runs->num; i++) {
        uint64_t begin, size = 0;
        if (pieces->before[i] < pieces->cuts[i] &&
            !runs_text_between(runs, i, pieces->before[i], pieces->cuts[i], &begin, &size))
            return false;
        *size_ret += size;
    }
    return true;
}

/* Cuts a part that fits, and fills the memory well: by the costs of parts that were guessed. */
static bool choose_part(struct lines_pieces *pieces, uint64_t *count_ret, uint64_t *size_ret)
{
    enum { GOOD_TRIES = 3 };
    const uint64_t left = pieces->runs.total - pieces->num_written;
    uint64_t count = pieces->guess < left ? pieces->guess : left;
    for (int try = 0;; try++) {
        if (!cut(pieces, count, size_ret))
            return false;
        const double share =
            (double)lines_cost(pieces->job, *size_ret, count) / (double)budget(pieces);
        const bool is_small = share < 0.75 && count < left && try < GOOD_TRIES;
        if (count == 1 || (fits(pieces, *size_ret, count) && !is_small))
            break;
        const double wished = (double)count * (try < GOOD_TRIES && share > 0.01 ? 0.95 / share
                                               : is_small                       ? 2
                                                                                : 0.5);
        count = wished < 1 ? 1 : wished > (double)left ? left : (uint64_t)wished;
    }
    *count_ret = pieces->guess = count;
    return true;
}

static bool merge_part(struct lines_pieces *pieces)
{
    struct lines_job *job = pieces->job;
    const double start = seconds_now();
    uint64_t count, size;
    if (!choose_part(pieces, &count, &size))
        return false;
    bytes_trim(&job->lines.text, size);
    bytes_trim(&job->lines.starts, (count + 1) * sizeof(uint32_t));
    bytes_trim(&job->job.keys, count * pieces->runs.keys.size);
    bytes_trim(&job->positions, count * pieces->runs.value_size);
    if (!bytes_reserve(&job->lines.text, size) ||
        !lines_read_part(job, &pieces->runs, pieces->before, pieces->cuts, count, size))
        return false;
    job->job.seconds[STAGE_READING] += seconds_now() - start;
    pieces->output_hash += hash_lines(pieces);
    memcpy(pieces->before, pieces->cuts, pieces->runs.num * sizeof(*pieces->cuts));
    if (!sort_in_memory(pieces) || !write_sorted(pieces))
        return false;
    pieces->num_written += count;
    return true;
}

static bool merge_runs(struct lines_pieces *pieces)
{
    pieces->before = calloc(2 * pieces->runs.num + 1, sizeof(*pieces->before));
    if (!pieces->before) {
        message("out of memory");
        return false;
    }
    pieces->cuts = pieces->before + pieces->runs.num;
    pieces->text_read = 0;
    pieces->guess = pieces->num_read / pieces->runs.num;
    while (pieces->num_written < pieces->runs.total) {
        if (!merge_part(pieces))
            return false;
    }
    if (pieces->options->is_verified && pieces->output_hash != pieces->job->job.input_hash) {
        message("verification failed: the output is not a permutation of the input; %s",
                output_verdict(pieces->output));
        return false;
    }
    return true;
}

bool lines_sort_by_pieces(struct lines_job *job, const struct pieces_options *options,
                          struct output *output)
{
    struct lines_pieces pieces = {.job = job, .options = options, .output = output};
    struct runs *runs = &pieces.runs;
    runs->order = job->job.desc.order;
    if (!is_by_bytes(job))
        runs->keys = elements_of_type(job->job.desc.type);
    runs->value_size = job->position_size;
    runs->has_lines = true;
    job->lines.offset_size = sizeof(uint32_t);
    job->strings = (clsort_strings){.offset_size = sizeof(uint32_t), .tail_size = 1};
    /* Pages are taken when they are used. */
    const uint64_t max_lines =
        options->memory / (2 * sizeof(uint32_t) + runs->keys.size + 1) + 2 * STRIDE;
    progress_stage("sorting", 4 * job->lines.source.size);
    bool is_done = false;
    const bool ok = bytes_reserve(&job->lines.starts, (max_lines + 1) * sizeof(uint32_t)) &&
                    bytes_reserve(&job->job.keys, max_lines * runs->keys.size) &&
                    write_runs(&pieces, &is_done) && (is_done || merge_runs(&pieces)) &&
                    output_finish(output);
    if (ok && job->job.device.sorter)
        clsort_get_plan(job->job.device.sorter, &job->job.desc, &job->job.plan, NULL, 0);
    job->job.desc.count = is_done ? job->lines.count : runs->total;
    job->job.num_pieces = runs->num;
    job->job.num_spilled = runs->spill.size;
    free(pieces.before);
    bytes_free(&pieces.last);
    runs_close(runs);
    return ok;
}
