/* versus.hpp: the library and other sorts side by side, in one run and on the same input.
 *
 * A program makes its contestants, the library first, and calls versus_main(). That goes through the
 * combinations of sizes, types and distributions; in each of its rounds every contestant sorts the
 * input once, so that what slows the machine down for a while slows them all down; every output is
 * checked; a ratio is the median of the rounds' ratios. */
#ifndef VERSUS_HPP
#define VERSUS_HPP

#include "input.h"

#include <clsort/clsort.h>
#include <memory>
#include <string>
#include <vector>

/* Seconds of one sort; 0 where there is no such time. */
struct versus_times {
    double device = 0; /* from before its first to after its last command */
    double host = 0;   /* from the call until all is done */
};

/* What may be sorted. */
struct versus_type {
    const char *name;
    clsort_type key;
    int value_size;
};
enum { VERSUS_NUM_TYPES = 10 };
extern const versus_type versus_types[VERSUS_NUM_TYPES];

struct versus_options {
    std::string device; /* of the library; "" the best */
    clsort_algorithm algorithm = CLSORT_AUTO;
    std::vector<u64> counts;
    std::vector<const versus_type *> types;
    std::vector<int> distributions;
    std::vector<std::string> against; /* names; all if empty */
    int repeat = 7;
    u64 seed = 1;
    std::string csv;
};

/* Failures are thrown as std::runtime_error. */
struct versus_contestant {
    virtual ~versus_contestant() = default;
    virtual const char *name() const = 0;
    /* The device and versions, for the head. Opens what is needed. */
    virtual std::string open(const versus_options &options) = 0;
    /* Gets the memory and makes the input; "" or the reason why it cannot take part. */
    virtual std::string begin(const versus_type &type, const versus_input &input) = 0;
    /* The sums over the input, which must be every contestant's. */
    virtual versus_sums source() = 0;
    /* One sort of the input, and the sums over its output. */
    virtual versus_times run() = 0;
    virtual versus_sums result() = 0;
    /* What the last sort was, if there is more to tell than the name. */
    virtual std::string how() const
    {
        return "";
    }
    virtual void end() = 0;
};

using versus_contestants = std::vector<std::unique_ptr<versus_contestant>>;

/* The program: name is its own, about the first line of its help. Returns the exit status. */
int versus_main(int argc, char **argv, const char *name, const char *about,
                versus_contestants contestants);

/* options.cpp: false for --help. */
bool versus_parse(int argc, char **argv, const char *name, const char *about,
                  versus_options &options);
extern const char *const versus_distribution_names[VERSUS_NUM_DISTRIBUTIONS];

versus_input versus_make_input(const versus_type &type, u64 count, int distribution, u64 seed);

/* Seconds of a clock that only rises. */
double versus_now();

/* table.cpp: a line of Markdown for each input, and a line of CSV for each contestant and round. */
struct versus_result {
    std::string name;
    std::string how;
    std::string note; /* why it did not take part, or "" */
    std::vector<versus_times> rounds;
};
class versus_table
{
  public:
    versus_table(const std::string &csv, const std::vector<std::string> &names);
    ~versus_table();
    /* results: in the order of the names, the library's first. */
    void add(const versus_type &type, const versus_input &input,
             const std::vector<versus_result> &results);

  private:
    void *csv_;
};

#endif
