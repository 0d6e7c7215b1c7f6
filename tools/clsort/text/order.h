/* order.h: the order of lines that sort(1)'s options ask for: its keys, each with its ordering
 * options, and where they lie in a line. */
#ifndef CLSORT_TOOL_TEXT_ORDER_H
#define CLSORT_TOOL_TEXT_ORDER_H

#include "io/bytes.h"
#include "numbers/key.h"

#include <clsort/clsort.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_kind {
    TEXT_STRING,
    TEXT_NUMBER,  /* -n */
    TEXT_GENERAL, /* -g */
    TEXT_HUMAN,   /* -h */
    TEXT_MONTH,   /* -M */
    TEXT_VERSION, /* -V */
    TEXT_TYPED    /* --text: a number of a type, and nothing else */
};

/* The ordering options of a key, or of all keys that have none. */
struct text_flags {
    uint32_t kinds; /* a bit for each kind that was asked for */
    enum text_kind kind;
    bool has_folding;   /* -f */
    bool is_dictionary; /* -d */
    bool is_printable;  /* -i */
    bool is_reversed;   /* -r */
    bool skips_begin;   /* -b of the begin */
    bool skips_end;     /* and of the end */
};

enum { TEXT_MAX_KEYS = 64 };

/* As sort(1) has them: fields and characters counted from 0; SIZE_MAX: to the line's end. */
struct text_key {
    const char *name; /* of the column, as -k has it; NULL: a number was given */
    size_t name_size;
    size_t first_field, first_char;
    size_t end_field, end_char; /* end_char 0: the whole of end_field */
    struct text_flags flags;
};

/* What may stand in front of UTF-8, and belongs to no column. */
#define TEXT_MARK "\xef\xbb\xbf"

struct text_order {
    struct text_key keys[TEXT_MAX_KEYS]; /* none: the whole line, as bytes */
    int num_keys;
    struct text_flags flags; /* those outside of any key */
    bool is_csv;             /* fields are columns of CSV */
    bool is_table;           /* --csv or --tsv: */
    size_t num_columns;      /* of the first file; 0: not known yet */
    int separator;           /* of fields; -1: blanks in front of each */
    char end;                /* of a line */
    bool is_unique;          /* -u */
    bool is_stable;          /* -s, or -u: lines of equal keys keep their order */
    bool is_strict;          /* a line whose number cannot be read is refused */
    uint64_t num_headers;
    clsort_type type;                /* of --text */
    const struct elements *elements; /* instead of lines: raw keys or records; or NULL */
};

/* --text: a number a line. */
static inline bool text_is_typed(const struct text_order *order)
{
    return order->num_keys == 1 && order->keys[0].flags.kind == TEXT_TYPED;
}

/* Whether a byte is one of sort(1)'s blanks in the locale C. */
static inline bool text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static inline const char *text_skip_blanks(const char *at, const char *end)
{
    while (at < end && text_is_blank(*at))
        at++;
    return at;
}

static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *text_skip_digits(const char *at, const char *end)
{
    while (at < end && text_is_digit(*at))
        at++;
    return at;
}

/* Adds the key of -k. */
void text_add_key(struct text_order *order, const char *text);

/* Adds the ordering option of a letter, one of "bdfghinrMV"; false: it is none. */
bool text_add_flag(struct text_flags *flags, char letter, bool is_end);

/* Gives keys without ordering options those outside, and CSV its comma; checks which of a key's go
 * together. */
void text_complete_order(struct text_order *order);

/* Neighbouring bytes of a line. */
struct text_span {
    const char *begin, *end;
};

/* Where a key lies in a line without its end. The bytes of a quoted column of CSV are put into
 * `unquoted` if they hold quotes. */
struct text_span text_find_key(const struct text_order *order, const struct text_key *key,
                               const char *line, size_t size, struct bytes *unquoted);

/* How many fields a line has. */
size_t text_count_fields(const struct text_order *order, const char *line, size_t size);

/* The number, counted from 1, of a field that a key needs and a line of num_fields fields lacks; 0:
 * it has all. */
size_t text_find_short_key(const struct text_order *order, size_t num_fields);

/* Takes a file's first line: of a table's header, or without one the first row of all. Finds the
 * columns that keys name, and refuses keys beyond the last one. Fine for what is no table. */
void text_learn_columns(struct text_order *order, const char *file, const char *line, size_t size);

/* Whether a line of CSV ends within quotes. */
bool text_has_open_quote(const struct text_order *order, const char *line, size_t size);

#endif
