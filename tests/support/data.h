/* Test data: seeded random numbers, facts about key types, and arrays of keys in many shapes. The
 * same seed gives the same data everywhere. */
#ifndef TESTS_DATA_H
#define TESTS_DATA_H

#include "clsort/clsort.h"

/* splitmix64. */
typedef struct rng {
    uint64_t state;
} rng;

uint64_t rng_next(rng *r);
/* A number below limit; 0 if limit is 0. */
uint64_t rng_below(rng *r, uint64_t limit);
/* A new seed from a seed and a number. */
uint64_t seed_mix(uint64_t seed, uint64_t number);

typedef enum type_kind { KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT } type_kind;

typedef struct type_info {
    const char *name;
    uint32_t bits;
    uint32_t size; /* bytes */
    type_kind kind;
    uint32_t mantissa; /* bits; floats */
} type_info;

extern const type_info type_infos[CLSORT_NUM_TYPES];

/* Shapes of data: X(enumerator, name). "last" and "first" refer to ascending order. */
/* clang-format off */
#define DATA_LIST(X)                                                                  \
    X(RANDOM,     "random bits")                                                      \
    X(SORTED,     "sorted")                                                           \
    X(REVERSED,   "reversed")                                                         \
    X(NEARLY,     "sorted, except 1 in 20")                                           \
    X(EQUAL,      "all equal")                                                        \
    X(FEW,        "16 different keys")                                                \
    X(TWO,        "2 different keys")                                                 \
    X(ORGAN_PIPE, "organ pipe")                                                       \
    X(SAWTOOTH,   "sawtooth")                                                         \
    X(ALL_ONES,   "every bit set")                                                    \
    X(LAST,       "all the last key")                                                 \
    X(FIRST,      "all the first key")                                                \
    X(BORDERS,    "a third the last key, a third the first, others random")           \
    X(EXTREMES,   "only extremes: minima, maxima, zeros, infinities, NaNs, denormals") \
    X(SPRINKLED,  "random with 1 in 8 extreme")                                       \
    X(LOW_BITS,   "random in a few low bits")                                           \
    X(HIGH_BITS,  "random in a few high bits")                                          \
    X(SPARSE,     "bitwise AND of four random words")                                         \
    X(STRAY,      "all equal, except one")                                                \
    X(CROWDS,     "random with 1 in 16 in one of 4 crowds that differ in 6 low bits") \
    X(LOGARITHMS, "random logarithms: equally many keys of each bit length")          \
    X(NESTED,     "crowds within crowds, each a 256th as wide")
/* clang-format on */

#define DATA_ENUM(name, text) DATA_##name,
typedef enum data_kind { DATA_LIST(DATA_ENUM) NUM_DATA_KINDS } data_kind;
#undef DATA_ENUM

extern const char *const data_names[NUM_DATA_KINDS];

/* The largest power of two up to `most`, itself one, that divides a size. clsort.h asks for up to 8
 * of values, and up to 16 of records. */
uint32_t data_alignment(uint32_t size, uint32_t most);

/* A key's bits as a number, and back. `size` is 1, 2, 4 or 8; the host is little-endian. */
uint64_t key_load(const void *keys, uint64_t index, uint32_t size);
void key_store(void *keys, uint64_t index, uint32_t size, uint64_t bits);

/* The bits of one extreme key: zeros, denormals, infinities and NaNs of both signs for floats, and
 * numbers around the limits for integers. */
uint64_t data_extreme(clsort_type type, rng *r);

/* Writes `count` keys. */
void data_fill(void *keys, clsort_type type, uint64_t count, data_kind kind, uint64_t seed);

/* Writes `size` random bytes. */
void data_bytes(void *bytes, uint64_t size, uint64_t seed);

/* Memory aligned to 16 bytes, for free(). The program ends if it runs out. A size of 0 returns a
 * pointer too. */
void *test_alloc(uint64_t size);

#endif
