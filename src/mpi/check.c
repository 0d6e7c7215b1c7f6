/* check.c: checks a request with the functions that clsort_sort() uses. */
#include "job.h"

#include <string.h>

/* A new member of the description replaces reserved ones. refuse_by_name() must refuse it, or
 * job_hash() must include it. */
_Static_assert(sizeof((clsort_desc){0}.reserved) == 6 * sizeof(uint32_t),
               "clsort_desc has a new member: refuse_by_name() or job_hash() must handle it");

static int refuse_by_name(const clsort_desc *desc)
{
    if (desc->strings)
        return CLSORT_ERROR_MPI_STRINGS;
    if (desc->num_arrays > 1)
        return CLSORT_ERROR_MPI_ARRAYS;
    if (desc->offset_size || desc->num_values || desc->skip || desc->limit || desc->operation)
        return CLSORT_ERROR_UNSUPPORTED;
    if (desc->record && desc->record->num_fields == 0 &&
        (desc->record->less || desc->record->less_body))
        return CLSORT_ERROR_MPI_TEXT;
    return CLSORT_OK;
}

static int check_host_arrays(const struct job *job)
{
    struct problem results = job->problem;
    results.count = job->count_wanted;
    return (int)check_places(&job->problem, &results, job->request->arrays).status;
}

static int check_device_buffers(const struct job *job)
{
    const struct request *request = job->request;
    const cl_context context = clsort_context(request->sorter);
    const int status =
        (int)check_queue(request->queue, context, clsort_device(request->sorter), 0, NULL).status;
    if (status)
        return status;
    if (request->buffers->scratch.mem)
        return CLSORT_ERROR_BUFFER_UNEXPECTED;
    uint64_t unused = 0; /* where the scratch begins */
    return (int)check_buffers(&request->sorter->facts, &job->problem, request->buffers, 0, context,
                              &unused)
        .status;
}

/* Lists the arrays that move, and describes this rank's own sorts: keys or columns with values.
 * Indices are sorted as values. Columns come first, so that column i is moved[i]. */
static void find_moved(struct job *job)
{
    const struct problem *problem = &job->problem;
    const int shows_keys = !problem->index_size || !problem->in_place;
    struct moved_array arrays[MAX_MOVED_ARRAYS];
    const uint32_t num = problem_moved(problem, arrays);
    for (uint32_t i = 0; i < num; ++i)
        job->moved[job->num_moved++] = (struct moved){
            .size = arrays[i].size,
            .from = arrays[i].from,
            .to = shows_keys ? problem_out(problem, arrays[i].from) : BUFFER_NONE,
            .role = arrays[i].from,
        };
    if (problem->index_size)
        job->moved[job->num_moved++] = (struct moved){.size = problem->index_size,
                                                      .to = BUFFER_INDICES,
                                                      .role = BUFFER_VALUES};
    job->sorted = *job->request->desc;
    job->sorted.out_of_place = 0;
    job->sorted.value_size = problem->index_size ? problem->index_size : problem->value_size;
    job->sorted.index_size = 0;
    /* Equal keys without a payload are identical, so their order does not matter. */
    const int is_plain = !job->sorted.value_size && !problem_shows_order(problem);
    job->sorted.stable = job->sorted.stable || !is_plain;
}

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define OWN_VERSION \
    TEXT(CLSORT_VERSION_MAJOR) "." TEXT(CLSORT_VERSION_MINOR) "." TEXT(CLSORT_VERSION_PATCH)

/* Whether the clsort that is loaded has the version that clsort_mpi was built with. If not, its
 * sorters may have another layout than sorter.h says here: each library can be replaced alone. */
static int is_of_own_version(void)
{
    return strcmp(clsort_version(), OWN_VERSION) == 0;
}

int job_check(struct job *job)
{
    const struct request *request = job->request;
    const int is_given = request->is_device ? request->buffers && request->sorter && request->queue
                                            : request->arrays != NULL;
    if (!request->desc || !is_given)
        return CLSORT_ERROR_NULL;
    if (request->sorter && !is_of_own_version())
        return CLSORT_ERROR_MPI_VERSION;
    int status = refuse_by_name(request->desc);
    if (status)
        return status;
    clsort_desc desc = *request->desc;
    if (request->has_wanted && !desc.index_size)
        desc.out_of_place = 1;
    job->count = desc.count;
    job->count_wanted = request->has_wanted ? request->count_wanted : desc.count;
    /* Check both counts, so that no array's size in bytes overflows. */
    desc.count = job->count_wanted;
    status = (int)check_desc(&desc, &job->problem).status;
    desc.count = job->count;
    if (!status)
        status = (int)check_desc(&desc, &job->problem).status;
    if (!status)
        status = request->is_device ? check_device_buffers(job) : check_host_arrays(job);
    if (status)
        return status;
    find_moved(job);
    words_describe(&job->problem, &job->words);
    return CLSORT_OK;
}

/* FNV-1a over the eight bytes of a number. */
static uint64_t mix(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; ++i)
        hash = (hash ^ (number >> 8 * i & 255)) * 0x100000001b3;
    return hash;
}

uint64_t job_hash(const struct job *job)
{
    const struct request *request = job->request;
    const clsort_desc *desc = request->desc;
    const struct problem *problem = &job->problem;
    const uint64_t numbers[] = {
        (uint64_t)request->is_device,
        (uint64_t)request->has_wanted,
        (uint64_t)desc->type,
        (uint64_t)desc->order,
        (uint64_t)desc->algorithm,
        desc->stable != 0,
        desc->out_of_place != 0,
        desc->value_size,
        desc->index_size,
        desc->first_bit,
        desc->end_bit,
        problem->record_size,
        problem->num_columns,
        problem->num_members,
        request->max_short,
        request->exchange_unit,
    };
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        hash = mix(hash, numbers[i]);
    for (uint32_t i = 0; i < problem->num_members; ++i) {
        const struct member *member = &problem->members[i];
        hash = mix(hash, (uint64_t)member->offset << 1 | (uint64_t)member->descending);
        for (const char *name = member->type->name; *name; ++name)
            hash = mix(hash, (unsigned char)*name);
    }
    return hash;
}
