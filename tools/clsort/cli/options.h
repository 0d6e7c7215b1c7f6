/* options.h: the arguments that several commands take. Every failure prints its message. */
#ifndef CLSORT_TOOL_OPTIONS_H
#define CLSORT_TOOL_OPTIONS_H

#include "cli/command_line.h"
#include "cli/option_names.h"

bool parse_type(const char *text, clsort_type *type_ret);
bool parse_algorithm(const char *text, clsort_algorithm *algorithm_ret);

/* A whole number: 65536, 1e6 or 2^20. */
bool parse_count(const char *text, uint64_t *count_ret);

/* The same, from first to last. what names it: "the number of arrays". */
bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret);

/* The size of an index: 4 where text is NULL. */
bool parse_index_size(const char *text, uint32_t *index_size_ret);

/* The argument of an option that is a number, above its least one, or between its bounds. */
bool parse_positive(const char *text, const struct argument *argument);
bool parse_bounded(const char *text, const struct argument *argument);

/* Sets what an option names; another name than before is refused. */
bool set_once(const char *option, const char *name, const char **name_ret);

/* Takes the size of -S, to a uint64_t. The largest counts if there are several, as in sort(1). */
bool take_memory(const struct argument *argument, const char *text, void *options);

/* Takes the number of threads of --parallel. */
bool take_parallel(const struct argument *argument, const char *text, void *options);

/* Takes --verify, to a bool: the tool has to be built with xxHash. */
bool take_verify(const struct argument *argument, const char *text, void *options);

/* Takes -c, -C, -m or --check[=WORD], to an int that is 'c', 'C' or 'm' then. Two of them that
 * differ exclude each other. */
bool take_mode(const struct argument *argument, const char *text, void *options);

/* The settings that 'clsort sort' has for lines and for numbers. */
struct sort_settings {
    const char *output;  /* NULL: standard output */
    const char *device;  /* the selection */
    const char *dir;     /* of the temporary file; NULL: the usual one */
    uint64_t memory;     /* bytes: what -S says */
    uint32_t index_size; /* bytes, where positions are written instead; else 0 */
    int mode;            /* 0: sort, or 'm', 'c', 'C' */
    bool is_verified, is_timed, is_json;
};

#endif
