/* message.h: what the tool says on standard error. */
#ifndef CLSORT_TOOL_MESSAGE_H
#define CLSORT_TOOL_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Prints the program's name, the text and a line feed, in one write. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* die.c: a message, and the end of the process with the status of trouble; or the end alone, when
 * all is said. No temporary name stays, and what was printed gets out. If several threads fail one
 * says so. What follows any of these calls works with what is there: a function that has no memory,
 * or cannot read or write, does not return. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_told(void);

/* The program's name in messages and hints, "clsort" unless another one is set. NULL: this process
 * says nothing. */
void message_set_program(const char *name);
const char *message_program(void);

/* Writes a size as "640 bytes" or "1.5 GiB" and returns text. */
enum { SIZE_TEXT = 32 };
const char *size_text(uint64_t size, char text[SIZE_TEXT]);

/* Writes a rate of keys as "12.3 Mkeys/s" and returns text; "-" where seconds is 0. */
const char *rate_text(uint64_t count, double seconds, char text[SIZE_TEXT]);

/* Seconds of a clock that only rises. */
double seconds_now(void);

#endif
