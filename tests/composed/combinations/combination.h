/* combination.h: descriptions with any two or more members set, drawn from a seed, and what must
 * come of each: a refusal that clsort.h's table of exclusions names, or the result in the words
 * of clsort.h. */
#ifndef TESTS_COMBINATION_H
#define TESTS_COMBINATION_H

#include "support/data.h"
#include "support/fixture.h"

/* The features: X(enumerator, name). All are off in a sort of u32 keys in place. */
/* clang-format off */
#define FEATURE_LIST(X)          \
    X(TYPE,        "type")       \
    X(RECORD,      "record")     \
    X(STRINGS,     "strings")    \
    X(COLUMNS,     "columns")    \
    X(ORDER,       "order")      \
    X(BITS,        "bits")       \
    X(ALGORITHM,   "algorithm")  \
    X(STABLE,      "stable")     \
    X(VALUE,       "value_size") \
    X(VALUES,      "num_values") \
    X(INDICES,     "index_size") \
    X(OUT,         "out_of_place") \
    X(ARRAYS,      "num_arrays") \
    X(SEGMENTS,    "segments")   \
    X(SKIP,        "skip")       \
    X(LIMIT,       "limit")      \
    X(OPERATION,   "operation")  \
    X(FIRST_COUNT, "first_count") \
    X(NUM_QUERIES, "num_queries")
/* clang-format on */
#define FEATURE_ENUM(enumerator, name) FEATURE_##enumerator,
enum feature { FEATURE_LIST(FEATURE_ENUM) NUM_FEATURES };
#undef FEATURE_ENUM

extern const char *const feature_names[NUM_FEATURES];

/* The buffers and arrays that a description can have: X(enumerator). Those of lists have three. */
enum { LISTED = 3 };
enum place {
    PLACE_KEYS,
    PLACE_COLUMNS,
    PLACE_VALUES = PLACE_COLUMNS + LISTED,
    PLACE_LIST,
    PLACE_OFFSETS = PLACE_LIST + LISTED,
    PLACE_QUERIES,
    PLACE_QUERY_COLUMNS,
    PLACE_KEYS_OUT = PLACE_QUERY_COLUMNS + LISTED,
    PLACE_COLUMNS_OUT,
    PLACE_VALUES_OUT = PLACE_COLUMNS_OUT + LISTED,
    PLACE_LIST_OUT,
    PLACE_OFFSETS_OUT = PLACE_LIST_OUT + LISTED,
    PLACE_INDICES,
    PLACE_LOWER,
    PLACE_UPPER,
    PLACE_RESULT,
    NUM_PLACES
};

/* One of them. A place that is not used has an element of 0 bytes. */
typedef struct placed {
    uint32_t element; /* bytes */
    uint64_t num;
    unsigned char *before;
    unsigned char *after; /* what must be there; NULL: see combination.rows */
} placed;

/* Neighbouring elements that are sorted by themselves: an array, or a segment. */
typedef struct group {
    uint64_t begin, size;
} group;

enum { MAX_GROUPS = 64, MAX_REFUSALS = 32 };

typedef struct combination {
    uint32_t features; /* a bit each */
    clsort_desc desc;
    clsort_strings strings;
    uint64_t seed;
    uint64_t n;
    placed places[NUM_PLACES];
    group groups[MAX_GROUPS];
    uint32_t num_groups;
    uint64_t *order; /* the stable order of each group: indices of elements */
    /* The result is checked by rows: wanted places hold the right rows, or ones that are equal, and
     * each group keeps its rows. */
    int by_rows, is_exact;
} combination;

/* A member that is refused, and how. */
typedef struct excluded {
    clsort_status status;
    const char *argument;
} excluded;

/* Draws a description that has these features, and others. */
void combination_draw(combination *c, uint32_t features, uint64_t seed);

/* The refusals that it may get; 0: it must be accepted. */
uint32_t combination_refusals(const combination *c, excluded refusals[MAX_REFUSALS]);

/* The data: what is read, and the groups. */
void combination_sources(combination *c);

/* Adds a place of random elements. */
placed *combination_make(combination *c, int place, uint32_t element, uint64_t num);

/* Keys of any kind but strings: at the first place, or columns. And the bytes of such keys. */
void combination_make_keys(combination *c, enum place keys, enum place columns, uint64_t num);
void combination_keys(const combination *c, enum place keys, enum place columns,
                      unsigned char *keys_ret[LISTED]);

/* The stable order of the elements begin to begin + size, as indices. */
void combination_order(const combination *c, uint64_t begin, uint64_t size, uint64_t *indices);

/* The place to which one that moves is moved out of place; NUM_PLACES for others. */
int combination_out(int place);

static inline uint64_t combination_arrays(const combination *c)
{
    return c->desc.num_arrays ? c->desc.num_arrays : 1;
}

/* Draws the data, and finds what must come of it. is_stable: equal elements keep their order. */
void combination_expect(combination *c, int is_stable);
void combination_free(combination *c);

/* Compares elements of two lists of keys, as the description says. keys: PLACE_KEYS or the columns.
 */
int combination_compare(const combination *c, unsigned char *const *a, uint64_t i,
                        unsigned char *const *b, uint64_t j);

/* Checks a result by rows. got: the bytes of all places. Returns NULL or what is wrong. */
const char *combination_check_rows(const combination *c, unsigned char *const *got);

#endif
