/* input.h: the inputs of the comparisons, and what checks the outputs: each a function of an element's
 * index, so that every device makes its own copy and nothing large travels. Read as OpenCL C, as CUDA
 * and as C++, which all compute the same. */
#ifndef VERSUS_INPUT_H
#define VERSUS_INPUT_H

#ifdef __OPENCL_VERSION__
typedef ulong u64;
typedef uint u32;
typedef ushort u16;
typedef uchar u8;
#define VERSUS_GLOBAL __global
#define VERSUS_FUNCTION
#else
#include <stdint.h>
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
#define VERSUS_GLOBAL
#ifdef __CUDACC__
#define VERSUS_FUNCTION static __host__ __device__ inline
#else
#define VERSUS_FUNCTION static inline
#endif
#endif

enum versus_kind { VERSUS_UNSIGNED, VERSUS_SIGNED, VERSUS_FLOAT };

enum versus_distribution {
    VERSUS_RANDOM,
    VERSUS_SORTED,
    VERSUS_REVERSED,
    VERSUS_EQUAL,
    VERSUS_FEW16,
    VERSUS_ZIPF,
    VERSUS_ENTROPY54,
    VERSUS_ENTROPY20,
    VERSUS_LOW24,
    VERSUS_NUM_DISTRIBUTIONS
};

/* A record: four 32-bit members, ordered by the unsigned first and then the signed second; the
 * others go with it. Its key is the first two as one unsigned number of the same order. */
enum { VERSUS_RECORD_SIZE = 16, VERSUS_RECORD_WORDS = 4 };

/* All members are of one size, so that every compiler lays them out alike. */
struct versus_input {
    u64 count;
    u64 kind;
    u64 bits;          /* of a key; of a record those of its two numbers together */
    u64 mantissa_bits; /* of a float */
    u64 key_size;      /* bytes of a key or record */
    u64 value_size;    /* 0, or a multiple of 4 */
    u64 distribution;
    u64 seed;
    u64 first;    /* the smallest ordered key of sorted data, and */
    u64 multiply; /* what i is multiplied with, */
    u64 divide;   /* then divided by, to be added to it */
    u64 num_octaves;
};

/* What one look at keys and values gives: sums over the elements, but for the disorders. */
struct versus_sums {
    u64 disorders; /* keys that are smaller than the one before */
    u64 hash;      /* of the pairs, whatever their order */
    u64 placed;    /* of the pairs and their places */
};

/* splitmix64 (Steele, Lea, Flood 2014): the i-th number of a seed. */
VERSUS_FUNCTION u64 versus_random(u64 seed, u64 i)
{
    u64 x = seed + (i + 1) * 0x9e3779b97f4a7c15ul;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
    return x ^ (x >> 31);
}

/* The key as an unsigned number of the same order, and back. */
VERSUS_FUNCTION u64 versus_ordered(u64 kind, u64 bits, u64 key)
{
    const u64 sign = (u64)1 << (bits - 1);
    if (kind == VERSUS_FLOAT && (key & sign))
        return key ^ (sign | (sign - 1));
    return kind == VERSUS_UNSIGNED ? key : key ^ sign;
}

VERSUS_FUNCTION u64 versus_from_ordered(u64 kind, u64 bits, u64 ordered)
{
    const u64 sign = (u64)1 << (bits - 1);
    if (kind == VERSUS_FLOAT && !(ordered & sign))
        return ordered ^ (sign | (sign - 1));
    return kind == VERSUS_UNSIGNED ? ordered : ordered ^ sign;
}

/* Ranks 1, 2, 3 ... of which the r-th is about 1/r as frequent: every octave is equally likely, and
 * every rank of an octave. */
VERSUS_FUNCTION u64 versus_zipf(const struct versus_input *input, u64 random)
{
    const u64 octave = (random >> 32) % input->num_octaves;
    const u64 rank = ((u64)1 << octave) + (random & 0xffffffff) % ((u64)1 << octave);
    return versus_random(~input->seed, rank);
}

