/* columns.c: the columns of a table (--csv, --tsv): how many there are, and which of them keys
 * name. */
#include "text/order.h"

#include "cli/message.h"
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a name in a message */

/* A column of the header without its quotes. */
struct column {
    struct text_span name;
    struct bytes unquoted;
};

static bool find_column(const struct text_order *order, size_t number, const char *line,
                        size_t size, struct column *column)
{
    const struct text_key key = {.first_field = number, .end_field = number};
    return text_find_key(order, &key, line, size, &column->unquoted, &column->name);
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
static bool refuse_name(const struct text_order *order, const struct text_key *key,
                        const char *file, const char *line, size_t size)
{
    struct nearest nearest = {.word = key->name, .length = key->name_size};
    struct column column = {0};
    char names[2][SHOWN + 1] = {"", ""}, hint[SHOWN + 32] = "";
    const size_t num = text_count_fields(order, line, size);
    int now = 0; /* the name that is looked at; the other one is the nearest */
    for (size_t i = 0; i < num && find_column(order, i, line, size, &column); i++) {
        const size_t length = (size_t)(column.name.end - column.name.begin);
        if (length == 0 || length > SHOWN)
            continue;
        memcpy(names[now], column.name.begin, length);
        names[now][length] = '\0';
        nearest_offer(&nearest, names[now]);
        now = nearest.name == names[now] ? 1 - now : now;
    }
    if (nearest.name)
        snprintf(hint, sizeof(hint), "; did you mean '%s'?", nearest.name);
    message("%s:1: no column is named '%.*s'%s", file, (int)key->name_size, key->name, hint);
    bytes_free(&column.unquoted);
    return false;
}

/* The number of the one column that a key names. */
static bool find_named(const struct text_order *order, const struct text_key *key, const char *file,
                       const char *line, size_t size, size_t *number_ret)
{
    const size_t num = text_count_fields(order, line, size);
    struct column column = {0};
    size_t num_found = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < num; i++) {
        ok = find_column(order, i, line, size, &column);
        if (!ok || !is_named(key, &column.name))
            continue;
        if (num_found++ == 0)
            *number_ret = i;
        else
            message("%s:1: columns %zu and %zu are both named '%.*s'; give a column's number", file,
                    *number_ret + 1, i + 1, (int)key->name_size, key->name);
        ok = num_found == 1;
    }
    bytes_free(&column.unquoted);
    return ok && (num_found || refuse_name(order, key, file, line, size));
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

bool text_learn_columns(struct text_order *order, const char *file, const char *line, size_t size)
{
    const bool is_first = order->num_columns == 0;
    if (!order->is_table || (!is_first && order->num_headers == 0))
        return true;
    size -= size > 0 && line[size - 1] == '\r';
    const size_t num = text_count_fields(order, line, size);
    for (int i = 0; i < order->num_keys; i++) {
        struct text_key *key = &order->keys[i];
        size_t number = 0;
        if (!key->name)
            continue;
        if (!find_named(order, key, file, line, size, &number))
            return false;
        if (!is_first && number != key->first_field) {
            message("%s:1: '%.*s' is column %zu, and in the first file column %zu", file,
                    (int)key->name_size, key->name, number + 1, key->first_field + 1);
            return false;
        }
        key->first_field = key->end_field = number;
    }
    const size_t missing = text_find_short_key(order, num);
    if (missing)
        message("%s:1: the line has %zu column%s, and a key is column %zu", file, num,
                num == 1 ? "" : "s", missing);
    order->num_columns = num;
    return !missing;
}
