/* nearest.h: the name that a mistyped word was most likely meant to be. */
#ifndef CLSORT_TOOL_NEAREST_H
#define CLSORT_TOOL_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* Begins with the word and its length; what it is likened to comes one name at a time. */
struct nearest {
    const char *word;
    size_t length;
    const char *name; /* the nearest so far; NULL: none is near */
    uint64_t distance;
};

/* Letters that are wrong, missing, too many or exchanged with the next one. A word is near if no
 * more than a third of it has to be changed, of up to 3 letters one, of 4 or 5 two. The first of
 * equally near names stays. */
void nearest_offer(struct nearest *nearest, const char *name);

/* Offers a name that is near if it begins with the word, or the word with it, or if the word is one
 * of its parts between dashes. */
void nearest_offer_part(struct nearest *nearest, const char *name);

/* What to say behind a word that is unknown: "; did you mean 'sort'?", or where to look if no
 * name is near. prefix goes before the name; command is what has a help of its own, or "". */
enum { NEAREST_TEXT = 120 };
const char *nearest_hint(const struct nearest *nearest, const char *prefix, const char *command,
                         char text[NEAREST_TEXT]);

#endif
