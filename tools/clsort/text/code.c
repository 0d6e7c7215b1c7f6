/* code.c: codes of lines, from the codes of their keys. */
#include "text/code.h"

#include "cli/message.h"
#include "numbers/key.h"
#include "numbers/text.h"

#include <ctype.h>
#include <string.h>

void text_coder_free(struct text_coder *coder)
{
    bytes_free(&coder->code);
    bytes_free(&coder->unquoted);
    bytes_free(&coder->translated);
}

/* 0 ends a string; the bytes 0 and 1 become 1, 1 and 1, 2. */
static unsigned char *put_string(unsigned char *to, const char *begin, const char *end,
                                 unsigned char flip)
{
    for (const char *at = begin; at < end; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c <= 1) {
            *to++ = 1 ^ flip;
            *to++ = (unsigned char)(c + 1) ^ flip;
        } else {
            *to++ = c ^ flip;
        }
    }
    *to++ = 0 ^ flip;
    return to;
}

/* The key as -d, -i and -f have it compared. */
static void translate(const struct text_flags *flags, struct bytes *translated,
                      struct text_span *span)
{
    bytes_need(translated, (uint64_t)(span->end - span->begin) + 1);
    char *to = translated->data;
    for (const char *at = span->begin; at < span->end; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool is_ignored = flags->is_dictionary ? !isalnum(c) && !text_is_blank(*at)
                                                     : flags->is_printable && !isprint(c);
        if (!is_ignored)
            *to++ = flags->has_folding ? (char)toupper(c) : *at;
    }
    *span = (struct text_span){translated->data, to};
}

static text_put_function *const puts_of[] = {
    [TEXT_STRING] = put_string,        [TEXT_NUMBER] = text_put_number,
    [TEXT_GENERAL] = text_put_general, [TEXT_HUMAN] = text_put_human,
    [TEXT_MONTH] = text_put_month,     [TEXT_VERSION] = text_put_version};

static struct text_span find_translated(const struct text_order *order, const struct text_key *key,
                                        const char *line, size_t size, struct text_coder *coder)
{
    const struct text_flags *flags = &key->flags;
    struct text_span found = text_find_key(order, key, line, size, &coder->unquoted);
    if (flags->has_folding || flags->is_dictionary || flags->is_printable)
        translate(flags, &coder->translated, &found);
    return found;
}

static void append_key(const struct text_flags *flags, const char *begin, const char *end,
                       struct text_coder *coder)
{
    enum { MOST_BESIDE = 64 }; /* what becomes of a key's bytes */
    const uint64_t most = (flags->kind == TEXT_VERSION ? 8 : 2) * (uint64_t)(end - begin);
    bytes_need(&coder->code, coder->code.size + most + MOST_BESIDE);
    unsigned char *const data = coder->code.data;
    unsigned char *const at = data + coder->code.size;
    const unsigned char flip = flags->is_reversed ? 0xff : 0;
    unsigned char *to = flags->kind == TEXT_STRING ? put_string(at, begin, end, flip)
                                                   : puts_of[flags->kind](at, begin, end, flip);
    coder->code.size = (size_t)(to - data);
}

/* The number's rank, from its highest byte on. */
static bool encode_typed(const struct text_order *order, const char *line, size_t size,
                         struct text_coder *coder)
{
    const struct key_type *type = &key_types[order->type];
    const size_t num_bytes = (size_t)type->bits / 8;
    const unsigned char flip = order->keys[0].flags.is_reversed ? 0xff : 0;
    uint64_t bits;
    if (text_parse(order->type, line, size, &bits) != TEXT_OK)
        return false;
    bytes_need(&coder->code, sizeof bits);
    unsigned char *to = coder->code.data;
    const uint64_t rank = key_rank(type, bits);
    coder->code.size = num_bytes;
    for (size_t i = 0; i < num_bytes; i++)
        to[i] = (unsigned char)(rank >> 8 * (num_bytes - 1 - i)) ^ flip;
    return true;
}

bool text_encode(const struct text_order *order, const char *line, size_t size,
                 struct text_coder *coder)
{
    coder->code.size = 0;
    if (text_is_typed(order))
        return encode_typed(order, line, size, coder);
    if (order->num_keys == 0)
        text_encode_line(order, line, size, coder);
    for (int i = 0; i < order->num_keys; i++) {
        const struct text_span key = find_translated(order, &order->keys[i], line, size, coder);
        append_key(&order->keys[i].flags, key.begin, key.end, coder);
    }
    return true;
}

void text_encode_line(const struct text_order *order, const char *line, size_t size,
                      struct text_coder *coder)
{
    const struct text_flags flags = {.is_reversed = order->flags.is_reversed};
    append_key(&flags, line, line + size, coder);
}

uint64_t text_prefix(const struct bytes *code, size_t from)
{
    const unsigned char *d = (const unsigned char *)code->data + from;
    const size_t size = code->size - from;
    if (size >= sizeof(uint64_t)) /* one load, as compilers see it */
        return (uint64_t)d[0] << 56 | (uint64_t)d[1] << 48 | (uint64_t)d[2] << 40 |
               (uint64_t)d[3] << 32 | (uint64_t)d[4] << 24 | (uint64_t)d[5] << 16 |
               (uint64_t)d[6] << 8 | d[7];
    uint64_t prefix = 0;
    for (size_t i = 0; i < size; i++)
        prefix |= (uint64_t)d[i] << (56 - 8 * i);
    return prefix;
}

int text_compare_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
    const size_t size = a_size < b_size ? a_size : b_size;
    const int order = size ? memcmp(a, b, size) : 0;
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

int text_find_wrong_key(const struct text_order *order, const char *line, size_t size,
                        struct text_coder *coder)
{
    for (int i = 0; i < order->num_keys; i++) {
        const struct text_span key = find_translated(order, &order->keys[i], line, size, coder);
        if (!text_is_number(order->keys[i].flags.kind, key.begin, key.end))
            return i + 1;
    }
    return 0;
}
