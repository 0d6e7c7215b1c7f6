/* text.h: keys as decimal numbers. */
#ifndef CLSORT_TOOL_TEXT_H
#define CLSORT_TOOL_TEXT_H

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_status { TEXT_OK, TEXT_MALFORMED, TEXT_OUT_OF_RANGE };

/* Reads one number, with blanks before and after it. Behind the text stands a byte that belongs
 * to no number, such as a line feed or a zero. Floats are rounded once, to nearest, ties to
 * even, also f16 and bf16. "nan", "-nan" and "inf" are floats; a number that rounds to infinity,
 * or to 0 without being 0, is out of range. Needs the C locale. */
enum text_status text_parse(clsort_type type, const char *text, size_t length, uint64_t *bits_ret);

/* Writes a key as short as text_parse() gives its bits back, except a NaN's payload: every NaN
 * is "nan" or "-nan". Returns the length; no zero or line feed is counted. */
enum { KEY_TEXT = 40 };
size_t text_print(clsort_type type, uint64_t bits, char text[KEY_TEXT]);

/* decimal.c: a decimal to a double, several times as fast as by strtod(): size characters, digits
 * with at most one point, and an exponent if there is one. The double is rounded once, to nearest,
 * ties to even. False where strtod() has to decide: the text is no such number, it has more than 19
 * digits, the result would not be a normal number, or it lies so close to the middle between two
 * doubles that 64 bits do not tell them apart. */
bool decimal_parse(const char *text, size_t size, double *number_ret);

#endif
