/* msd_control.h: what msd says of itself in scratch. */
#ifndef TESTS_MSD_CONTROL_H
#define TESTS_MSD_CONTROL_H

#include "support/fixture.h"
#include "call/sorter.h"

/* msd's parameters in the last sort. */
static inline const struct msd_params *msd_params_of(const clsort_sorter *sorter)
{
    const struct plan *plan = &sorter->plan;
    uint32_t i = 0;
    while (i < plan->num_steps && plan->steps[i].kernel != KERNEL_MSD_SPLIT)
        ++i;
    assert_true(i < plan->num_steps);
    return &plan->steps[i].params.msd;
}

/* What the sample and msd have said of the last sort in the sorter's own scratch. */
static inline struct msd_control msd_control(const fixture *fix, clsort_sorter *sorter)
{
    const struct step *sample = sorter->plan.steps;
    struct msd_control control = {0};
    assert_int_equal(sample->kernel, KERNEL_MSD_SAMPLE);
    expect_cl(clEnqueueReadBuffer(fix->queue, sorter->scratch, CL_TRUE,
                                  (size_t)sample->params.msd.control, sizeof control, &control, 0,
                                  NULL, NULL));
    return control;
}

#endif
