/* together.h: ranks fail together, and one of them says why. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

extern int own_rank, num_ranks;

/* Notes what is wrong on this rank, and returns false. The first note is kept. */
bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True if nothing is wrong on any rank. Else the lowest of those ranks prints its note. */
bool all_right(void);

/* Over all ranks. */
uint64_t sum_of(uint64_t number);
uint64_t sum_before(uint64_t number); /* of the lower ranks */
double largest_of(double number);

#endif
