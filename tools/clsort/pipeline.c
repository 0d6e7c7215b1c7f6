#include "pipeline.h"

#include "message.h"

#include <pthread.h>
#include <string.h>

enum stage { READ, SORT, WRITE, NUM_STAGES };

/* All but the pipeline under the mutex. */
struct run {
    const struct pipeline *pipeline;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t num_done[NUM_STAGES]; /* pieces that have passed a stage */
    uint64_t num_pieces;           /* UINT64_MAX until the last has been read */
    bool has_failed;
};

struct stage_run {
    struct run *run;
    enum stage stage;
};

/* Waits until a stage may begin its next piece; false: there is none. */
static bool wait_for_piece(struct run *run, enum stage stage, uint64_t piece)
{
    pthread_mutex_lock(&run->mutex);
    for (;;) {
        const bool is_ready = stage == READ ? piece < run->num_done[WRITE] + PIPELINE_SLOTS
                                            : piece < run->num_done[stage - 1];
        if (is_ready || run->has_failed || piece >= run->num_pieces)
            break;
        pthread_cond_wait(&run->changed, &run->mutex);
    }
    const bool has_piece = !run->has_failed && piece < run->num_pieces;
    pthread_mutex_unlock(&run->mutex);
    return has_piece;
}

static void finish_piece(struct run *run, enum stage stage, uint64_t piece, bool ok, bool is_end)
{
    pthread_mutex_lock(&run->mutex);
    if (!ok)
        run->has_failed = true;
    else if (is_end)
        run->num_pieces = piece;
    else
        run->num_done[stage] = piece + 1;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
}

static void *run_stage(void *argument)
{
    const struct stage_run *stage_run = argument;
    struct run *run = stage_run->run;
    const struct pipeline *pipeline = run->pipeline;
    const enum stage stage = stage_run->stage;
    for (uint64_t piece = 0; wait_for_piece(run, stage, piece); piece++) {
        bool ok, has_piece = true;
        if (stage == READ)
            ok = pipeline->read(pipeline->context, piece, &has_piece);
        else
            ok = (stage == SORT ? pipeline->sort : pipeline->write)(pipeline->context, piece);
        finish_piece(run, stage, piece, ok, !has_piece);
    }
    return NULL;
}

bool pipeline_run(const struct pipeline *pipeline)
{
    struct run run = {.pipeline = pipeline, .num_pieces = UINT64_MAX};
    struct stage_run stages[NUM_STAGES];
    pthread_t threads[NUM_STAGES];
    bool is_started[NUM_STAGES] = {false};
    pthread_mutex_init(&run.mutex, NULL);
    pthread_cond_init(&run.changed, NULL);
    for (int stage = 0; stage < NUM_STAGES; stage++) {
        stages[stage] = (struct stage_run){&run, (enum stage)stage};
        const int error =
            stage == SORT ? 0 : pthread_create(&threads[stage], NULL, run_stage, &stages[stage]);
        is_started[stage] = stage != SORT && error == 0;
        if (error) {
            message("cannot start a thread: %s", strerror(error));
            finish_piece(&run, READ, 0, false, false);
        }
    }
    run_stage(&stages[SORT]);
    for (int stage = 0; stage < NUM_STAGES; stage++) {
        if (is_started[stage])
            pthread_join(threads[stage], NULL);
    }
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.mutex);
    return !run.has_failed;
}
