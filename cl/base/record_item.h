/* record_item.h: item.h's names for records: elements of any size, ordered by a comparison. An item
 * is a record, and its payload behind it if there is one. */
#ifndef CLSORT_RECORD_ITEM_H
#define CLSORT_RECORD_ITEM_H

/* How the text with the comparison begins. It returns a bool, since kernels add up and multiply the
 * result, and a caller's text may return any number.
 *
 * RECORD_BY_ADDRESS: with addresses in private memory. Compilers for CPUs put a small struct that
 * is an argument into two words of 64 bits (x86-64's convention), even of a function that is
 * inlined; members are then shifted out of them, and that is too much for `||` to be without a
 * branch. */
#ifdef RECORD_BY_ADDRESS
#define RECORD_LESS_BEGIN                                                                 \
    CLSORT_INLINE bool record_less_at(const record_t *clsort_a, const record_t *clsort_b) \
    {                                                                                     \
        const record_t a = *clsort_a, b = *clsort_b;
#else
#define RECORD_LESS_BEGIN                                              \
    CLSORT_INLINE bool record_less(const record_t a, const record_t b) \
    {
#endif
#include "base/record_source.h"
#ifndef RECORD_IS_WIDE
#define RECORD_IS_WIDE 0
#endif
#ifndef RECORD_COMPARES_LONG
#define RECORD_COMPARES_LONG 0
#endif
#ifdef RECORD_NUM_FIELDS
#include "base/record_table.h"
#define record_less_at(a, b) (record_order_private_private(a, b) == RECORD_COMES_FIRST)
#elif defined(RECORD_BY_ADDRESS)
CLSORT_INLINE int record_less(const record_t a, const record_t b)
{
    return record_less_at(&a, &b);
}
#endif

/* Records lie at multiples of this (clsort.h). A struct's own alignment may be less, and then
 * compilers read it in pieces, which takes quicksort a quarter longer. */
#define RECORD_ALIGNMENT         \
    (RECORD_SIZE % 16 == 0  ? 16 \
     : RECORD_SIZE % 8 == 0 ? 8  \
     : RECORD_SIZE % 4 == 0 ? 4  \
     : RECORD_SIZE % 2 == 0 ? 2  \
                            : 1)
typedef record_t stored_key_t __attribute__((aligned(RECORD_ALIGNMENT)));

#if PAYLOAD_SIZE
/* The payload first: NVIDIA's compiler (driver 580) forgets what lies behind padding inside a
 * struct when it exchanges two of them (a record of 12 bytes with a value of 8). */
typedef struct {
    payload_t payload;
    record_t key;
} item_t;
#define ITEM_RECORD(item) (item).key
#define ITEM_TAKE_PAYLOAD(item, payloads, at, index, flags) \
    ((item).payload =                                       \
         (payload_t)(PAYLOAD_INDEX && (flags)&FLAG_MAKE_INDEX ? (index) : (payloads)[at]))
#define ITEM_GIVE_PAYLOAD(item, payloads, at) ((payloads)[at] = (item).payload)
#else
typedef stored_key_t item_t;
#define ITEM_RECORD(item) (item)
#define ITEM_TAKE_PAYLOAD(item, payloads, at, index, flags) \
    ((void)(payloads), (void)(index), (void)(flags))
#define ITEM_GIVE_PAYLOAD(item, payloads, at) ((void)(payloads))
#endif
#define ITEM item_t

/* Two records that lie in memory of a kind: local, global or private. */
#ifdef RECORD_NUM_FIELDS
#define RECORD_ORDER_IN(space_a, a, space_b, b) record_order_##space_a##_##space_b(&(a), &(b))
#define RECORD_LESS_IN(space_a, a, space_b, b) \
    (RECORD_ORDER_IN(space_a, a, space_b, b) == RECORD_COMES_FIRST)
#else
#define RECORD_LESS_IN(space_a, a, space_b, b) record_less(a, b)
#endif
#if KEY_DESCENDING
#define RECORD_ASK(question, space_a, a, space_b, b) question(space_b, b, space_a, a)
#else
#define RECORD_ASK(question, space_a, a, space_b, b) question(space_a, a, space_b, b)
#endif
#define RECORD_BEFORE_IN(space_a, a, space_b, b) RECORD_ASK(RECORD_LESS_IN, space_a, a, space_b, b)
#define STORED_LESS(a, b) RECORD_BEFORE_IN(global, a, global, b)

/* The same of equal records where `tie` is true. */
#ifdef RECORD_NUM_FIELDS
CLSORT_INLINE int record_decides(int order, int tie)
{
    return order == RECORD_COMES_FIRST || (order == RECORD_IS_EQUAL && tie);
}
#define RECORD_BEFORE_OR_TIE(space_a, a, space_b, b, tie) \
    record_decides(RECORD_ASK(RECORD_ORDER_IN, space_a, a, space_b, b), tie)
#else
#define RECORD_BEFORE_OR_TIE(space_a, a, space_b, b, tie) \
    (RECORD_BEFORE_IN(space_a, a, space_b, b) ||          \
     (!RECORD_BEFORE_IN(space_b, b, space_a, a) && (tie)))
#endif
#define ITEM_KEY_LESS_IN(space_a, a, space_b, b) \
    RECORD_BEFORE_IN(space_a, ITEM_RECORD(a), space_b, ITEM_RECORD(b))
#if PAYLOAD_INDEX
/* The index decides between equal records. */
#define ITEM_LESS_IN(space_a, a, space_b, b)                               \
    RECORD_BEFORE_OR_TIE(space_a, ITEM_RECORD(a), space_b, ITEM_RECORD(b), \
                         (a).payload < (b).payload)
#else
#define ITEM_LESS_IN(space_a, a, space_b, b) ITEM_KEY_LESS_IN(space_a, a, space_b, b)
#endif
/* The same for items in registers, or in any memory if the comparison takes them by value. */
#define ITEM_KEY_LESS(a, b) ITEM_KEY_LESS_IN(private, a, private, b)
#define ITEM_LESS(a, b) ITEM_LESS_IN(private, a, private, b)

/* Records of many words, which compilers would otherwise move by as many loads and stores
 * wherever one is moved. */
#if defined(RECORD_NUM_WORDS) && RECORD_NUM_WORDS > 32
// clang-format off
#define RECORD_COPY(to, from)                               \
    _Pragma("unroll 4")                                     \
    for (uint word_ = 0; word_ < RECORD_NUM_WORDS; ++word_) \
        (to).words[word_] = (from).words[word_]
// clang-format on
#else
#define RECORD_COPY(to, from) ((to) = (from))
#endif

/* Macros, for items in any address space: a function that returned a struct would make Oclgrind's
 * compiler emit what it cannot run. */
#define ITEM_LOAD(item, keys, payloads, at, index, flags)    \
    do {                                                     \
        RECORD_COPY(ITEM_RECORD(item), (keys)[at]);          \
        ITEM_TAKE_PAYLOAD(item, payloads, at, index, flags); \
    } while (0)
#define ITEM_STORE(keys, payloads, at, item, flags)     \
    do {                                                \
        if ((flags)&FLAG_STORE_KEYS)                    \
            RECORD_COPY((keys)[at], ITEM_RECORD(item)); \
        if ((flags)&FLAG_STORE_PAYLOAD)                 \
            ITEM_GIVE_PAYLOAD(item, payloads, at);      \
    } while (0)

CLSORT_INLINE void item_store(__global stored_key_t *keys, __global payload_t *payloads, ulong at,
                              const ITEM item, uint flags)
{
    ITEM_STORE(keys, payloads, at, item, flags);
}

#endif
