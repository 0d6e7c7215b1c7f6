/* text.h: what a plan is, in words and numbers. */
#ifndef PLAN_TEXT_H
#define PLAN_TEXT_H

#include "plan/plan.h"

/* Writes at most size bytes, the final zero included; returns the length of the whole text. */
size_t plan_text(const struct plan *plan, const struct problem *problem, char *chars, size_t size);

#endif
