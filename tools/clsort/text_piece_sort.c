/* text_piece_sort.c: one piece in order: the lines' codes are made, the first eight bytes of them are
 * sorted as numbers with the lines' places, and equal ones are put in order on the host, unless a
 * sample shows many of them: then the device sorts whole codes as strings. */
#include "text_job.h"

#include "message.h"
#include "progress.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 1 << 13 };

static bool open_now(struct text_job *job)
{
    const double start = seconds_now();
    const bool ok = device_open(&job->lines.job.device, job->options.device);
    job->lines.job.seconds[STAGE_OPENING] += seconds_now() - start;
    if (ok)
        device_limit_staging(&job->lines.job.device, job->options.pieces->memory);
    return ok;
}

/* The sort of prefixes. */
static clsort_desc prefix_desc(uint64_t count)
{
    return (clsort_desc){
        .count = count, .type = CLSORT_U64, .value_size = sizeof(uint32_t), .stable = 1};
}

/* A thread: opens the device, and has the kernels made ready that most files need. */
static void *open_ahead(void *argument)
{
    enum { USUAL_LINE = 40 };
    struct text_job *job = argument;
    job->has_opened = open_now(job);
    const clsort_desc desc = prefix_desc(job->text_read / USUAL_LINE + 1);
    const double start = seconds_now();
    /* What does not work out now is told when it is needed. */
    if (job->has_opened)
        clsort_prepare(job->lines.job.device.sorter, &desc);
    job->lines.job.seconds[STAGE_COMPILING] += seconds_now() - start;
    return NULL;
}

void text_begin_device(struct text_job *job)
{
    job->is_opening = pthread_create(&job->opener, NULL, open_ahead, job) == 0;
}

bool text_open_device(struct text_job *job)
{
    if (job->is_opening)
        pthread_join(job->opener, NULL);
    else if (!job->has_opened)
        job->has_opened = open_now(job);
    job->is_opening = false;
    return job->has_opened;
}

/* What the threads that make codes share. */
struct coding {
    struct text_job *job;
    atomic_bool has_long;
    atomic_uint_fast64_t first_wrong; /* line */
};

static void note_wrong(struct coding *coding, uint64_t i)
{
    uint64_t first = atomic_load(&coding->first_wrong);
    while (i < first && !atomic_compare_exchange_weak(&coding->first_wrong, &first, i))
        ;
}

static bool code_slice(void *context, uint32_t thread, uint64_t slice)
{
    struct coding *coding = context;
    struct text_job *job = coding->job;
    struct text_coder *coder = &job->coders[thread];
    const uint64_t count = job->lines.lines.count;
    const uint64_t end = (slice + 1) * SLICE < count ? (slice + 1) * SLICE : count;
    uint64_t *prefixes = job->lines.job.keys.data;
    uint32_t *places = job->lines.job.indices.data;
    bool has_long = false;
    for (uint64_t i = slice * SLICE; i < end; i++) {
        size_t size;
        const char *line = text_line(job, i, &size);
        if (text_is_picky(&job->order) && !text_accept(&job->order, NULL, 0, line, size, coder)) {
            note_wrong(coding, i);
            return false;
        }
        if (!text_encode(&job->order, line, size, coder))
            return false;
        prefixes[i] = text_prefix(&coder->code);
        places[i] = (uint32_t)i;
        has_long |= coder->code.size > 8;
    }
    if (has_long)
        atomic_store(&coding->has_long, true);
    return true;
}

/* Says what is wrong with a line: in which file, and where. */
static void refuse_line_of_piece(struct text_job *job, uint64_t i)
{
    const uint64_t line = job->num_lines + i;
    int input = job->num_opened - 1;
    while (input > 0 && job->inputs[input].first_line > line)
        input--;
    size_t size;
    const char *text = text_line(job, i, &size);
    const char *path = job->inputs[input].path;
    text_accept(&job->order, !path || strcmp(path, "-") == 0 ? "standard input" : path,
                line - job->inputs[input].first_line + job->order.num_headers + 1, text, size,
                &job->coders[0]);
}

