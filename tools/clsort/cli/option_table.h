/* option_table.h: the options that several commands or clsort-mpi take, each with its name once.
 * A command's table for getopt_long() is a list of these rows and its own, with ROW_END behind
 * them. */
#ifndef CLSORT_TOOL_OPTION_TABLE_H
#define CLSORT_TOOL_OPTION_TABLE_H

#include <clsort/clsort.h>
#include <getopt.h>
#include <stddef.h>

/* The names, each with a blank in front, for help and messages. */
#define OPTIONS_TYPE_NAME(name, text, bits, kind, mantissa) " " text
#define OPTIONS_ALGORITHM_NAME(name, text, about) " " text
#define TYPE_NAMES CLSORT_TYPE_LIST(OPTIONS_TYPE_NAME)
#define ALGORITHM_NAMES CLSORT_ALGORITHM_LIST(OPTIONS_ALGORITHM_NAME)

/* What getopt_long() returns for options without a letter. A command's own begin at OPTION_OWN. */
enum {
    OPTION_ARGSORT = 256,
    OPTION_ARRAYS,
    OPTION_CHECK,
    OPTION_JSON,
    OPTION_KEY_OFFSET,
    OPTION_LINES,
    OPTION_PARALLEL,
    OPTION_RECORD_SIZE,
    OPTION_SEGMENTS,
    OPTION_STABLE,
    OPTION_STATS,
    OPTION_TEXT,
    OPTION_VALUES,
    OPTION_VALUE_FILE,
    OPTION_VALUE_OUTPUT,
    OPTION_VERIFY,
    OPTION_OWN
};

/* clang-format off */
#define ROW_ALGORITHM   {"algorithm",   required_argument, NULL, 'a'}
#define ROW_ARGSORT     {"argsort",     optional_argument, NULL, OPTION_ARGSORT}
#define ROW_ARRAYS      {"arrays",      required_argument, NULL, OPTION_ARRAYS}
#define ROW_COUNT       {"count",       required_argument, NULL, 'N'}
#define ROW_DEVICE      {"device",      required_argument, NULL, 'D'}
#define ROW_HELP        {"help",        no_argument,       NULL, 'h'}
#define ROW_JSON        {"json",        no_argument,       NULL, OPTION_JSON}
#define ROW_KEY_OFFSET  {"key-offset",  required_argument, NULL, OPTION_KEY_OFFSET}
#define ROW_LINES       {"lines",       no_argument,       NULL, OPTION_LINES}
#define ROW_OUTPUT      {"output",      required_argument, NULL, 'o'}
#define ROW_RECORD_SIZE {"record-size", required_argument, NULL, OPTION_RECORD_SIZE}
#define ROW_REVERSE     {"reverse",     no_argument,       NULL, 'r'}
#define ROW_SEGMENTS    {"segments",    required_argument, NULL, OPTION_SEGMENTS}
#define ROW_STABLE      {"stable",      no_argument,       NULL, OPTION_STABLE}
#define ROW_STATS       {"stats",       no_argument,       NULL, OPTION_STATS}
#define ROW_TEXT        {"text",        no_argument,       NULL, OPTION_TEXT}
#define ROW_TYPE        {"type",        required_argument, NULL, 'y'}
#define ROW_VALUES      {"values",      required_argument, NULL, OPTION_VALUES}
#define ROW_VALUE_FILE  {"values",      required_argument, NULL, OPTION_VALUE_FILE}
#define ROW_VALUE_OUTPUT {"values-output", required_argument, NULL, OPTION_VALUE_OUTPUT}
#define ROW_VERIFY      {"verify",      no_argument,       NULL, OPTION_VERIFY}
#define ROW_END         {NULL, 0, NULL, 0}
/* clang-format on */

#endif
