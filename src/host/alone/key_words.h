/* key_words.h: the key of an element as a few 64-bit numbers, the most significant first. */
#ifndef KEY_WORDS_H
#define KEY_WORDS_H

#include "plan/plan.h"

/* The bits of one number of an element. */
struct word_part {
    struct member member;
    uint32_t array;
    uint32_t word; /* each part shifts those before it to the left */
};

/* The elements' arrays, and the layout of their words. */
struct words {
    const char *arrays[MAX_MEMBERS];
    size_t sizes[MAX_MEMBERS]; /* bytes of an element */
    struct word_part parts[MAX_MEMBERS];
    uint32_t num_parts;
    uint32_t num_words;
};

/* Fills in everything except the arrays: arrays[i] is column i, and keys are arrays[0]. */
void words_describe(const struct problem *problem, struct words *words_ret);

/* Word `word` of element `index`. */
uint64_t words_get(const struct words *words, uint32_t word, uint64_t index);

/* Whether element a is less than element b or equal to it, by the words from `first` on. */
int words_in_order(const struct words *words, uint32_t first, uint64_t a, uint64_t b);

#endif
