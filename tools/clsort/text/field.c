/* field.c: where a key lies in a line, by sort(1)'s fields or by the columns of CSV; how many
 * columns a table has (--csv, --tsv), and which of them keys name. */
#include "text/order.h"

#include "cli/message.h"
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

/* Behind a field that blanks begin. */
static const char *skip_field(const char *at, const char *end)
{
    at = text_skip_blanks(at, end);
    while (at < end && !text_is_blank(*at))
        at++;
    return at;
}

static const char *find_separator(const char *at, const char *end, char separator)
{
    const char *found = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;
    return found ? found : end;
}

/* Behind a column of CSV: in one that begins with a quote, separators up to the next lone quote are
 * its own. */
static const char *skip_column(const char *at, const char *end, char separator)
{
    if (at < end && *at == '"') {
        for (at++; at < end; at++) {
            if (*at != '"')
                continue;
            if (at + 1 == end || at[1] != '"')
                break;
            at++;
        }
    }
    return find_separator(at, end, separator);
}

static const char *skip(const struct text_order *order, const char *at, const char *end)
{
    if (order->separator < 0)
        return skip_field(at, end);
    const char separator = (char)order->separator;
    return order->is_csv ? skip_column(at, end, separator) : find_separator(at, end, separator);
}

static const char *forward(const char *at, const char *end, size_t size)
{
    return size < (size_t)(end - at) ? at + size : end;
}

/* Skips this many fields, and the separator behind the last one unless that is to stay. */
static const char *skip_many(const struct text_order *order, const char *at, const char *end,
                             size_t num, bool stays)
{
    for (; num > 0 && at < end; num--) {
        at = skip(order, at, end);
        if (order->separator >= 0 && at < end && (num > 1 || !stays))
            at++;
    }
    return at;
}

/* Where a key ends that begins its count of characters at `at`. */
static const char *find_end_char(const struct text_key *key, const char *at, const char *end)
{
    return forward(key->flags.skips_end ? text_skip_blanks(at, end) : at, end, key->end_char);
}

static const char *find_end(const struct text_order *order, const struct text_key *key,
                            const char *at, const char *end)
{
    if (key->end_field == SIZE_MAX)
        return end;
    /* The separator behind the last field is not the key's. */
    const bool is_whole = key->end_char == 0;
    at = skip_many(order, at, end, key->end_field + is_whole, is_whole);
    return is_whole ? at : find_end_char(key, at, end);
}

/* A quoted column without its quotes, where it has none within itself, or as a copy. */
static void unquote(struct text_span *column, struct bytes *unquoted)
{
    const char *at = column->begin + 1, *end = column->end;
    if (at < end && end[-1] == '"')
        end--;
    *column = (struct text_span){at, end};
    if (find_separator(at, end, '"') == end)
        return;
    bytes_need(unquoted, (uint64_t)(end - at));
    char *to = unquoted->data;
    for (; at < end; at++) {
        *to++ = *at;
        if (*at == '"' && at + 1 < end && at[1] == '"')
            at++;
    }
    *column = (struct text_span){unquoted->data, to};
}

/* Whether a key lies within its first column of CSV, which ends at `end`. A key without an end does
 * if the column is the last, or if the key is a number: the separator ends that. */
static bool is_in_column(const struct text_key *key, const char *end, const char *line_end)
{
    const bool is_number = key->flags.kind != TEXT_STRING && key->flags.kind != TEXT_VERSION;
    return key->end_field == key->first_field ||
           (key->end_field == SIZE_MAX && (is_number || end == line_end));
}

/* A key within one column of CSV is of what the column holds. */
struct text_span text_find_key(const struct text_order *order, const struct text_key *key,
                               const char *line, size_t size, struct bytes *unquoted)
{
    const bool is_csv = order->is_csv;
    const char *line_end = line + size, *end;
    if (is_csv && size > 0 && line_end[-1] == '\r')
        line_end--;
    struct text_span column = {skip_many(order, line, line_end, key->first_field, false), line_end};
    const char *column_end = is_csv ? skip(order, column.begin, line_end) : NULL;
    if (is_csv && is_in_column(key, column_end, line_end)) {
        column.end = column_end;
        if (column.begin < column.end && *column.begin == '"')
            unquote(&column, unquoted);
        end = key->end_char ? find_end_char(key, column.begin, column.end) : column.end;
    } else {
        end = find_end(order, key, line, line_end);
    }
    const char *begin = column.begin;
    if (key->flags.skips_begin)
        begin = text_skip_blanks(begin, column.end);
    begin = forward(begin, column.end, key->first_char);
    return (struct text_span){begin, end < begin ? begin : end};
}

