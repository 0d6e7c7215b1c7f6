/* Two sorters that compete for the device: each sorts in a thread of its own, at the same time. */
#ifndef TESTS_RACER_H
#define TESTS_RACER_H

#include "support/fixture.h"

typedef struct racer {
    clsort_sorter *sorter;
    clsort_algorithm algorithm;
    uint64_t count;
    int num_rounds;
    int failed;
} racer;

/* Runs both racers and destroys their sorters; the test fails if a result is wrong. */
void racers_run(racer racers[2]);

#endif
