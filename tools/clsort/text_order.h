/* text_order.h: the order of lines that sort(1)'s options ask for: its keys, each with its ordering
 * options, and where they lie in a line. */
#ifndef CLSORT_TOOL_TEXT_ORDER_H
#define CLSORT_TOOL_TEXT_ORDER_H

#include "bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_kind {
    TEXT_STRING,
    TEXT_NUMBER,  /* -n */
    TEXT_GENERAL, /* -g */
    TEXT_HUMAN,   /* -h */
    TEXT_MONTH,   /* -M */
    TEXT_VERSION  /* -V */
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
    size_t first_field, first_char;
    size_t end_field, end_char; /* end_char 0: the whole of end_field */
    struct text_flags flags;
};

enum text_format { TEXT_PLAIN, TEXT_CSV };

struct text_order {
    struct text_key keys[TEXT_MAX_KEYS]; /* none: the whole line, as bytes */
    int num_keys;
    struct text_flags flags; /* those outside of any key */
    enum text_format format;
    int separator;  /* of fields; -1: blanks in front of each */
    char end;       /* of a line */
    bool is_unique; /* -u */
    bool is_stable; /* -s, or -u: lines of equal keys keep their order */
    bool is_strict; /* a line whose number cannot be read is refused */
    uint64_t num_headers;
};

/* Whether a byte is one of sort(1)'s blanks in the locale C. */
static inline bool text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Adds the key of -k. False, with a message: it is not written as sort(1) has it. */
bool text_add_key(struct text_order *order, const char *text);

/* Adds the ordering option of a letter, one of "bdfghinrMV"; false: it is none. */
bool text_add_flag(struct text_flags *flags, char letter, bool is_end);

/* Gives keys without ordering options those outside, and CSV its comma; checks which of a key's go
 * together. */
bool text_complete_order(struct text_order *order);

/* Where a key lies in a line without its end. The bytes of a quoted column of CSV are put into
 * `unquoted` if they hold quotes. False: there is no memory. */
bool text_find_key(const struct text_order *order, const struct text_key *key, const char *line,
                   size_t size, struct bytes *unquoted, const char **begin_ret,
                   const char **end_ret);

/* Whether a line of CSV ends within quotes. */
bool text_has_open_quote(const struct text_order *order, const char *line, size_t size);

#endif
