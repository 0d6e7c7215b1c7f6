/* phases.cl: device_phases.h: n tasks a phase; a task adds what two tasks of the phase before
 * have left. */
#include "base/config.h"
#include "device/phases.h"

#define PHASES 4

/* out: [phase] tickets, [phase] done, phases that are complete, [phase + 1][task] numbers, the
 * first row from the host. */
KERNEL void phases(__global const uint *in, __global uint *out, uint n, uint spin_limit)
{
    __local uint answer;
    const uint me = get_local_id(0);
    __global uint *tickets = out, *done = out + PHASES, *complete = out + 2 * PHASES;
    __global uint *numbers = out + 2 * PHASES + 1;
    uint goes_on = 1;
    for (uint phase = 0; phase < PHASES; ++phase) {
        if (phase > 0 && goes_on)
            device_phases_begin(complete, phase);
        else if (phase > 0 && !device_phases_wait(complete, phase, spin_limit, &answer))
            return;
        uint num_done = 0;
        for (uint task = device_phases_take(&tickets[phase], &answer); task < n;
             task = device_phases_take(&tickets[phase], &answer)) {
            if (me == 0)
                numbers[(phase + 1) * n + task] =
                    numbers[phase * n + task] + numbers[phase * n + (task + 1) % n];
            ++num_done;
        }
        goes_on = device_phases_done(&done[phase], num_done, n, &answer);
    }
}
