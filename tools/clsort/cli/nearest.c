#include "cli/nearest.h"

#include "cli/message.h"
#include "io/bytes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LENGTH = 40 };

/* The distance of optimal string alignment (Damerau and Levenshtein), by rows of its matrix. */
static uint64_t distance_of(const char *a, size_t a_length, const char *b)
{
    const size_t b_length = strlen(b);
    uint64_t rows[3][MAX_LENGTH + 1];
    uint64_t *before = rows[0], *last = rows[1], *row = rows[2];
    if (a_length > MAX_LENGTH || b_length > MAX_LENGTH)
        return MAX_LENGTH;
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    memcpy(before, last, sizeof(rows[0]));
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] =
                smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        uint64_t *const oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    const size_t length = nearest->length, most = length < 4 ? 1 : length < 6 ? 2 : length / 3;
    const uint64_t distance = distance_of(nearest->word, nearest->length, name);
    /* A word of which nothing stays is another word. */
    if (distance > most || distance >= length || distance >= strlen(name))
        return;
    if (!nearest->name || distance < nearest->distance) {
        nearest->name = name;
        nearest->distance = distance;
    }
}

void nearest_offer_part(struct nearest *nearest, const char *name)
{
    enum { SHORTEST = 3 };
    const uint64_t least = smaller(strlen(name), nearest->length);
    bool is_part = strncmp(name, nearest->word, (size_t)least) == 0;
    for (const char *at = name; !is_part && (at = strchr(at, '-')); at++)
        is_part = strncmp(at + 1, nearest->word, nearest->length) == 0;
    if (is_part && least >= SHORTEST && !nearest->name)
        nearest->name = name;
}

const char *nearest_hint(const struct nearest *nearest, const char *prefix, const char *command,
                         char text[NEAREST_TEXT])
{
    if (nearest->name)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s%s'?", prefix, nearest->name);
    else
        snprintf(text, NEAREST_TEXT, "; try '%s %s%s--help'", message_program(), command,
                 *command ? " " : "");
    return text;
}