size_t text_count_fields(const struct text_order *order, const char *line, size_t size)
{
    const char *at = line, *const end = line + size;
    size_t num = order->separator >= 0;
    if (order->separator < 0) {
        for (at = text_skip_blanks(at, end); at < end;
             at = text_skip_blanks(skip_field(at, end), end))
            num++;
        return num;
    }
    while ((at = skip(order, at, end)) < end) {
        at++;
        num++;
    }
    return num;
}

bool text_has_open_quote(const struct text_order *order, const char *line, size_t size)
{
    const char *at = line, *const end = line + size;
    while (at < end) {
        const char *const begin = at;
        at = skip(order, at, end);
        if (*begin == '"' && at == end) {
            size_t num_quotes = 0;
            for (const char *c = begin; c < end; c++)
                num_quotes += *c == '"';
            return num_quotes % 2;
        }
        at++;
    }
    return false;
}

/* ---- The columns of a table ------------------------------------------------------------------ */

enum { SHOWN = 40 }; /* bytes of a name in a message */

/* A column of the header without its quotes. */
static struct text_span find_column(const struct text_order *order, size_t number, const char *line,
                                    size_t size, struct bytes *unquoted)
{
    const struct text_key key = {.first_field = number, .end_field = number};
    return text_find_key(order, &key, line, size, unquoted);
}

/* Whether that is what a key names; in the key a backslash stands before what is no sign. */
static bool is_named(const struct text_key *key, const struct text_span *name)
{
    const char *at = name->begin;
    for (size_t i = 0; i < key->name_size; i++, at++) {
        i += key->name[i] == '\\' && i + 1 < key->name_size;
        if (at == name->end || *at != key->name[i])
            return false;
    }
    return at == name->end;
}

/* No column has the name: shows the nearest one. */
static _Noreturn void refuse_name(const struct text_order *order, const struct text_key *key,
                                  const char *file, const char *line, size_t size)
{
    struct nearest nearest = {.word = key->name, .length = key->name_size};
    struct bytes unquoted = {0};
    char names[2][SHOWN + 1] = {"", ""}, hint[SHOWN + 32] = "";
    const size_t num = text_count_fields(order, line, size);
    int now = 0; /* the name that is looked at; the other one is the nearest */
    for (size_t i = 0; i < num; i++) {
        const struct text_span name = find_column(order, i, line, size, &unquoted);
        const size_t length = (size_t)(name.end - name.begin);
        if (length == 0 || length > SHOWN)
            continue;
        memcpy(names[now], name.begin, length);
        names[now][length] = '\0';
        nearest_offer(&nearest, names[now]);
        now = nearest.name == names[now] ? 1 - now : now;
    }
    if (nearest.name)
        snprintf(hint, sizeof(hint), "; did you mean '%s'?", nearest.name);
    die("%s:1: no column is named '%.*s'%s", file, (int)key->name_size, key->name, hint);
}

/* The number of the one column that a key names. */
static size_t find_named(const struct text_order *order, const struct text_key *key,
                         const char *file, const char *line, size_t size)
{
    const size_t num = text_count_fields(order, line, size);
    struct bytes unquoted = {0};
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < num; i++) {
        const struct text_span name = find_column(order, i, line, size, &unquoted);
        if (!is_named(key, &name))
            continue;
        if (found != SIZE_MAX)
            die("%s:1: columns %zu and %zu are both named '%.*s'; give a column's number", file,
                found + 1, i + 1, (int)key->name_size, key->name);
        found = i;
    }
    bytes_free(&unquoted);
    if (found == SIZE_MAX)
        refuse_name(order, key, file, line, size);
    return found;
}

size_t text_find_short_key(const struct text_order *order, size_t num_fields)
{
    for (int i = 0; i < order->num_keys; i++) {
        const struct text_key *key = &order->keys[i];
        const size_t last = key->end_field == SIZE_MAX ? key->first_field : key->end_field;
        const size_t number = last > key->first_field ? last : key->first_field;
        if (number >= num_fields)
            return number + 1;
    }
    return 0;
}

void text_learn_columns(struct text_order *order, const char *file, const char *line, size_t size)
{
    const bool is_first = order->num_columns == 0;
    if (!order->is_table || (!is_first && order->num_headers == 0))
        return;
    size -= size > 0 && line[size - 1] == '\r';
    order->num_columns = text_count_fields(order, line, size);
    for (int i = 0; i < order->num_keys; i++) {
        struct text_key *key = &order->keys[i];
        if (!key->name)
            continue;
        const size_t number = find_named(order, key, file, line, size);
        if (!is_first && number != key->first_field)
            die("%s:1: '%.*s' is column %zu, and in the first file column %zu", file,
                (int)key->name_size, key->name, number + 1, key->first_field + 1);
        key->first_field = key->end_field = number;
    }
    const size_t missing = text_find_short_key(order, order->num_columns);
    if (missing)
        die("%s:1: the line has %zu column%s, and a key is column %zu", file, order->num_columns,
            order->num_columns == 1 ? "" : "s", missing);
}
