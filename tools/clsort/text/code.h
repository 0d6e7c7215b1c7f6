/* code.h: a line's keys as a code: bytes whose order, from the first byte on and as unsigned
 * numbers, is that of the keys. No code is the begin of another, so codes can be cut or filled up
 * with zeros: what differs then, differs in the same direction. */
#ifndef CLSORT_TOOL_TEXT_CODE_H
#define CLSORT_TOOL_TEXT_CODE_H

#include "text/order.h"

/* Where codes are made; zero at the begin. */
struct text_coder {
    struct bytes code;
    struct bytes unquoted;   /* a column of CSV without its quotes */
    struct bytes translated; /* a key without the bytes that -d or -i leave out, folded by -f */
};

void text_coder_free(struct text_coder *coder);

/* Makes the code of a line, given without its end, in coder->code. False: the line is no number of
 * --text, and has none. */
bool text_encode(const struct text_order *order, const char *line, size_t size,
                 struct text_coder *coder);

/* Appends the bytes of the line itself, as the last key: for lines of equal keys. */
void text_encode_line(const struct text_order *order, const char *line, size_t size,
                      struct text_coder *coder);

/* Eight bytes of a code from `from` on, as a number; there are zeros behind the code. */
uint64_t text_prefix(const struct bytes *code, size_t from);

/* How bytes compare, and how codes do: below, at or above 0. */
int text_compare_bytes(const void *a, size_t a_size, const void *b, size_t b_size);
static inline int text_compare_codes(const struct bytes *a, const struct bytes *b)
{
    return text_compare_bytes(a->data, a->size, b->data, b->size);
}

/* The number of the first key that has no number where there should be one, counted from 1; 0: all
 * have. */
int text_find_wrong_key(const struct text_order *order, const char *line, size_t size,
                        struct text_coder *coder);

/* Append to code what is at most 2 * (end - begin) + 24 bytes. flip: 0, or 0xff, which reverses the
 * order. */
typedef unsigned char *text_put_function(unsigned char *to, const char *begin, const char *end,
                                         unsigned char flip);
text_put_function text_put_number, text_put_human, text_put_month, text_put_version,
    text_put_general;

/* Whether there is a number, with nothing but blanks around it. */
bool text_is_number(enum text_kind kind, const char *begin, const char *end);

#endif
