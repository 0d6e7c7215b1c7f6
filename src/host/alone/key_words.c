/* key_words.c: packs the ordered forms of keys, as clsort.h defines them, into 64-bit words. */
#include "host/alone/sort.h"

#include <string.h>

static void add(struct words *words, struct member member, uint32_t array, uint32_t *bits_left)
{
    if (member.num_bits > *bits_left) {
        ++words->num_words;
        *bits_left = 64;
    }
    *bits_left -= member.num_bits;
    words->parts[words->num_parts++] = (struct word_part){member, array, words->num_words - 1};
}

void words_describe(const struct problem *problem, struct words *words_ret)
{
    uint32_t bits_left = 0;
    memset(words_ret, 0, sizeof *words_ret);
    words_ret->sizes[0] = problem_key_size(problem);
    for (uint32_t i = 0; i < problem->num_members; ++i) {
        if (problem->num_columns)
            words_ret->sizes[i] = problem->members[i].type->bits / 8;
        add(words_ret, problem->members[i], problem->num_columns ? i : 0, &bits_left);
    }
    if (problem->num_members == 0)
        add(words_ret,
            (struct member){problem->type, 0, problem->descending, problem->first_bit,
                            problem->num_bits},
            0, &bits_left);
}

uint64_t words_get(const struct words *words, uint32_t word, uint64_t index)
{
    uint64_t joined = 0;
    for (uint32_t i = 0; i < words->num_parts; ++i) {
        const struct word_part *part = &words->parts[i];
        const struct member *member = &part->member;
        if (part->word != word)
            continue;
        const char *element = words->arrays[part->array] + index * words->sizes[part->array];
        const uint64_t key =
            host_key_ordered(member->type, member->descending, element + member->offset);
        const uint64_t form = key >> member->first_bit & UINT64_MAX >> (64 - member->num_bits);
        joined = member->num_bits == 64 ? form : joined << member->num_bits | form;
    }
    return joined;
}

int words_in_order(const struct words *words, uint32_t first, uint64_t a, uint64_t b)
{
    for (uint32_t word = first; word < words->num_words; ++word) {
        const uint64_t x = words_get(words, word, a), y = words_get(words, word, b);
        if (x != y)
            return x < y;
    }
    return 1;
}
