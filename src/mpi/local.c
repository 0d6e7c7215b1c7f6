/* local.c: a rank's own sorts of host arrays, and the choice of their device. */
#include "job.h"

#include "device/device.h"
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>

/* Describes a sort of `count` elements on this rank. */
static clsort_desc describe(const struct job *job, uint64_t count)
{
    clsort_desc desc = job->sorted;
    desc.count = count;
    desc.out_of_place = 1;
    return desc;
}

/* Whether clsort_sort() without a sorter would look for a device in the larger of the rank's two
 * sorts. */
static int needs_sorter(const struct job *job)
{
    const uint64_t count = job->count > job->count_wanted ? job->count : job->count_wanted;
    const clsort_desc desc = describe(job, count);
    return count > 1 && !clsort_sorts_on_host(NULL, &desc);
}

static int is_alike(cl_device_id a, cl_device_id b)
{
    cl_platform_id platforms[2] = {NULL, NULL};
    cl_device_type types[2] = {0, 0};
    const cl_device_id devices[] = {a, b};
    for (int i = 0; i < 2; ++i) {
        if (clGetDeviceInfo(devices[i], CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platforms[i],
                            NULL) ||
            clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof(cl_device_type), &types[i], NULL))
            return 0;
    }
    return platforms[0] == platforms[1] && types[0] == types[1];
}

/* Finds the usable devices with the platform and type of the best one, and returns the one at index
 * `number` modulo how many they are. CLSORT_DEVICE overrides the choice. */
static int find_device(uint64_t number, cl_device_id *device_ret)
{
    uint32_t num_devices = 0, num_alike = 0;
    int status = (int)clsort_find_device(NULL, device_ret);
    if (status || environment_get("CLSORT_DEVICE"))
        return status;
    status = (int)clsort_devices(NULL, 0, &num_devices);
    cl_device_id *devices = status ? NULL : malloc(num_devices * sizeof(cl_device_id));
    if (!status && !devices)
        status = CLSORT_ERROR_HOST_MEMORY;
    if (!status)
        status = (int)clsort_devices(devices, num_devices, &num_devices);
    for (uint32_t i = 0; !status && i < num_devices; ++i) {
        if (device_is_usable(devices[i]) && is_alike(devices[i], *device_ret))
            devices[num_alike++] = devices[i];
    }
    if (num_alike)
        *device_ret = devices[number % num_alike];
    free(devices);
    return status;
}

int job_find_sorter(struct job *job)
{
    uint64_t number = 0; /* of this rank among the ranks of its machine */
    cl_device_id device = NULL;
    job->sorter = job->request->sorter;
    if (job->sorter || !needs_sorter(job))
        return CLSORT_OK;
    const uint64_t machine = job->ranks[job->wire->rank * RANK_FACTS + RANK_MACHINE];
    for (int rank = 0; rank < job->wire->rank; ++rank)
        number += job->ranks[rank * RANK_FACTS + RANK_MACHINE] == machine;
    int status = find_device(number, &device);
    if (!status)
        status = (int)clsort_create(NULL, device, &job->sorter);
    job->owns_sorter = !status;
    return status;
}

int job_sort(struct job *job, uint64_t count, int is_received)
{
    void *columns[MAX_MEMBERS] = {NULL}, *columns_out[MAX_MEMBERS] = {NULL};
    clsort_arrays arrays = {0};
    const clsort_desc desc = describe(job, count);
    if (job->problem.num_columns) {
        arrays.columns = columns;
        arrays.columns_out = columns_out;
    }
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        const int is_here = is_received || moved->from == BUFFER_NONE;
        void *const from = is_here ? moved->received : array_of(job->request->arrays, moved->from);
        void *const to = moved->sent;
        if (count == 1)
            memcpy(to, from, moved->size);
        *array_at(&arrays, moved->role) = from;
        *array_at(&arrays, role_out(moved->role)) = to;
    }
    return count > 1 ? (int)clsort_sort(job->sorter, &desc, &arrays) : CLSORT_OK;
}

int job_deliver(struct job *job)
{
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        if (moved->to != BUFFER_NONE && job->count_wanted)
            memcpy(array_of(job->request->arrays, moved->to),
                   job->report.sorted_again ? moved->sent : moved->received,
                   (size_t)job->count_wanted * moved->size);
    }
    return CLSORT_OK;
}
