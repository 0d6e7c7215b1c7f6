/* options.h: the arguments that several commands take. Every failure prints its message. */
#ifndef CLSORT_TOOL_OPTIONS_H
#define CLSORT_TOOL_OPTIONS_H

#include "cli/option_table.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

bool parse_type(const char *text, clsort_type *type_ret);
bool parse_algorithm(const char *text, clsort_algorithm *algorithm_ret);

/* A whole number: 65536, 1e6 or 2^20. */
bool parse_count(const char *text, uint64_t *count_ret);

/* The same, from first to last. what names it: "the number of arrays". */
bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret);

/* The size of an index: 4 where text is NULL. */
bool parse_index_size(const char *text, uint32_t *index_size_ret);

/* Takes one of the options that describe a sort, as getopt_long() returned it: a type, the
 * order, an algorithm, what moves with the keys, or how many arrays there are. */
bool take_desc_option(int c, clsort_desc *desc);

/* Sets what an option such as -o names; another name than before is refused. */
bool set_once(const char *option, const char *name, const char **name_ret);

/* Takes the size of -S. The largest counts if there are several, as in sort(1). */
bool take_memory(const char *text, uint64_t *memory_ret);

/* What 'clsort sort' is told of lines and of numbers alike. */
struct sort_settings {
    const char *output;  /* NULL: standard output */
    const char *device;  /* the selection */
    const char *dir;     /* of the temporary file; NULL: the usual one */
    uint64_t memory;     /* bytes: what -S says */
    uint32_t index_size; /* bytes, where positions are written instead; else 0 */
    int mode;            /* 0: sort, or 'm', 'c', 'C' */
    bool is_verified, is_timed, is_json;
};

/* Takes an option of these, as getopt_long() returned it. Modes that differ exclude each other.
 * *is_known_ret: it is one. */
bool take_sort_setting(int c, struct sort_settings *settings, bool *is_known_ret);

#endif
