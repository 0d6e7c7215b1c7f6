/* between.h: checks of what work-groups leave for each other, and of waiting for it. */
#ifndef TESTS_PRIMITIVES_BETWEEN_H
#define TESTS_PRIMITIVES_BETWEEN_H

#include "bench.h"

/* lookback.cl: sums over the tiles before, some of which are silent. */
void between_check_lookback(bench *b);

/* recount.cl: digits of a silent tile, which a work-item counts itself. */
void between_check_recount(bench *b);

/* phases.cl: groups that wait for the others, and groups that go at once. */
void between_check_phases(bench *b);

#endif
