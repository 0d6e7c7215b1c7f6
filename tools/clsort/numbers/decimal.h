/* decimal.h: decimals to doubles, several times as fast as strtod(). */
#ifndef CLSORT_TOOL_DECIMAL_H
#define CLSORT_TOOL_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Reads size characters: digits with at most one point, and an exponent if there is one. The
 * double is rounded once, to nearest, ties to even. False where strtod() has to decide: the text
 * is no such number, it has more than 19 digits, the result would not be a normal number, or it
 * lies so close to the middle between two doubles that 64 bits do not tell them apart. */
bool decimal_parse(const char *text, size_t size, double *number_ret);

#endif
