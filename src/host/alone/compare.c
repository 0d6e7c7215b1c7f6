/* compare.c: the order of records by fields, rows of columns, and strings, by the calling thread.
 *
 * Idea: as much of a key as a number of 64 bits holds is sorted with the keys' indices, as pairs of
 * numbers are. Those that agree in it are put in order by comparing all of two keys: by a merge
 * sort of their indices. Keys of several numbers are words (key_words.h). */
#include "host/alone/sort.h"

#include <string.h>

int host_compare_takes(const struct problem *problem)
{
    return problem->is_strings || problem->num_members > 0;
}

/* ---- Strings --------------------------------------------------------------------------------- */
struct string {
    const char *bytes;
    size_t size; /* with its tail */
};

static uint64_t offset_of(const struct compared *c, uint64_t i)
{
    const clsort_strings *strings = &c->problem->strings;
    return strings->offset_size ? offset_at(c->offsets, strings->offset_size, i)
                                : i * strings->width;
}

static struct string string_of(const struct compared *c, uint64_t i)
{
    const uint64_t most = c->problem->strings.num_bytes;
    const uint64_t begin = smaller(offset_of(c, i), most);
    const uint64_t end = smaller(offset_of(c, i + 1), most);
    return (struct string){c->bytes + begin, end > begin ? (size_t)(end - begin) : 0};
}

/* A string without its tail. */
static struct string compared_part(const struct compared *c, uint64_t i)
{
    struct string string = string_of(c, i);
    const uint32_t tail = c->problem->strings.tail_size;
    string.size = string.size > tail ? string.size - tail : 0;
    return string;
}

static int compare_strings(const struct compared *c, uint32_t a, uint32_t b)
{
    const struct string x = compared_part(c, a), y = compared_part(c, b);
    const size_t both = x.size < y.size ? x.size : y.size;
    const int bytes = both ? memcmp(x.bytes, y.bytes, both) : 0;
    const int result = bytes ? bytes : (x.size > y.size) - (x.size < y.size);
    return c->problem->descending ? -result : result;
}

static uint64_t begin_of_string(const struct compared *c, uint32_t i)
{
    const struct string string = compared_part(c, i);
    uint64_t number = 0;
    for (size_t at = 0; at < sizeof number; ++at)
        number = number << 8 | (at < string.size ? (unsigned char)string.bytes[at] : 0);
    return c->problem->descending ? ~number : number;
}

void host_compare_move_strings(const struct compared *c, const uint32_t *order, char *bytes,
                               void *offsets)
{
    const clsort_strings *strings = &c->problem->strings;
    const uint64_t count = c->problem->count;
    uint64_t at = 0;
    for (uint64_t i = 0; i <= count; ++i) {
        if (strings->offset_size == 4)
            ((uint32_t *)offsets)[i] = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
        else if (strings->offset_size)
            ((uint64_t *)offsets)[i] = at;
        if (i == count)
            break;
        const struct string string = string_of(c, order[i]);
        const uint64_t room = at < strings->num_bytes ? strings->num_bytes - at : 0;
        const size_t size = string.size < room ? string.size : (size_t)room;
        if (size)
            memcpy(bytes + at, string.bytes, size);
        at += string.size;
    }
}

/* ---- The order ------------------------------------------------------------------------------- */
/* Whether key a comes after key b, which has the same first word. */
static int comes_after(const struct compared *c, uint32_t a, uint32_t b)
{
    return c->problem->is_strings ? compare_strings(c, a, b) > 0
                                  : !words_in_order(&c->words, 1, a, b);
}

/* Merge sort of keys' indices, by way of `other`, which has as much room. */
static void sort_indices(const struct compared *c, uint32_t *indices, uint32_t *other,
                         uint32_t count)
{
    const uint32_t half = count / 2;
    if (count < 2)
        return;
    sort_indices(c, indices, other, half);
    sort_indices(c, indices + half, other, count - half);
    if (!comes_after(c, indices[half - 1], indices[half]))
        return;
    memcpy(other, indices, half * sizeof *other);
    for (uint32_t to = 0, a = 0, b = half; a < half;)
        indices[to++] =
            b < count && comes_after(c, other[a], indices[b]) ? indices[b++] : other[a++];
}

void host_compare_order(const struct compared *c, struct host_pair *items, uint32_t *order)
{
    const struct problem *problem = c->problem;
    const uint32_t count = (uint32_t)problem->count;
    for (uint32_t i = 0; i < count; ++i)
        items[i] = (struct host_pair){problem->is_strings ? begin_of_string(c, i)
                                                          : words_get(&c->words, 0, i),
                                      i};
    const struct host_pair *sorted = host_sorts_best()->sort_pairs(items, items + count, count);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = (uint32_t)sorted[i].y;
    if (!problem->is_strings && c->words.num_words == 1)
        return;
    uint32_t *other = (uint32_t *)(sorted == items ? items + count : items);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && sorted[end].x == sorted[begin].x)
            ++end;
        sort_indices(c, order + begin, other, end - begin);
    }
}
