/* order.c: the keys of -k, as sort(1) writes them. */
#include "text/order.h"

#include "cli/message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool text_add_flag(struct text_flags *flags, char letter, bool is_end)
{
    static const char letters[] = "bdfirnghMV";
    bool *const places[] = {is_end ? &flags->skips_end : &flags->skips_begin, &flags->is_dictionary,
                            &flags->has_folding, &flags->is_printable, &flags->is_reversed};
    enum { NUM_PLACES = sizeof(places) / sizeof(places[0]) };
    const char *at = letter ? strchr(letters, letter) : NULL;
    const int i = at ? (int)(at - letters) : 0;
    if (!at)
        return false;
    if (i < NUM_PLACES) {
        *places[i] = true;
        return true;
    }
    flags->kind = (enum text_kind)(TEXT_NUMBER + i - NUM_PLACES);
    flags->kinds |= 1u << flags->kind;
    return true;
}

static _Noreturn void refuse_key(const char *key, const char *why)
{
    die("-k '%s': %s", key, why);
}

/* A number at *at, which moves behind it; one that is too large counts as the largest. As in
 * sort(1), blanks and a plus may stand in front of it. */
static bool read_number(const char **at, size_t *number_ret)
{
    while (isspace((unsigned char)**at))
        ++*at;
    *at += **at == '+';
    if (**at < '0' || **at > '9')
        return false;
    *number_ret = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        const size_t digit = (size_t)(**at - '0');
        *number_ret = *number_ret > (SIZE_MAX - digit) / 10 ? SIZE_MAX : *number_ret * 10 + digit;
    }
    return true;
}

static void read_flags(const char *text, const char **at, bool is_end, struct text_flags *flags)
{
    for (; **at && **at != ','; ++*at) {
        if (**at == 'R')
            refuse_key(text, "random order (R) is not supported; 'shuf' gives one");
        if (!text_add_flag(flags, **at, is_end))
            die("-k '%s': '%c' is no ordering option; they are b d f g h i n r M V", text, **at);
    }
}

/* A key that is the name of a column, and its flags behind a colon. A backslash stands before a
 * colon, or a first digit, that belongs to the name. */
static void add_named_key(struct text_order *order, const char *text)
{
    struct text_key key = {.name = text};
    for (const char *at = text; *at && *at != ':'; at++) {
        at += *at == '\\' && at[1];
        key.name_size = (size_t)(at + 1 - text);
    }
    const char *flags = text + key.name_size;
    if (*flags == ':') {
        flags++;
        read_flags(text, &flags, false, &key.flags);
    }
    if (*flags)
        refuse_key(text, "behind ':' stand flags; a ':' in a name is written '\\:'");
    key.flags.skips_end = key.flags.skips_begin;
    order->keys[order->num_keys++] = key;
}

/* "F.C" at *at, which moves behind it: fields are counted from 1. `missing` is said where there is
 * no field. */
static void read_place(const char *text, const char **at, const char *missing, size_t *field_ret,
                       size_t *char_ret)
{
    if (!read_number(at, field_ret))
        refuse_key(text, missing);
    if (--*field_ret == SIZE_MAX)
        refuse_key(text, "fields are counted from 1");
    if (**at == '.' && (++*at, !read_number(at, char_ret)))
        refuse_key(text, "behind '.' stands the number of a character");
}

void text_add_key(struct text_order *order, const char *text)
{
    struct text_key key = {.first_char = 1, .end_field = SIZE_MAX};
    const char *at = text;
    if (order->num_keys == TEXT_MAX_KEYS)
        refuse_key(text, "there are more than 64 keys");
    if (!strchr(" +0123456789", *text)) {
        add_named_key(order, text);
        return;
    }
    read_place(text, &at, "a key begins with the number of a field, such as 2,2n", &key.first_field,
               &key.first_char);
    if (key.first_char-- == 0)
        refuse_key(text, "characters are counted from 1");
    read_flags(text, &at, false, &key.flags);
    if (*at == ',') {
        at++;
        read_place(text, &at, "behind ',' stands the number of a field", &key.end_field,
                   &key.end_char);
        read_flags(text, &at, true, &key.flags);
        if (*at)
            refuse_key(text, "a key ends at one field");
    }
    order->keys[order->num_keys++] = key;
}

static bool is_default(const struct text_flags *flags)
{
    return flags->kinds == 0 && !flags->has_folding && !flags->is_dictionary &&
           !flags->is_printable && !flags->is_reversed && !flags->skips_begin && !flags->skips_end;
}

/* A message has the letters of what a key orders by. -V, -d and -i go together. */
static void check_flags(const struct text_flags *flags)
{
    char letters[16];
    size_t length = 0;
    int num = flags->is_dictionary || flags->is_printable || flags->kinds >> TEXT_VERSION & 1;
    for (int kind = TEXT_NUMBER; kind <= TEXT_VERSION; kind++) {
        if (!(flags->kinds >> kind & 1))
            continue;
        letters[length++] = " nghMV"[kind];
        num += kind != TEXT_VERSION;
    }
    letters[length] = '\0';
    if (num > 1)
        die("options -%s%s%s do not go together: a key has one order", letters,
            flags->is_dictionary ? "d" : "", flags->is_printable ? "i" : "");
}

void text_complete_order(struct text_order *order)
{
    if (order->is_csv && order->separator < 0)
        order->separator = ',';
    for (int i = 0; i < order->num_keys; i++) {
        const struct text_key *key = &order->keys[i];
        if (key->name && (!order->is_table || order->num_headers == 0))
            refuse_key(key->name, "a key begins with the number of a field, such as 2,2n; "
                                  "names are those of a --header of --csv or --tsv");
        if (is_default(&order->keys[i].flags))
            order->keys[i].flags = order->flags;
        check_flags(&order->keys[i].flags);
    }
    struct text_flags all = order->flags;
    all.is_reversed = false;
    order->is_stable |= order->is_unique;
    if (order->num_keys > 0 || is_default(&all))
        return;
    order->keys[order->num_keys++] =
        (struct text_key){.end_field = SIZE_MAX, .flags = order->flags};
    check_flags(&order->flags);
}
