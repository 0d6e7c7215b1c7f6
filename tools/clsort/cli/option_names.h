/* option_names.h: names for help and messages, each with a blank in front. */
#ifndef CLSORT_TOOL_OPTION_NAMES_H
#define CLSORT_TOOL_OPTION_NAMES_H

#include <clsort/clsort.h>

#define OPTIONS_TYPE_NAME(name, text, bits, kind, mantissa) " " text
#define OPTIONS_ALGORITHM_NAME(name, text, about) " " text
#define TYPE_NAMES CLSORT_TYPE_LIST(OPTIONS_TYPE_NAME)
#define ALGORITHM_NAMES CLSORT_ALGORITHM_LIST(OPTIONS_ALGORITHM_NAME)

#endif