static bool make_codes(struct text_job *job, bool *has_long_ret)
{
    struct sort_job *sort = &job->lines.job;
    const uint64_t count = job->lines.lines.count;
    struct coding coding = {.job = job, .first_wrong = count};
    sort->keys.size = (size_t)count * sizeof(uint64_t);
    sort->indices.size = (size_t)count * sizeof(uint32_t);
    if (!bytes_reserve(&sort->keys, sort->keys.size) ||
        !bytes_reserve(&sort->indices, sort->indices.size))
        return false;
    const bool ok =
        parallel_for_by(parallel_threads(), (count + SLICE - 1) / SLICE, code_slice, &coding);
    if (coding.first_wrong < count)
        refuse_line_of_piece(job, coding.first_wrong);
    *has_long_ret = coding.has_long;
    return ok;
}

static int compare_prefixes(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Whether a sample has many equal prefixes, whose order takes the host long. */
static bool has_crowds(const struct text_job *job)
{
    enum { SAMPLE = 4096, MOST_EQUAL = SAMPLE / 4 };
    const uint64_t count = job->lines.lines.count;
    const uint64_t *prefixes = job->lines.job.keys.data;
    uint64_t sample[SAMPLE];
    int num_equal = 0;
    for (uint64_t i = 0; i < SAMPLE; i++)
        sample[i] = prefixes[count / SAMPLE * i];
    qsort(sample, SAMPLE, sizeof(*sample), compare_prefixes);
    for (int i = 1; i < SAMPLE; i++)
        num_equal += sample[i] == sample[i - 1];
    return num_equal > MOST_EQUAL;
}

/* Whether lines of equal prefixes may differ. */
static bool has_ties(const struct text_job *job, bool has_long)
{
    return has_long || (!job->order.is_stable && job->order.num_keys > 0);
}

static bool sort_prefixes(struct text_job *job)
{
    struct sort_job *sort = &job->lines.job;
    clsort_desc desc = prefix_desc(job->lines.lines.count);
    const clsort_arrays arrays = {.keys = sort->keys.data, .values = sort->indices.data};
    const clsort_status status = clsort_sort(sort->device.sorter, &desc, &arrays);
    if (status)
        message_of_status(status, sort->device.sorter);
    else if (sort->device.sorter)
        clsort_get_plan(sort->device.sorter, &desc, &sort->plan, NULL, 0);
    return !status;
}

/* Moves the lines that -u leaves to the begin of the order. */
static void drop_equal(struct text_job *job)
{
    uint32_t *lines = job->lines.job.indices.data;
    uint64_t num = 0;
    for (uint64_t i = 0; i < job->lines.lines.count; i++) {
        if (lines[i] != TEXT_DROPPED)
            lines[num++] = lines[i];
    }
    job->lines.job.indices.size = (size_t)num * sizeof(uint32_t);
}

static bool sort_by_codes(struct text_job *job, bool has_long)
{
    const clsort_desc desc = prefix_desc(job->lines.lines.count);
    bool is_done = false;
    if (!device_is_needless(&desc, job->options.device)) {
        if (!text_open_device(job) ||
            (has_ties(job, has_long) && has_crowds(job) && !text_sort_codes(job, &is_done)))
            return false;
    }
    return is_done || (sort_prefixes(job) && text_order_ties(job, has_long));
}

bool text_sort_piece(struct text_job *job)
{
    double *seconds = job->lines.job.seconds;
    bool has_long;
    const double start = seconds_now();
    job->lines.job.indices.size = 0;
    if (job->lines.lines.count == 0)
        return true;
    if (!make_codes(job, &has_long))
        return false;
    const double sort_start = seconds_now();
    seconds[STAGE_READING] += sort_start - start;
    if (!sort_by_codes(job, has_long))
        return false;
    if (job->order.is_unique)
        drop_equal(job);
    const double end = seconds_now();
    seconds[STAGE_SORTING] += end - sort_start;
    const bool ok = !job->options.is_checked || text_is_right(job);
    seconds[STAGE_CHECKING] += seconds_now() - end;
    return ok;
}
