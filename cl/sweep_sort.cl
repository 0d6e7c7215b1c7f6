/* sweep_sort.cl: all of stable radix sort from the least significant digit up, in one launch (sweep.h).
 *
 * Idea: counting is a phase, and each pass (device_phases.h): every group counts its share, then takes tiles
 * of one pass after the other.
 *
 * Local memory: the larger one of what counting and passes need. Runs after: sweep_begin.cl, or part_begin.cl. */
#include "config.h"
#include "device_phases.h"
#include "sweep_count.h"
#include "sweep_scatter.h"

KERNEL void sweep_sort(const struct sweep_params p, SWEEP_ARGS)
{
    const struct sweep_params *q = &p;
    __local union {
        struct sweep_count_local count;
        struct sweep_scatter_local scatter;
    } shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    if (SWEEP_IS_IDLE)
        return;
    __global struct sweep_control *control = SWEEP_CONTROL;
    uint is_last = sweep_count(q, SWEEP_BUFFERS, &shared.count);
    for (uint pass = 0;; ++pass) {
        if (is_last)
            device_phases_begin(&control->phases, pass + 1);
        else if (!device_phases_wait(&control->phases, pass + 1, q->patience, &answer))
            return;
        const uint num_passes = control->num_passes;
        if (pass >= num_passes)
            return;
        const uint num_done = sweep_scatter(q, SWEEP_BUFFERS, pass, &shared.scatter);
        if (pass + 1 == num_passes)
            return;
        is_last = device_phases_done(&control->done[pass], num_done, q->num_tiles, &answer);
    }
}
