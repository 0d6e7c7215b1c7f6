/* Sorters and threads: one sorter for each thread, one sorter in two threads, many sorters in
 * succession. Threads only record errors; the test's own thread asserts. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/job.h"

typedef struct worker {
    cl_context context; /* NULL: the sorter makes its own */
    cl_device_id device;
    uint64_t seed;
    int rounds;
    int wrong; /* sorts that failed or gave a wrong result */
    pthread_t thread;
} worker;

static int run_rounds(worker *w, clsort_sorter *sorter, cl_command_queue queue)
{
    int wrong = 0;
    for (int i = 0; i < w->rounds; ++i) {
        const uint64_t seed = seed_mix(w->seed, (uint64_t)i);
        const clsort_desc desc = {.count = seed % 5000,
                                  .type = i % 2 ? CLSORT_U32 : CLSORT_F32,
                                  .stable = (uint32_t)i / 2 % 2,
                                  .value_size = i % 4 ? 8 : 0};
        job j;
        cl_event event = NULL;
        if (job_init(&j, clsort_context(sorter), &desc, seed) ||
            job_enqueue(&j, sorter, queue, 0, NULL, &event) || clWaitForEvents(1, &event) ||
            !job_is_right(&j, queue))
            ++wrong;
        if (event)
            clReleaseEvent(event);
        job_free(&j);
    }
    return wrong;
}

static void *work(void *data)
{
    worker *w = data;
    clsort_sorter *sorter = NULL;
    if (clsort_create(w->context, w->device, &sorter)) {
        w->wrong = -1;
        return NULL;
    }
    cl_command_queue queue = clCreateCommandQueue(clsort_context(sorter), w->device, 0, NULL);
    w->wrong = queue ? run_rounds(w, sorter, queue) : -2;
    if (queue)
        clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return NULL;
}

static void run_workers(const fixture *fix, cl_context context)
{
    enum { number = 4 };
    worker workers[number];
    memset(workers, 0, sizeof workers);
    for (int i = 0; i < number; ++i) {
        workers[i].context = context;
        workers[i].device = fix->device;
        workers[i].seed = seed_mix(fix->seed, (uint64_t)i);
        workers[i].rounds = 30;
        /* PoCL 3.1 and 5.0 sometimes abort the program when several threads create kernels at once
         * that are not yet in their cache. */
        if (platform_is(fix, "Portable Computing Language"))
            work(&workers[i]);
    }
    for (int i = 0; i < number; ++i) {
        assert_int_equal(workers[i].wrong, 0);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < number; ++i)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    for (int i = 0; i < number; ++i)
        assert_int_equal(workers[i].wrong, 0);
}

static void test_a_sorter_a_thread(void **state)
{
    const fixture *fix = fixture_of(state);
    if (platform_is(fix, "Oclgrind"))
        skip_because("Oclgrind does not work with several threads");
    run_workers(fix, fix->context);
}

static void test_a_context_a_thread(void **state)
{
    const fixture *fix = fixture_of(state);
    if (platform_is(fix, "Oclgrind"))
        skip_because("Oclgrind does not work with several threads");
    run_workers(fix, NULL);
}

typedef struct sharer {
    clsort_sorter *sorter;
    atomic_int stop;
    int sorts;
    int busy;
    int wrong;
    pthread_t thread;
} sharer;

/* Sorts arrays on the host once, by the device or not, with a sorter that another thread uses
 * too. */
static void share_once(sharer *s, uint64_t seed)
{
    const clsort_desc desc = {.count = 3000,
                              .type = CLSORT_F64,
                              .algorithm = seed % 2 ? CLSORT_RADIX : CLSORT_AUTO,
                              .stable = 1,
                              .value_size = 4};
    sample data;
    sample_init(&data, &desc, DATA_FEW, seed);
    void *keys = test_alloc(desc.count * data.key_size);
    void *values = test_alloc(desc.count * desc.value_size);
    memcpy(keys, data.keys, (size_t)(desc.count * data.key_size));
    memcpy(values, data.values, (size_t)(desc.count * desc.value_size));
    const clsort_arrays arrays = {.keys = keys, .values = values};
    const clsort_status status = clsort_sort(s->sorter, &desc, &arrays);
    if (status == CLSORT_OK) {
        ++s->sorts;
        s->wrong += !sample_right(&data, 1, keys, values, NULL);
    } else if (status == CLSORT_ERROR_BUSY) {
        ++s->busy;
        s->wrong += memcmp(keys, data.keys, (size_t)(desc.count * data.key_size)) != 0 ||
                    memcmp(values, data.values, (size_t)(desc.count * desc.value_size)) != 0;
    } else {
        ++s->wrong;
    }
    free(keys);
    free(values);
    sample_free(&data);
}

