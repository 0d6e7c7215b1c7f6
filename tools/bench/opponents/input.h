/* input.h: the inputs of 'clsort bench': each a function of an element's index, so that every
 * device makes its own copy and nothing large travels. Read as C, C++, OpenCL C and CUDA, which all
 * compute the same. look.h checks what has become of them. */
#ifndef BENCH_INPUT_H
#define BENCH_INPUT_H

#ifdef __OPENCL_VERSION__
typedef ulong u64;
typedef uint u32;
typedef ushort u16;
typedef uchar u8;
#define BENCH_GLOBAL __global
#define BENCH_FUNCTION
#else
#include <stdint.h>
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
#define BENCH_GLOBAL
#ifdef __CUDACC__
#define BENCH_FUNCTION static __host__ __device__ inline
#else
#define BENCH_FUNCTION static inline
#endif
#endif

enum bench_kind { BENCH_UNSIGNED, BENCH_SIGNED, BENCH_FLOAT };

/* X(enumerator, name, what it is). */
#define BENCH_DISTRIBUTION_LIST(X)                                             \
    X(RANDOM, "random", "every bit at random")                                 \
    X(SORTED, "sorted", "ascending, evenly over the type's range")             \
    X(REVERSED, "reversed", "descending, evenly over the type's range")        \
    X(EQUAL, "equal", "one key")                                               \
    X(FEW16, "few16", "16 different keys")                                     \
    X(ZIPF, "zipf", "few frequent keys and many rare ones")                    \
    X(ORGAN, "organ", "organ pipe: up, then down")                             \
    X(ENTROPY, "entropy", "three random words joined by AND")                  \
    X(ENTROPY20, "entropy20", "five random words joined by AND")               \
    X(LOW24, "low24", "only the low 24 bits at random")                        \
    X(LOW16, "low16", "only the low 16 bits at random")                        \
    X(LOG, "log", "a random number of bits, which are random")                 \
    X(NESTED, "nested", "crowds within crowds, two in each, a 4096th as wide") \
    X(REPEATS, "repeats", "about eight of each key, which are random")         \
    X(UNIFORM, "uniform", "evenly over 3/5 of the range; floats: from 0 to 1") \
    X(BELL, "bell", "means of four such keys; floats: around 0")               \
    X(SAWTOOTH, "sawtooth", "16 runs, each ascending over the type's range")   \
    X(BATCHES, "batches", "runs of 16384 keys, each over the type's range")    \
    X(NEARLY, "nearly", "ascending, but a 16th of the keys is anywhere")

#define BENCH_DISTRIBUTION_ENUM(name, text, about) BENCH_##name,
enum bench_distribution {
    BENCH_DISTRIBUTION_LIST(BENCH_DISTRIBUTION_ENUM) BENCH_NUM_DISTRIBUTIONS
};
#undef BENCH_DISTRIBUTION_ENUM

/* A record: four 32-bit members, ordered by the unsigned first and then the signed second; the
 * others go with it. Its key is the first two as one unsigned number of the same order. */
enum { BENCH_RECORD_SIZE = 16, BENCH_RECORD_WORDS = 4 };

/* What is done with the keys. */
enum bench_work {
    BENCH_SORT,
    BENCH_SEGMENTS, /* a sort of each segment */
    BENCH_TOP,      /* the places skip ... skip + limit - 1 of the order, of each row, in order */
    BENCH_CHECK,    /* the place of the first key that is less than the one before, or count */
    BENCH_MERGE,    /* of the two halves, which are in order */
    BENCH_RUNS,     /* the different keys of those in order, and how many there are */
    BENCH_SEARCH,   /* how many of the keys, which are in order, are less than each query */
    BENCH_NUM_WORKS
};

/* All members are of one size, so that every compiler lays them out alike. */
struct bench_input {
    u64 count;
    u64 kind;
    u64 bits;          /* of a key; of a record those of its two numbers together */
    u64 mantissa_bits; /* of a float */
    u64 key_size;      /* bytes of a key or record */
    u64 value_size;    /* 0 for keys alone */
    u64 index_size;    /* of the indices that are the output in the place of keys, or 0 */
    u64 has_places;    /* the first word of a value is its place in the input */
    u64 distribution;
    u64 seed;
    u64 first;    /* the smallest ordered key of sorted data, and */
    u64 multiply; /* what i is multiplied with, */
    u64 divide;   /* then divided by, to be added to it */
    u64 num_octaves;
    u64 work;         /* enum bench_work */
    u64 side;         /* enum bench_side */
    u64 num_segments; /* where they begin is said elsewhere; 0: all keys are one array */
    u64 row_length;   /* keys of each row, of TOP also of one; 0: offsets say where rows begin */
    u64 skip, limit;
    u64 num_queries;
    u64 place_size; /* bytes of a place in the input: SEARCH, and TOP with indices; or 0 */
    u64 is_stable; /* equal keys in another order than the input's are disorders, with has_places */
};

