/* keys.c: ordered forms, as clsort.h defines them. Keys are first widened to the width of the
 * items, then converted in place by loops without branches. */
#include "host/alone/sort.h"

#include <string.h>

/* How a type and an order change a key, in the steps of cl/base/key.h. */
struct key_form {
    uint32_t top_bit;
    uint64_t all;  /* bits of a key */
    uint64_t sign; /* the sign bit; 0: unsigned */
    uint64_t nans; /* the number of negative NaNs; 0: not a float */
    uint64_t flip; /* bits to flip if descending */
};

static struct key_form form_of_type(const struct key_type *type, int descending)
{
    const uint64_t all = UINT64_MAX >> (64 - type->bits);
    return (struct key_form){
        .top_bit = type->bits - 1,
        .all = all,
        .sign = type->kind == KEY_UNSIGNED ? 0 : (uint64_t)1 << (type->bits - 1),
        .nans = type->kind == KEY_FLOAT ? ((uint64_t)1 << type->mantissa_bits) - 1 : 0,
        .flip = descending ? all : 0,
    };
}

static struct key_form form_of(const struct problem *problem)
{
    return form_of_type(problem->type, problem->descending);
}

/* Converts `count` keys, which lie `stride` numbers apart. */
#define DEFINE_FORMS(bits, number)                                                             \
    static void encode_##bits(struct key_form form, number *keys, size_t count, size_t stride) \
    {                                                                                          \
        const number all = (number)form.all, sign = (number)form.sign;                         \
        const number nans = (number)form.nans, flip = (number)form.flip;                       \
        if (!nans) {                                                                           \
            for (size_t i = 0; i < count && (sign ^ flip); ++i)                                \
                keys[i * stride] ^= sign ^ flip;                                               \
            return;                                                                            \
        }                                                                                      \
        for (size_t i = 0; i < count; ++i) {                                                   \
            const number key = keys[i * stride];                                               \
            const number turned = key ^ (((0 - (key >> form.top_bit)) | sign) & all);          \
            keys[i * stride] = ((turned - nans) & all) ^ flip;                                 \
        }                                                                                      \
    }                                                                                          \
                                                                                               \
    static void decode_##bits(struct key_form form, number *keys, size_t count)                \
    {                                                                                          \
        const number all = (number)form.all, sign = (number)form.sign;                         \
        const number nans = (number)form.nans, flip = (number)form.flip;                       \
        if (!nans) {                                                                           \
            encode_##bits(form, keys, count, 1);                                               \
            return;                                                                            \
        }                                                                                      \
        for (size_t i = 0; i < count; ++i) {                                                   \
            const number turned = ((keys[i] ^ flip) + nans) & all;                             \
            keys[i] = turned ^ ((((turned >> form.top_bit) - 1) | sign) & all);                \
        }                                                                                      \
    }

DEFINE_FORMS(32, host_u32)
DEFINE_FORMS(64, host_u64)

/* memcpy(), since the caller's arrays may have any type of this size. */
#define WIDEN(stored, to)                                              \
    for (size_t i = 0; i < count; ++i) {                               \
        stored key;                                                    \
        memcpy(&key, (const char *)keys + i * sizeof key, sizeof key); \
        (to) = key;                                                    \
    }
#define NARROW(stored)                                           \
    for (size_t i = 0; i < count; ++i) {                         \
        const stored key = (stored)items[i];                     \
        memcpy((char *)keys + i * sizeof key, &key, sizeof key); \
    }

void host_keys_read(const struct problem *problem, const void *keys, uint32_t count, void *into)
{
    const uint32_t bits = problem->type->bits;
    host_u32 *items = into;
    if (bits == 8) {
        WIDEN(uint8_t, items[i])
    } else if (bits == 16) {
        WIDEN(uint16_t, items[i])
    } else if (into != keys) {
        memcpy(into, keys, (size_t)count * (bits / 8));
    }
    if (bits == 64)
        encode_64(form_of(problem), into, count, 1);
    else
        encode_32(form_of(problem), items, count, 1);
}

/* Widens keys of any width, `stride` numbers apart. */
static void widen(uint32_t key_bits, const void *keys, uint32_t count, uint64_t *bits,
                  size_t stride)
{
    switch (key_bits) {
    case 8:
        WIDEN(uint8_t, bits[i * stride])
        break;
    case 16:
        WIDEN(uint16_t, bits[i * stride])
        break;
    case 32:
        WIDEN(uint32_t, bits[i * stride])
        break;
    default:
        WIDEN(uint64_t, bits[i * stride])
    }
}

void host_keys_read_bits(const struct problem *problem, const void *keys, uint32_t count,
                         uint64_t *bits, size_t stride)
{
    widen(problem->type->bits, keys, count, bits, stride);
    encode_64(form_of(problem), bits, count, stride);
    const uint64_t mask = UINT64_MAX >> (64 - problem->num_bits);
    for (uint32_t i = 0; i < count; ++i)
        bits[i * stride] = bits[i * stride] >> problem->first_bit & mask;
}

void host_keys_write(const struct problem *problem, void *from, uint32_t count, void *keys)
{
    const uint32_t bits = problem->type->bits;
    host_u32 *items = from;
    if (bits == 64)
        decode_64(form_of(problem), from, count);
    else
        decode_32(form_of(problem), items, count);
    if (bits == 8) {
        NARROW(uint8_t)
    } else if (bits == 16) {
        NARROW(uint16_t)
    } else if (from != keys) {
        memcpy(keys, from, (size_t)count * (bits / 8));
    }
}

uint64_t host_key_ordered(const struct key_type *type, int descending, const void *key)
{
    uint64_t number;
    widen(type->bits, key, 1, &number, 1);
    encode_64(form_of_type(type, descending), &number, 1, 1);
    return number;
}
