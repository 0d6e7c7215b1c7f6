#include "external/pipeline.h"

#include "memory/parallel.h"

#include <pthread.h>

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

/* What a thread does with each piece: one stage, or several in their order. */
struct share {
    struct run *run;
    bool has_stage[NUM_STAGES];
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

/* *has_ended_ret: there is no such piece. */
static void run_stage(struct run *run, enum stage stage, uint64_t piece, bool *has_ended_ret)
{
    const struct pipeline *pipeline = run->pipeline;
    bool ok, has_piece = true;
    *has_ended_ret = !wait_for_piece(run, stage, piece);
    if (*has_ended_ret)
        return;
    if (stage == READ)
        ok = pipeline->read(pipeline->context, piece, &has_piece);
    else
        ok = (stage == SORT ? pipeline->sort : pipeline->write)(pipeline->context, piece);
    finish_piece(run, stage, piece, ok, !has_piece);
}

static void *run_share(void *argument)
{
    const struct share *share = argument;
    bool has_ended = false;
    for (uint64_t piece = 0; !has_ended; piece++) {
        for (int stage = 0; stage < NUM_STAGES && !has_ended; stage++) {
            if (share->has_stage[stage])
                run_stage(share->run, (enum stage)stage, piece, &has_ended);
        }
    }
    return NULL;
}

bool pipeline_run(const struct pipeline *pipeline)
{
    struct run run = {.pipeline = pipeline, .num_pieces = UINT64_MAX};
    struct share own = {.run = &run}, others[NUM_STAGES];
    pthread_t threads[NUM_STAGES];
    pthread_mutex_init(&run.mutex, NULL);
    pthread_cond_init(&run.changed, NULL);
    for (int stage = 0; stage < NUM_STAGES; stage++) {
        others[stage] = (struct share){.run = &run};
        others[stage].has_stage[stage] = true;
        own.has_stage[stage] =
            stage == SORT || !parallel_begin(&threads[stage], run_share, &others[stage]);
    }
    run_share(&own);
    for (int stage = 0; stage < NUM_STAGES; stage++) {
        if (!own.has_stage[stage])
            parallel_join(threads[stage]);
    }
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.mutex);
    return !run.has_failed;
}