/* splitmix64 (Steele, Lea, Flood 2014): the i-th number of a seed. */
BENCH_FUNCTION u64 bench_random(u64 seed, u64 i)
{
    u64 x = seed + (i + 1) * 0x9e3779b97f4a7c15ul;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
    return x ^ (x >> 31);
}

/* Keeps a GPU busy for some 400 microseconds: commands that are enqueued meanwhile follow each
 * other without waiting for the host. The number of rounds is no constant of the function, since
 * NVIDIA's compiler would take minutes to evaluate it. */
enum { BENCH_HEAD_START = 8192 };
BENCH_FUNCTION u64 bench_head_start(u32 rounds)
{
    u64 x = 0;
    for (u32 i = 0; i < rounds; i++)
        x = bench_random(x, i);
    return x;
}

/* The key as an unsigned number of the same order, and back. */
BENCH_FUNCTION u64 bench_ordered(u64 kind, u64 bits, u64 key)
{
    const u64 sign = (u64)1 << (bits - 1);
    if (kind == BENCH_FLOAT && (key & sign))
        return key ^ (sign | (sign - 1));
    return kind == BENCH_UNSIGNED ? key : key ^ sign;
}

BENCH_FUNCTION u64 bench_from_ordered(u64 kind, u64 bits, u64 ordered)
{
    const u64 sign = (u64)1 << (bits - 1);
    if (kind == BENCH_FLOAT && !(ordered & sign))
        return ordered ^ (sign | (sign - 1));
    return kind == BENCH_UNSIGNED ? ordered : ordered ^ sign;
}

/* Ranks 1, 2, 3 ... of which the r-th is about 1/r as frequent: every octave is equally likely, and
 * every rank of an octave. */
BENCH_FUNCTION u64 bench_zipf(const struct bench_input *input, u64 random)
{
    const u64 octave = (random >> 32) % input->num_octaves;
    const u64 rank = ((u64)1 << octave) + (random & 0xffffffff) % ((u64)1 << octave);
    return bench_random(~input->seed, rank);
}

/* Two crowds, a 4096th as wide as the range, in each two more, and so on: choices says which. Masks
 * instead of shifts to the right: compilers make funnel shifts of those, which Oclgrind lacks. */
BENCH_FUNCTION u64 bench_nested(const struct bench_input *input, u64 random, u64 choices)
{
    u64 left = input->bits, key = 0, path = 1;
    for (; left > 27; left -= 12, choices >>= 1) {
        path = path << 1 | (choices & 1);
        key = key << 12 | (bench_random(input->seed + 102, path) & 0xfff);
    }
    return key << left | (random & (((u64)1 << left) - 1));
}

/* Where the i-th key of those that are partly in order stands among as many that ascend. */
BENCH_FUNCTION u64 bench_place(const struct bench_input *input, u64 i, u64 random)
{
    const u64 from_end = input->count - 1 - i;
    const u64 is_batch = input->distribution == BENCH_BATCHES && input->count > 16384;
    const u64 run = is_batch ? 16384 : input->count / 16 + 1;
    if (input->distribution == BENCH_SORTED)
        return i;
    if (input->distribution == BENCH_REVERSED)
        return from_end;
    if (input->distribution == BENCH_SAWTOOTH || input->distribution == BENCH_BATCHES)
        return i % run * input->count / run + i / run;
    if (input->distribution == BENCH_NEARLY)
        return random >> 60 ? i : random % input->count;
    return i < input->count / 2 ? 2 * i : 2 * from_end + 1;
}

/* Joined by AND: two more random words, or four. */
BENCH_FUNCTION u64 bench_entropy(u64 seed, u64 i, u64 key, int num_words)
{
    for (int word = 1; word <= num_words; word++)
        key &= bench_random(seed + 100 + (u64)word, i);
    return key;
}

/* Floats are finite and have no -0, which not all sorts order. */
BENCH_FUNCTION u64 bench_finite(const struct bench_input *input, u64 key)
{
    const u64 sign = (u64)1 << (input->bits - 1);
    const u64 infinity = sign - ((u64)1 << input->mantissa_bits);
    if (input->kind != BENCH_FLOAT)
        return key;
    if ((key & infinity) == infinity)
        key ^= sign >> 1;
    return key == sign ? 0 : key;
}

/* The bits of the float number / 2^62, rounded towards 0; number: below 2^63. */
BENCH_FUNCTION u64 bench_fraction(const struct bench_input *input, u64 number)
{
    const u64 mantissa_bits = input->mantissa_bits;
    u64 exponent = (u64)1 << (input->bits - 2 - mantissa_bits); /* of a number with bit 63 */
    for (; number && exponent && !(number >> 63); number <<= 1)
        exponent--;
    if (!number || !exponent)
        return 0;
    const u64 mantissa = number >> (63 - mantissa_bits);
    return (exponent << mantissa_bits) | (mantissa & (((u64)1 << mantissa_bits) - 1));
}

