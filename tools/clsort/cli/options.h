/* options.h: the arguments that several commands take. Every failure prints its message. */
#ifndef CLSORT_TOOL_OPTIONS_H
#define CLSORT_TOOL_OPTIONS_H

#include "cli/command_line.h"

/* Names for help and messages, each with a blank in front. */
#define OPTIONS_TYPE_NAME(name, text, bits, kind, mantissa) " " text
#define OPTIONS_ALGORITHM_NAME(name, text, about) " " text
#define TYPE_NAMES CLSORT_TYPE_LIST(OPTIONS_TYPE_NAME)
#define ALGORITHM_NAMES CLSORT_ALGORITHM_LIST(OPTIONS_ALGORITHM_NAME)

bool parse_type(const char *text, clsort_type *type_ret);
bool parse_algorithm(const char *text, clsort_algorithm *algorithm_ret);

/* A whole number, as 65536, 1e6 or 2^20, from first to last. what names it: "the number of
 * arrays". */
bool parse_number(const char *text, const char *what, uint64_t first, uint64_t last,
                  uint64_t *number_ret);

/* Takes an option with its argument, which may be NULL; options is for its take(). */
bool option_take(const struct argument *argument, const char *text, void *options);

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
