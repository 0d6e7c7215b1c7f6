/* sort.cl: all of stable radix sort from the least significant digit up, in one launch
 * (onesweep.h).
 *
 * Idea: counting is a phase, and each pass (device/phases.h): every group counts its share, then
 * takes tiles of one pass after the other.
 *
 * Local memory: the larger one of what counting and passes need. Runs after: move/table.cl;
 * or sample/sample.cl, and the sorts between them. */
#include "base/config.h"
#include "device/phases.h"
#include "sorts/onesweep/count.h"
#include "sorts/onesweep/scatter.h"

union onesweep_local {
    struct onesweep_count_local count;
    struct onesweep_scatter_local scatter;
};

KERNEL void onesweep_sort(const struct onesweep_params p, ONESWEEP_ARGS)
{
    const struct onesweep_params *q = &p;
    /* Words of no type: Oclgrind takes an index into one member for an index into the other. */
    __local ulong memory[(sizeof(union onesweep_local) + 7) / 8];
    __local union onesweep_local *shared = (__local union onesweep_local *)memory;
    __local uint answer;
    LOCAL_FITS(sizeof(memory) + sizeof(answer));
    if (ONESWEEP_IS_IDLE)
        return;
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    uint is_last = onesweep_count(q, ONESWEEP_BUFFERS, &shared->count);
    for (uint pass = 0;; ++pass) {
        if (is_last)
            device_phases_begin(&control->phases, pass + 1);
        else if (!device_phases_wait(&control->phases, pass + 1, q->spin_limit, &answer))
            return;
        const uint num_passes = control->num_passes;
        if (pass >= num_passes)
            return;
        const uint num_done = onesweep_scatter(q, ONESWEEP_BUFFERS, pass, &shared->scatter);
        if (pass + 1 == num_passes)
            return;
        is_last = device_phases_done(&control->done[pass], num_done, q->num_tiles, &answer);
    }
}