/* A mean of num_words random numbers, each evenly over its range. */
BENCH_FUNCTION u64 bench_smooth(const struct bench_input *input, u64 i, u64 num_words)
{
    const u64 sign = (u64)1 << (input->bits - 1), middle = num_words << 61;
    u64 sum = 0;
    for (u64 word = 0; word < num_words; word++)
        sum += bench_random(input->seed + 103 + word, i) >> 2;
    if (input->kind != BENCH_FLOAT) {
        const u64 number = sum / num_words / 5 * 3;
        return bench_from_ordered(input->kind, input->bits,
                                  input->bits == 64 ? number << 2 : number >> (62 - input->bits));
    }
    if (num_words == 1)
        return bench_fraction(input, sum);
    return sum < middle ? sign | bench_fraction(input, middle - sum)
                        : bench_fraction(input, sum - middle);
}

/* Bits of the i-th key. */
BENCH_FUNCTION u64 bench_key(const struct bench_input *input, u64 i)
{
    const u64 sign = (u64)1 << (input->bits - 1);
    const u64 seed = input->seed;
    u64 key = bench_random(seed, i);
    switch (input->distribution) {
    case BENCH_SORTED:
    case BENCH_REVERSED:
    case BENCH_ORGAN:
    case BENCH_SAWTOOTH:
    case BENCH_BATCHES:
    case BENCH_NEARLY:
        i = bench_place(input, i, key);
        key = bench_from_ordered(input->kind, input->bits,
                                 input->first + i * input->multiply / input->divide);
        break;
    case BENCH_EQUAL:
        key = bench_random(seed, 0);
        break;
    case BENCH_FEW16:
        key = bench_random(~seed, key % 16);
        break;
    case BENCH_ZIPF:
        key = bench_zipf(input, key);
        break;
    case BENCH_ENTROPY:
        key = bench_entropy(seed, i, key, 2);
        break;
    case BENCH_ENTROPY20:
        key = bench_entropy(seed, i, key, 4);
        break;
    case BENCH_LOW24:
        key &= 0xffffff;
        break;
    case BENCH_LOW16:
        key &= 0xffff;
        break;
    case BENCH_LOG:
        key = (sign | (key & (sign - 1))) >> bench_random(seed + 101, i) % input->bits;
        break;
    case BENCH_REPEATS:
        key = bench_random(~seed, key % (input->count / 8 + 1));
        break;
    case BENCH_UNIFORM:
        key = bench_smooth(input, i, 1);
        break;
    case BENCH_BELL:
        key = bench_smooth(input, i, 4);
        break;
    case BENCH_NESTED:
        key = bench_nested(input, key, bench_random(seed + 101, i));
        break;
    default:
        break;
    }
    return bench_finite(input, key & (sign | (sign - 1)));
}

BENCH_FUNCTION void bench_store(const struct bench_input *input, BENCH_GLOBAL void *keys, u64 i,
                                u64 key)
{
    if (input->key_size == BENCH_RECORD_SIZE) {
        BENCH_GLOBAL u32 *words = (BENCH_GLOBAL u32 *)keys + i * BENCH_RECORD_WORDS;
        const u64 rest = bench_random(input->seed + 3, i);
        words[0] = (u32)(key >> 32);
        words[1] = (u32)key ^ 0x80000000u;
        words[2] = (u32)(rest >> 32);
        words[3] = (u32)rest;
    } else if (input->bits == 8) {
        ((BENCH_GLOBAL u8 *)keys)[i] = (u8)key;
    } else if (input->bits == 16) {
        ((BENCH_GLOBAL u16 *)keys)[i] = (u16)key;
    } else if (input->bits == 32) {
        ((BENCH_GLOBAL u32 *)keys)[i] = (u32)key;
    } else {
        ((BENCH_GLOBAL u64 *)keys)[i] = key;
    }
}

/* The value of element i is words of 32 bits, or bytes where its size is no multiple of 4. */
BENCH_FUNCTION void bench_store_value(const struct bench_input *input, BENCH_GLOBAL void *values,
                                      u64 i)
{
    const u64 size = input->value_size;
    for (u64 at = 0; at < size && size % 4 == 0; at += 4) {
        const u64 word = i * (size / 4) + at / 4;
        const u32 place = (u32)i;
        ((BENCH_GLOBAL u32 *)values)[word] =
            input->has_places && at == 0 ? place : (u32)bench_random(input->seed + 3, word);
    }
    for (u64 at = 0; at < size && size % 4 != 0; at++)
        ((BENCH_GLOBAL u8 *)values)[i * size + at] =
            (u8)bench_random(input->seed + 3, i * size + at);
}

/* The elements first, first + stride ... of an input. */
BENCH_FUNCTION void bench_fill(const struct bench_input *input, BENCH_GLOBAL void *keys,
                               BENCH_GLOBAL void *values, u64 first, u64 stride)
{
    for (u64 i = first; i < input->count; i += stride) {
        bench_store(input, keys, i, bench_key(input, i));
        bench_store_value(input, values, i);
    }
}

#endif
