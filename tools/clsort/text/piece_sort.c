/* piece_sort.c: one piece in order: the lines' prefixes are sorted as numbers with the lines'
 * places, and equal ones are put in order on the host, unless a sample shows many of them: then the
 * device sorts whole codes as strings. */
#include "text/job.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <stdlib.h>

/* Whether the device sorts lines as they are; -u looks at their codes. */
static bool sorts_whole(const struct text_job *job)
{
    return text_is_whole(&job->order) && !job->order.is_unique;
}

/* A thread: opens the device, and has the kernels made ready that most files need. */
static void *open_ahead(void *argument)
{
    enum { USUAL_LINE = 40 };
    struct text_job *job = argument;
    job->has_opened = sort_open_device(&job->sort, &job->options);
    const uint64_t count = job->expected_size / USUAL_LINE + 1;
    const clsort_strings strings = {.num_bytes = job->expected_size < UINT32_MAX
                                                     ? job->expected_size
                                                     : UINT32_MAX,
                                    .offset_size = sizeof(uint32_t),
                                    .tail_size = 1};
    const clsort_desc desc =
        sorts_whole(job) ? text_whole_desc(job, count < UINT32_MAX ? count : UINT32_MAX, &strings)
                         : text_prefix_desc(job, count);
    const double start = seconds_now();
    /* What does not work out now is told when it is needed. */
    if (job->has_opened)
        clsort_prepare(job->sort.device.sorter, &desc);
    job->sort.seconds[STAGE_COMPILING] += seconds_now() - start;
    return NULL;
}

bool text_is_alone(struct text_job *job)
{
    const clsort_desc none = text_prefix_desc(job, 0);
    if (!job->has_looked && !job->has_opened && !job->is_opening)
        job->is_alone = device_is_absent(&none, job->options.device, job->options.memory);
    job->has_looked = true;
    return job->is_alone;
}

void text_begin_device(struct text_job *job)
{
    job->is_opening = parallel_begin(&job->opener, open_ahead, job);
}

void text_end_opening(struct text_job *job)
{
    parallel_join(job->opener);
    job->is_opening = false;
}

void text_open_device(struct text_job *job)
{
    if (job->is_opening)
        text_end_opening(job);
    else if (!job->has_opened)
        job->has_opened = sort_open_device(&job->sort, &job->options);
    if (!job->has_opened)
        die_told();
}

static int compare_prefixes(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Whether a sample has many equal prefixes, whose order takes the host long. Few lines, which may
 * all be equal, do not. */
static bool has_crowds(const struct text_job *job)
{
    enum { SAMPLE = 4096, MOST_EQUAL = SAMPLE / 4 };
    const uint64_t count = job->lines.count;
    const uint64_t *prefixes = job->sort.keys.data;
    uint64_t sample[SAMPLE];
    int num_equal = 0;
    if (count < SAMPLE)
        return false;
    for (uint64_t i = 0; i < SAMPLE; i++)
        sample[i] = prefixes[count * i / SAMPLE];
    qsort(sample, SAMPLE, sizeof(*sample), compare_prefixes);
    for (int i = 1; i < SAMPLE; i++)
        num_equal += sample[i] == sample[i - 1];
    return num_equal > MOST_EQUAL;
}

/* By a device, or without one. */
static void sort_prefixes(struct text_job *job, const struct device *device)
{
    struct sort_job *sort = &job->sort;
    clsort_desc desc = text_prefix_desc(job, job->lines.count);
    const clsort_arrays arrays = {.keys = sort->keys.data, .values = sort->indices.data};
    device_sort_arrays(device, &desc, &arrays);
    if (device->sorter)
        clsort_get_plan(device->sorter, &desc, &sort->plan, NULL, 0);
}

/* Moves the lines that -u leaves to the begin of the order. */
static void drop_equal(struct text_job *job)
{
    uint32_t *lines = job->sort.indices.data;
    uint64_t num = 0;
    for (uint64_t i = 0; i < job->lines.count; i++) {
        if (lines[i] != TEXT_DROPPED)
            lines[num++] = lines[i];
    }
    job->sort.indices.size = (size_t)num * sizeof(uint32_t);
}

static void sort_coded(struct text_job *job, bool has_device)
{
    static const struct device none; /* the device may still be opening */
    double start = seconds_now();
    text_make_prefixes(job);
    sort_timed(&job->sort, STAGE_READING, start);
    start = seconds_now();
    const bool has_ties = job->has_long || text_has_last(&job->order);
    if (!has_device || !has_ties || !has_crowds(job) || !text_sort_codes(job)) {
        sort_prefixes(job, has_device ? &job->sort.device : &none);
        text_order_ties(job);
    }
    if (job->order.is_unique)
        drop_equal(job);
    sort_timed(&job->sort, STAGE_SORTING, start);
}

void text_sort_piece(struct text_job *job)
{
    job->sort.indices.size = 0;
    if (job->lines.count == 0)
        return;
    /* One is asked for, or lines are many and there is one. */
    const clsort_desc desc = text_prefix_desc(job, job->lines.count);
    const bool has_device = !device_is_needless(&desc, job->options.device) && !text_is_alone(job);
    if (has_device)
        text_open_device(job);
    double start = seconds_now();
    const bool is_done = has_device && sorts_whole(job) && text_sort_whole(job);
    sort_timed(&job->sort, STAGE_SORTING, start);
    if (!is_done)
        sort_coded(job, has_device);
    start = seconds_now();
    if (job->options.is_verified)
        text_check_piece(job);
    sort_timed(&job->sort, STAGE_CHECKING, start);
}
