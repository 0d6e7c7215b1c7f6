/* options.cpp: the options of a comparison. */
#include "versus.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <getopt.h>
#include <stdexcept>

const char *const versus_distribution_names[VERSUS_NUM_DISTRIBUTIONS] = {
    "random", "sorted", "reversed", "equal", "few16", "zipf", "entropy54", "entropy20", "low24"};

/* clang-format off */
const versus_type versus_types[VERSUS_NUM_TYPES] = {
    {"u8",       CLSORT_U8,  0,  VERSUS_NUMBERS}, {"u16",      CLSORT_U16, 0, VERSUS_NUMBERS},
    {"u32",      CLSORT_U32, 0,  VERSUS_NUMBERS}, {"u64",      CLSORT_U64, 0, VERSUS_NUMBERS},
    {"i32",      CLSORT_I32, 0,  VERSUS_NUMBERS}, {"f32",      CLSORT_F32, 0, VERSUS_NUMBERS},
    {"f64",      CLSORT_F64, 0,  VERSUS_NUMBERS},
    {"u32+u32",  CLSORT_U32, 4,  VERSUS_NUMBERS}, {"u64+u64",  CLSORT_U64, 8, VERSUS_NUMBERS},
    {"u32+16",   CLSORT_U32, 16, VERSUS_NUMBERS},
    {"struct16", CLSORT_U64, 0,  VERSUS_BY_TEXT}, {"struct16f", CLSORT_U64, 0, VERSUS_BY_FIELDS}};
/* clang-format on */

static std::runtime_error wrong(const std::string &what, const std::string &text)
{
    return std::runtime_error("'" + text + "' is no " + what + "; see --help");
}

static void each(const std::string &list, const std::function<void(const std::string &)> &take)
{
    for (size_t first = 0; first <= list.size();) {
        const size_t comma = std::min(list.find(',', first), list.size());
        take(list.substr(first, comma - first));
        first = comma + 1;
    }
}

static u64 number(const std::string &text, const char *what)
{
    char *end = nullptr;
    const bool is_power = text.rfind("2^", 0) == 0;
    const char *digits = text.c_str() + (is_power ? 2 : 0);
    const double value = strtod(digits, &end);
    if (end == digits || *end || value < 0 || value > (is_power ? 40 : 1e12))
        throw wrong(what, text);
    return is_power ? (u64)1 << (int)value : (u64)value;
}

static const versus_type *type_of(const std::string &text)
{
    for (const versus_type &type : versus_types) {
        if (text == type.name)
            return &type;
    }
    throw wrong("type", text);
}

static int distribution_of(const std::string &text)
{
    for (int i = 0; i < VERSUS_NUM_DISTRIBUTIONS; i++) {
        if (text == versus_distribution_names[i])
            return i;
    }
    throw wrong("distribution", text);
}

static clsort_algorithm algorithm_of(const std::string &text)
{
    clsort_algorithm algorithm;
    if (clsort_algorithm_from_name(text.c_str(), &algorithm))
        throw wrong("algorithm", text);
    return algorithm;
}

static void print_help(const char *name, const char *about)
{
    printf("Usage: %s [OPTION]...\n\n%s\n\n", name, about);
    puts("Every sort takes its turn in each round, and every output is checked. A LIST is\n"
         "separated by commas.\n\n"
         "  -n LIST        keys: 65536, 1e6 or 2^20 (default 2^10, 2^12 ... 2^28)\n"
         "  -t LIST        types (default u32)");
    printf("                ");
    for (const versus_type &type : versus_types)
        printf(" %s", type.name);
    printf("\n      --dist LIST    (default random)\n                ");
    for (const char *distribution : versus_distribution_names)
        printf(" %s", distribution);
    printf("\n  -a LIST        the library's algorithms, a row each (default auto)\n"
           "                ");
    for (int i = 0; i < CLSORT_NUM_ALGORITHMS; i++)
        printf(" %s", clsort_algorithm_name((clsort_algorithm)i));
    puts("\n  -d DEVICE      the library's OpenCL device, as in 'clsort devices'\n"
         "      --against LIST the others, by name (default all)\n"
         "      --repeat K     rounds (default 7)\n"
         "      --seed SEED    of the data (default 1)\n"
         "      --stable       the library keeps equal keys in order, too\n"
         "      --csv FILE     every round's times, and ratios to the first algorithm\n"
         "      --plot FILE    the rates as an SVG\n"
         "      --help         this text\n\n"
         "struct16 is a struct of four 32-bit members, sorted by an unsigned and then a signed\n"
         "one: by a comparison, which the library is given as OpenCL C. struct16f is the same,\n"
         "which the library is told as fields.");
}

bool versus_parse(int argc, char **argv, const char *name, const char *about,
                  versus_options &options)
{
    enum { HELP = 256, DIST, AGAINST, REPEAT, SEED, STABLE, CSV, PLOT };
    static const option table[] = {{"dist", required_argument, nullptr, DIST},
                                   {"against", required_argument, nullptr, AGAINST},
                                   {"repeat", required_argument, nullptr, REPEAT},
                                   {"seed", required_argument, nullptr, SEED},
                                   {"stable", no_argument, nullptr, STABLE},
                                   {"csv", required_argument, nullptr, CSV},
                                   {"plot", required_argument, nullptr, PLOT},
                                   {"help", no_argument, nullptr, HELP},
                                   {nullptr, 0, nullptr, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "n:t:a:d:", table, nullptr)) != -1) {
        const std::string text = optarg ? optarg : "";
        if (c == 'n') {
            options.counts.clear();
            each(text, [&](const std::string &item) {
                options.counts.push_back(number(item, "number of keys"));
                if (options.counts.back() == 0)
                    throw wrong("number of keys", item);
            });
        } else if (c == 't') {
            options.types.clear();
            each(text, [&](const std::string &item) { options.types.push_back(type_of(item)); });
        } else if (c == DIST) {
            options.distributions.clear();
            each(text, [&](const std::string &item) {
                options.distributions.push_back(distribution_of(item));
            });
        } else if (c == AGAINST) {
            options.against.clear();
            each(text, [&](const std::string &item) { options.against.push_back(item); });
        } else if (c == 'a') {
            options.algorithms.clear();
            each(text, [&](const std::string &item) {
                options.algorithms.push_back(algorithm_of(item));
            });
        } else if (c == 'd') {
            options.device = text;
        } else if (c == REPEAT) {
            options.repeat = (int)number(text, "number of rounds");
        } else if (c == SEED) {
            options.seed = number(text, "seed");
        } else if (c == STABLE) {
            options.stable = true;
        } else if (c == CSV) {
            options.csv = text;
        } else if (c == PLOT) {
            options.plot = text;
        } else if (c == HELP) {
            print_help(name, about);
            return false;
        } else {
            throw std::runtime_error("see --help");
        }
    }
    if (optind < argc)
        throw wrong("option", argv[optind]);
    if (options.repeat < 1)
        throw wrong("number of rounds", "0");
    if (options.counts.empty()) {
        for (int exponent = 10; exponent <= 28; exponent += 2)
            options.counts.push_back((u64)1 << exponent);
    }
    if (options.algorithms.empty())
        options.algorithms.push_back(CLSORT_AUTO);
    if (options.types.empty())
        options.types.push_back(type_of("u32"));
    if (options.distributions.empty())
        options.distributions.push_back(VERSUS_RANDOM);
    return true;
}
