/* together.h: makes all ranks fail together, with one rank's message. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

extern int own_rank, num_ranks;

/* Records what is wrong on this rank, and returns false. Only the first message is kept. */
bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true if nothing is wrong on any rank, nor was what this one has done last. Otherwise the
 * lowest rank with a message prints it. */
bool all_right(bool is_right);

/* Reductions over all ranks. */
uint64_t sum_of(uint64_t number);
uint64_t sum_before(uint64_t number); /* over all lower ranks */
double largest_of(double number);

#endif
