/* field.c: where a key lies in a line: by sort(1)'s fields, or by the columns of CSV. */
#include "text/order.h"

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
    return order->format == TEXT_CSV ? skip_column(at, end, separator)
                                     : find_separator(at, end, separator);
}

static const char *forward(const char *at, const char *end, size_t size)
{
    return size < (size_t)(end - at) ? at + size : end;
}

static const char *find_begin(const struct text_order *order, const struct text_key *key,
                              const char *at, const char *end)
{
    for (size_t i = key->first_field; i > 0 && at < end; i--) {
        at = skip(order, at, end);
        if (order->separator >= 0 && at < end)
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
    for (size_t left = key->end_field + is_whole; left > 0 && at < end; left--) {
        at = skip(order, at, end);
        if (order->separator >= 0 && at < end && (left > 1 || !is_whole))
            at++;
    }
    return is_whole ? at : find_end_char(key, at, end);
}

/* A quoted column without its quotes, where it has none within itself, or as a copy. */
static bool unquote(struct text_span *column, struct bytes *unquoted)
{
    const char *at = column->begin + 1, *end = column->end;
    if (at < end && end[-1] == '"')
        end--;
    *column = (struct text_span){at, end};
    if (!memchr(at, '"', (size_t)(end - at)))
        return true;
    if (!bytes_reserve(unquoted, (uint64_t)(end - at)))
        return false;
    char *to = unquoted->data;
    for (; at < end; at++) {
        *to++ = *at;
        if (*at == '"' && at + 1 < end && at[1] == '"')
            at++;
    }
    *column = (struct text_span){unquoted->data, to};
    return true;
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
bool text_find_key(const struct text_order *order, const struct text_key *key, const char *line,
                   size_t size, struct bytes *unquoted, struct text_span *found)
{
    const bool is_csv = order->format == TEXT_CSV;
    const char *line_end = line + size, *end;
    if (is_csv && size > 0 && line_end[-1] == '\r')
        line_end--;
    struct text_span column = {find_begin(order, key, line, line_end), line_end};
    const char *column_end = is_csv ? skip(order, column.begin, line_end) : NULL;
    if (is_csv && is_in_column(key, column_end, line_end)) {
        column.end = column_end;
        if (column.begin < column.end && *column.begin == '"' && !unquote(&column, unquoted))
            return false;
        end = key->end_char ? find_end_char(key, column.begin, column.end) : column.end;
    } else {
        end = find_end(order, key, line, line_end);
    }
    const char *begin = column.begin;
    if (key->flags.skips_begin)
        begin = text_skip_blanks(begin, column.end);
    begin = forward(begin, column.end, key->first_char);
    *found = (struct text_span){begin, end < begin ? begin : end};
    return true;
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
