/* versus.hpp: the library and other sorts side by side, in one run and on the same input.
 *
 * A program makes the library's opponents and calls versus_main(). That goes through the
 * combinations of sizes, types and distributions; in each of its rounds every contestant sorts the
 * input once, so that what slows the machine down for a while slows them all down; every output is
 * checked; a ratio is the median of the rounds' ratios. */
#ifndef VERSUS_HPP
#define VERSUS_HPP

#include "input.h"

#include <clsort/clsort.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/* Seconds of one sort; 0 where there is no such time. */
struct versus_times {
    double device = 0; /* from before its first to after its last command */
    double host = 0;   /* from the call until all is done */
};

/* What may be sorted: numbers, or input.h's records, whose order the library is told as the text of a
 * comparison or as fields. For the others both are the same. */
enum versus_form { VERSUS_NUMBERS, VERSUS_BY_TEXT, VERSUS_BY_FIELDS };
struct versus_type {
    const char *name;
    clsort_type key; /* of records: a number as wide as the two that they are sorted by */
    int value_size;
    versus_form form;
};
enum { VERSUS_NUM_TYPES = 12 };
extern const versus_type versus_types[VERSUS_NUM_TYPES];

struct versus_options {
    std::string device;                       /* of the library; "" the best */
    std::vector<clsort_algorithm> algorithms; /* the library's, each a contestant */
    std::vector<u64> counts;
    std::vector<const versus_type *> types;
    std::vector<int> distributions;
    std::vector<std::string> against; /* names; all if empty */
    int repeat = 7;
    u64 seed = 1;
    bool stable = false; /* the library's */
    std::string csv;
    std::string plot;
};

/* There is not enough memory: the contestant does not take part, which is no failure. */
struct versus_no_memory : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* Failures are thrown as std::runtime_error. */
struct versus_contestant {
    virtual ~versus_contestant() = default;
    virtual const char *name() const = 0;
    /* The device and versions, for the head. Opens what is needed. */
    virtual std::string open(const versus_options &options) = 0;
    /* Gets the memory and makes the input; "" or the reason why it cannot take part. Whatever it
     * says or throws, end() follows. */
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

/* library.cpp: the library, by one of its algorithms. */
struct versus_device;
std::unique_ptr<versus_contestant> versus_library(std::shared_ptr<versus_device> &device,
                                                  clsort_algorithm algorithm);

/* The program: name is its own, about the first line of its help. The library's device is made once
 * it is known, and is there for the opponents, too. Returns the exit status. */
int versus_main(int argc, char **argv, const char *name, const char *about,
                std::shared_ptr<versus_device> &device, versus_contestants opponents);

/* options.cpp: false for --help. */
bool versus_parse(int argc, char **argv, const char *name, const char *about,
                  versus_options &options);
extern const char *const versus_distribution_names[VERSUS_NUM_DISTRIBUTIONS];

versus_input versus_make_input(const versus_type &type, u64 count, int distribution, u64 seed);

/* Seconds of a clock that only rises. */
double versus_now();

struct versus_result {
    std::string name;
    std::string how;  /* "" for an opponent */
    std::string note; /* why it did not take part, or "" */
    std::vector<versus_times> rounds;
};

double versus_median(std::vector<double> numbers);

/* table.cpp: lines of Markdown for each input, one for each of the library's algorithms, and a line of
 * CSV for each contestant and round, with ratios to the first algorithm. */
class versus_table
{
  public:
    versus_table(const versus_options &options, const std::vector<std::string> &opponents);
    ~versus_table();
    versus_table(const versus_table &) = delete;
    versus_table &operator=(const versus_table &) = delete;
    /* results: the algorithms' in the order of the options, then the opponents'. */
    void add(const versus_type &type, const versus_input &input,
             const std::vector<versus_result> &results);

  private:
    size_t num_algorithms_;
    void *csv_;
};

/* plot.cpp: the same as an SVG, a panel for each type and distribution and a line for each contestant.
 * Nothing without options.plot. */
struct versus_point {
    u64 count;
    double device, host; /* seconds; 0 where there is no such time */
};
struct versus_line {
    std::string name;
    std::vector<versus_point> points;
};
struct versus_panel {
    std::string title;
    std::vector<versus_line> lines;
};
class versus_plot
{
  public:
    versus_plot(const versus_options &options, const std::string &head);
    ~versus_plot();
    versus_plot(const versus_plot &) = delete;
    versus_plot &operator=(const versus_plot &) = delete;
    void add(const versus_type &type, const versus_input &input,
             const std::vector<versus_result> &results);
    /* All that was added. */
    void write();

  private:
    void *file_ = nullptr;
    std::string head_;
    bool has_algorithms_; /* more than one, so that lines are named after them */
    std::vector<versus_panel> panels_;
};

#endif
