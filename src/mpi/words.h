/* words.h: what elements are sorted by, as a few numbers of 64 bits, the first deciding first. */
#ifndef WORDS_H
#define WORDS_H

#include "plan.h"

/* Bits of a number somewhere in an element. */
struct word_part {
    uint32_t word; /* of which it is the lowest bits so far */
    uint32_t array;
    uint32_t offset; /* bytes from the element's beginning */
    const struct key_type *type;
    int descending;
    uint32_t first_bit;
    uint32_t num_bits;
};

/* The elements' arrays, and how words are made of them. */
struct words {
    const char *arrays[MAX_MEMBERS];
    size_t sizes[MAX_MEMBERS]; /* bytes of an element */
    struct word_part parts[MAX_MEMBERS];
    uint32_t num_parts;
    uint32_t num_words;
};

/* Fills in all but the arrays. Those of columns have the columns' numbers, keys are number 0. */
void words_describe(const struct problem *problem, struct words *words_ret);

/* Word number `word` of element number `index`. */
uint64_t words_get(const struct words *words, uint32_t word, uint64_t index);

/* Whether element a comes before element b or is equal to it. */
int words_in_order(const struct words *words, uint64_t a, uint64_t b);

#endif