/* Bits of the i-th key; floats are finite and have no -0, which not all sorts order. */
VERSUS_FUNCTION u64 versus_key(const struct versus_input *input, u64 i)
{
    const u64 sign = (u64)1 << (input->bits - 1);
    const u64 seed = input->seed;
    u64 key = versus_random(seed, i);
    switch (input->distribution) {
    case VERSUS_SORTED:
    case VERSUS_REVERSED:
        i = input->distribution == VERSUS_SORTED ? i : input->count - 1 - i;
        key = versus_from_ordered(input->kind, input->bits,
                                  input->first + i * input->multiply / input->divide);
        break;
    case VERSUS_EQUAL:
        key = versus_random(seed, 0);
        break;
    case VERSUS_FEW16:
        key = versus_random(~seed, key % 16);
        break;
    case VERSUS_ZIPF:
        key = versus_zipf(input, key);
        break;
    case VERSUS_ENTROPY20:
        key &= versus_random(seed + 101, i) & versus_random(seed + 102, i);
        key &= versus_random(seed + 103, i) & versus_random(seed + 104, i);
        break;
    case VERSUS_ENTROPY54:
        key &= versus_random(seed + 101, i) & versus_random(seed + 102, i);
        break;
    case VERSUS_LOW24:
        key &= 0xffffff;
        break;
    default:
        break;
    }
    key &= sign | (sign - 1);
    if (input->kind == VERSUS_FLOAT) {
        const u64 infinity = sign - ((u64)1 << input->mantissa_bits);
        if ((key & infinity) == infinity)
            key ^= sign >> 1;
        if (key == sign)
            key = 0;
    }
    return key;
}

VERSUS_FUNCTION void versus_store_record(VERSUS_GLOBAL u32 *words, u64 key, u64 rest)
{
    words[0] = (u32)(key >> 32);
    words[1] = (u32)key ^ 0x80000000u;
    words[2] = (u32)(rest >> 32);
    words[3] = (u32)rest;
}

VERSUS_FUNCTION u64 versus_load_record(VERSUS_GLOBAL const u32 *words)
{
    return ((u64)words[0] << 32) | (words[1] ^ 0x80000000u);
}

VERSUS_FUNCTION u64 versus_load(const struct versus_input *input, VERSUS_GLOBAL const void *keys,
                                u64 i)
{
    const u64 bits = input->bits;
    if (input->key_size == VERSUS_RECORD_SIZE)
        return versus_load_record((VERSUS_GLOBAL const u32 *)keys + i * VERSUS_RECORD_WORDS);
    return bits == 8    ? (u64)((VERSUS_GLOBAL const u8 *)keys)[i]
           : bits == 16 ? (u64)((VERSUS_GLOBAL const u16 *)keys)[i]
           : bits == 32 ? (u64)((VERSUS_GLOBAL const u32 *)keys)[i]
                        : ((VERSUS_GLOBAL const u64 *)keys)[i];
}

/* The elements first, first + stride ... of an input. */
VERSUS_FUNCTION void versus_fill(const struct versus_input *input, VERSUS_GLOBAL void *keys,
                                 VERSUS_GLOBAL u32 *values, u64 first, u64 stride)
{
    const u64 num_words = input->value_size / 4;
    for (u64 i = first; i < input->count; i += stride) {
        const u64 key = versus_key(input, i);
        if (input->key_size == VERSUS_RECORD_SIZE)
            versus_store_record((VERSUS_GLOBAL u32 *)keys + i * VERSUS_RECORD_WORDS, key,
                                versus_random(input->seed + 3, i));
        else if (input->bits == 8)
            ((VERSUS_GLOBAL u8 *)keys)[i] = (u8)key;
        else if (input->bits == 16)
            ((VERSUS_GLOBAL u16 *)keys)[i] = (u16)key;
        else if (input->bits == 32)
            ((VERSUS_GLOBAL u32 *)keys)[i] = (u32)key;
        else
            ((VERSUS_GLOBAL u64 *)keys)[i] = key;
        for (u64 word = 0; word < num_words; word++)
            values[i * num_words + word] =
                (u32)versus_random(input->seed + 3, i * num_words + word);
    }
}

/* The sums over the elements first, first + stride ... of an output. */
VERSUS_FUNCTION struct versus_sums versus_look(const struct versus_input *input,
                                               VERSUS_GLOBAL const void *keys,
                                               VERSUS_GLOBAL const u32 *values, u64 first,
                                               u64 stride)
{
    struct versus_sums sums = {0, 0, 0};
    const u64 num_words = input->value_size / 4;
    for (u64 i = first; i < input->count; i += stride) {
        const u64 key = versus_load(input, keys, i);
        const u64 before = versus_load(input, keys, i > 0 ? i - 1 : 0);
        u64 hash = versus_random(11, key);
        if (input->key_size == VERSUS_RECORD_SIZE) {
            VERSUS_GLOBAL const u32 *words =
                (VERSUS_GLOBAL const u32 *)keys + i * VERSUS_RECORD_WORDS;
            hash = versus_random(hash, ((u64)words[2] << 32) | words[3]);
        }
        for (u64 word = 0; word < num_words; word++)
            hash = versus_random(hash, values[i * num_words + word]);
        sums.disorders += versus_ordered(input->kind, input->bits, key) <
                          versus_ordered(input->kind, input->bits, before);
        sums.hash += hash;
        sums.placed += versus_random(hash, i);
    }
    return sums;
}

#endif
