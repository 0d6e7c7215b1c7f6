/* message.h: what the tool says on standard error. */
#ifndef CLSORT_TOOL_MESSAGE_H
#define CLSORT_TOOL_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* Prints "clsort: ", the text and a line feed, in one write. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a size as "640 bytes" or "1.5 GiB" and returns text. */
enum { SIZE_TEXT = 32 };
const char *size_text(uint64_t size, char text[SIZE_TEXT]);

/* Writes a rate of keys as "12.3 Mkeys/s" and returns text; "-" where seconds is 0. */
const char *rate_text(uint64_t count, double seconds, char text[SIZE_TEXT]);

/* Seconds of a clock that only rises. */
double seconds_now(void);

#endif
