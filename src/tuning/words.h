/* words.h: words of texts, in which names have numbers. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Reads digits, or 2^ and digits: 1, or 0 if the text is something else. */
int tuning_read_number(const char *text, size_t length, uint64_t *number_ret);

/* What a name of former versions is called now; NULL for others. */
const char *tuning_new_name(const char *name, size_t length);

#endif
