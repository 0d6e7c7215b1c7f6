/* options.h: the arguments that several commands take. Every failure prints its message. */
#ifndef CLSORT_TOOL_OPTIONS_H
#define CLSORT_TOOL_OPTIONS_H

#include "key.h"
#include "option_table.h"

#include <clsort/clsort.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

bool parse_type(const char *text, clsort_type *type_ret);
bool parse_algorithm(const char *text, clsort_algorithm *algorithm_ret);

/* A whole number: 65536, 1e6 or 2^20. */
bool parse_count(const char *text, uint64_t *count_ret);

/* The same, from first to last. what names it: "the number of arrays". */
bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret);

/* The sizes of records, and where their key may begin. */
bool parse_record_size(const char *text, struct elements *elements);
bool parse_key_offset(const char *text, struct elements *elements);

/* Makes numbers of the type of elements for which no record's size was given. Whether what was
 * given goes together. */
bool complete_elements(struct elements *elements);

/* The size of an index: 4 where text is NULL. */
bool parse_index_size(const char *text, uint32_t *index_size_ret);

/* Takes one of the options that describe a sort, as getopt_long() returned it: a type, the
 * order, an algorithm, what moves with the keys, or how many arrays there are. */
bool take_desc_option(int c, clsort_desc *desc);

/* Whether the tool was built with cJSON, for --json; with xxHash, for what checks an output by
 * it. */
bool has_json(void);
bool has_check(const char *what);

/* What getopt_long() met that it does not know: c is what it returned, "?" or ":" (optstrings begin
 * with a colon). Prints a message and returns the exit status. */
int refuse_option(const char *command, int c, char **argv, const struct option *table);

/* Two options of a command, as getopt_long() returns them, that cannot both be given. */
struct exclusion {
    int first, second;
    const char *why; /* NULL ends a list */
};

/* Whether no two of the arguments exclude each other; getopt_long() then begins anew. What is
 * unknown is left to refuse_option(). */
bool options_go_together(int argc, char **argv, const char *letters, const struct option *table,
                         const struct exclusion *exclusions);

/* Prints a message about the operands of a command and returns the exit status. */
int refuse_operand(const char *command, const char *operand);

#endif