static void *share(void *data)
{
    sharer *s = data;
    /* This thread has the sorter most of the time; the other one gets it in the pauses. */
    const struct timespec pause = {0, 1000000};
    for (uint64_t i = 0; !atomic_load(&s->stop); ++i) {
        share_once(s, i);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

/* Each call either is refused as busy and changes nothing, or succeeds; both happen. */
static void test_one_sorter_in_two_threads(void **state)
{
    const fixture *fix = fixture_of(state);
    if (platform_is(fix, "Oclgrind"))
        skip_because("Oclgrind does not work with several threads");
    sharer other = {.sorter = fix->sorter};
    atomic_init(&other.stop, 0);
    assert_int_equal(pthread_create(&other.thread, NULL, share, &other), 0);
    const clsort_desc desc = {.count = 2000, .stable = 1, .value_size = 8};
    const time_t end = time(NULL) + 60;
    int sorts = 0;
    int busy = 0;
    int wrong = 0;
    for (uint64_t i = 0; (sorts < 10 || busy < 10) && time(NULL) < end; ++i) {
        job j;
        cl_event event = NULL;
        wrong += job_init(&j, fix->context, &desc, i);
        const clsort_status status = job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event);
        if (status == CLSORT_OK) {
            ++sorts;
            wrong += clWaitForEvents(1, &event) != CL_SUCCESS || !job_is_right(&j, fix->queue);
            clReleaseEvent(event);
        } else {
            ++busy;
            wrong += status != CLSORT_ERROR_BUSY || event || !job_is_untouched(&j, fix->queue);
        }
        job_free(&j);
    }
    atomic_store(&other.stop, 1);
    assert_int_equal(pthread_join(other.thread, NULL), 0);
    assert_int_equal(wrong, 0);
    assert_int_equal(other.wrong, 0);
    assert_true(sorts >= 10);
    assert_true(busy + other.busy >= 10);
}

static cl_uint references(cl_context context)
{
    cl_uint count = 0;
    expect_cl(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* Many sorters, used or not; the context is released each time. */
static void test_create_and_destroy(void **state)
{
    const fixture *fix = fixture_of(state);
    /* A separate context: PoCL's thread may still be releasing what earlier tests used. */
    cl_context context = context_create(fix->device);
    cl_command_queue queue = queue_create(context, fix->device, 0);
    const cl_uint before = references(context);
    clsort_destroy(NULL);
    for (int i = 0; i < 200; ++i) {
        clsort_sorter *sorter = NULL;
        expect_status(clsort_create(context, i % 2 ? fix->device : NULL, &sorter), CLSORT_OK);
        assert_non_null(sorter);
        assert_ptr_equal(clsort_context(sorter), context);
        assert_ptr_equal(clsort_device(sorter), fix->device);
        if (i % 20 == 0) {
            const clsort_desc desc = {.count = 100};
            job j;
            cl_event event = NULL;
            assert_int_equal(job_init(&j, context, &desc, (uint64_t)i), 0);
            expect_status(job_enqueue(&j, sorter, queue, 0, NULL, &event), CLSORT_OK);
            expect_complete(event);
            assert_true(job_is_right(&j, queue));
            job_free(&j);
        }
        clsort_destroy(sorter);
    }
    for (int i = 0; i < 100 && references(context) != before; ++i)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    assert_int_equal(references(context), before);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* The sorter keeps its context alive after the creator has released it. */
static void test_sorter_keeps_its_context(void **state)
{
    const fixture *fix = fixture_of(state);
    cl_context context = context_create(fix->device);
    clsort_sorter *sorter = NULL;
    expect_status(clsort_create(context, NULL, &sorter), CLSORT_OK);
    clReleaseContext(context);
    uint32_t keys[] = {3, 1, 2};
    const clsort_desc desc = {.count = 3, .algorithm = CLSORT_BITONIC};
    const clsort_arrays arrays = {.keys = keys};
    expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_OK);
    assert_int_equal(keys[0] * 100 + keys[1] * 10 + keys[2], 123);
    clsort_destroy(sorter);

    expect_status(clsort_create(NULL, fix->device, &sorter), CLSORT_OK);
    assert_non_null(clsort_context(sorter));
    assert_ptr_equal(clsort_device(sorter), fix->device);
    clsort_destroy(sorter);
    expect_status(clsort_create(NULL, NULL, &sorter), CLSORT_OK);
    assert_ptr_equal(clsort_device(sorter), fix->device);
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sorter_a_thread),         cmocka_unit_test(test_a_context_a_thread),
        cmocka_unit_test(test_one_sorter_in_two_threads), cmocka_unit_test(test_create_and_destroy),
        cmocka_unit_test(test_sorter_keeps_its_context),
    };
    return fixture_run("threads", tests, sizeof tests / sizeof tests[0]);
}
