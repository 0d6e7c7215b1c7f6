/* versus.cpp: the combinations, and the rounds of each. */
#include "versus.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

double versus_now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

versus_input versus_make_input(const versus_type &type, u64 count, int distribution, u64 seed)
{
#define VERSUS_KEY(name, text, bits, kind, mantissa) {bits, VERSUS_##kind, mantissa},
    static const struct {
        int bits, kind, mantissa_bits;
    } keys[CLSORT_NUM_TYPES] = {CLSORT_TYPE_LIST(VERSUS_KEY)};
#undef VERSUS_KEY
    versus_input input = {};
    input.count = count;
    input.bits = (u64)keys[type.key].bits;
    input.kind = (u64)keys[type.key].kind;
    input.mantissa_bits = (u64)keys[type.key].mantissa_bits;
    input.key_size = type.form == VERSUS_NUMBERS ? input.bits / 8 : (u64)VERSUS_RECORD_SIZE;
    input.value_size = (u64)type.value_size;
    input.distribution = (u64)distribution;
    input.seed = seed;

    /* Sorted data goes evenly from the smallest to the largest key, for floats the finite ones. */
    const u64 sign = (u64)1 << (input.bits - 1);
    u64 last = sign | (sign - 1);
    if (input.kind == VERSUS_FLOAT) {
        const u64 largest = sign - ((u64)1 << input.mantissa_bits) - 1;
        input.first = versus_ordered(input.kind, input.bits, sign | largest);
        last = versus_ordered(input.kind, input.bits, largest);
    }
    const u64 range = last - input.first;
    input.multiply = std::max<u64>(1, range / count);
    input.divide = count <= range ? 1 : count / (range + 1) + 1;
    while (count >> (input.num_octaves + 1))
        input.num_octaves++;
    input.num_octaves = std::max<u64>(1, input.num_octaves);
    return input;
}

/* An opponent's output is wrong: it takes no part from there on. The library's ends the program. */
struct wrong_output : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* A failure of the whole, as a sentence. */
static std::runtime_error failure(const versus_contestant &contestant, const versus_type &type,
                                  const versus_input &input, const char *what)
{
    return std::runtime_error(std::string(contestant.name()) + " on " +
                              std::to_string(input.count) + " " + type.name + ", " +
                              versus_distribution_names[input.distribution] + ": " + what);
}

static versus_times run_checked(versus_contestant &contestant, const versus_sums &source)
{
    const versus_times times = contestant.run();
    const versus_sums result = contestant.result();
    if (result.disorders != 0)
        throw wrong_output("the output is not in order");
    if (result.hash != source.hash)
        throw wrong_output("the output is not a permutation of the input");
    return times;
}

/* Does one thing with a contestant. Without the memory for it, it takes no part from there on. */
template <typename Work>
static void attempt(versus_contestant &contestant, versus_result &result, const Work &work)
{
    try {
        work();
    } catch (const versus_no_memory &error) {
        result.note = error.what();
        result.rounds.clear();
    } catch (const wrong_output &error) {
        result.note = error.what();
        result.rounds.clear();
    }
    if (!result.note.empty())
        contestant.end();
}

/* The first num_ours of the contestants are the library. */
static std::vector<versus_result> run_case(const versus_contestants &contestants, size_t num_ours,
                                           const versus_type &type, const versus_input &input,
                                           int repeat)
{
    std::vector<versus_result> results;
    versus_sums source = {};
    bool has_source = false;
    for (const auto &contestant : contestants) {
        versus_result result;
        result.name = contestant->name();
        attempt(*contestant, result, [&] {
            result.note = contestant->begin(type, input);
            if (!result.note.empty())
                return;
            const versus_sums own = contestant->source();
            if (has_source && (own.placed != source.placed || own.hash != source.hash))
                throw failure(*contestant, type, input, "its input is not the others'");
            source = own;
            has_source = true;
        });
        result.how = contestant->how();
        results.push_back(result);
    }
    /* The first round warms up, compiles kernels, and is not counted. */
    for (int round = -1; round < repeat; round++) {
        for (size_t i = 0; i < contestants.size(); i++) {
            if (!results[i].note.empty())
                continue;
            attempt(*contestants[i], results[i], [&] {
                try {
                    const versus_times times = run_checked(*contestants[i], source);
                    if (round >= 0)
                        results[i].rounds.push_back(times);
                } catch (const wrong_output &error) {
                    if (i < num_ours)
                        throw failure(*contestants[i], type, input, error.what());
                    throw;
                }
            });
        }
    }
    for (size_t i = 0; i < contestants.size(); i++) {
        if (results[i].note.empty())
            contestants[i]->end();
    }
    return results;
}

static versus_contestants asked_of(const versus_options &options, versus_contestants opponents)
{
    versus_contestants kept;
    std::string known;
    for (auto &opponent : opponents) {
        const std::string name = opponent->name();
        known += (known.empty() ? "" : " ") + name;
        if (options.against.empty() ||
            std::count(options.against.begin(), options.against.end(), name) > 0)
            kept.push_back(std::move(opponent));
    }
    if (kept.size() < options.against.size())
        throw std::runtime_error("--against: unknown name; there are " + known);
    return kept;
}

int versus_main(int argc, char **argv, const char *name, const char *about,
                std::shared_ptr<versus_device> &device, versus_contestants opponents)
try {
    versus_options options;
    if (!versus_parse(argc, argv, name, about, options))
        return 0;
    opponents = asked_of(options, std::move(opponents));
    versus_contestants contestants;
    std::vector<std::string> names;
    std::string head;
    for (const clsort_algorithm algorithm : options.algorithms) {
        contestants.push_back(versus_library(device, algorithm));
        head = contestants.back()->open(options);
    }
    printf("- clsort: %s\n", head.c_str());
    for (auto &opponent : opponents) {
        names.push_back(opponent->name());
        printf("- %s: %s\n", opponent->name(), opponent->open(options).c_str());
        contestants.push_back(std::move(opponent));
    }
    printf("- %d rounds, seed %llu; Mkeys/s by the medians of device time (first to last command) "
           "and host time (call to end); in brackets how many times as fast clsort is, the median "
           "of the rounds' ratios\n",
           options.repeat, (unsigned long long)options.seed);
    versus_table table(options, names);
    versus_plot plot(options, head);
    for (const versus_type *type : options.types) {
        for (const int distribution : options.distributions) {
            for (const u64 count : options.counts) {
                const versus_input input =
                    versus_make_input(*type, count, distribution, options.seed);
                const std::vector<versus_result> results =
                    run_case(contestants, options.algorithms.size(), *type, input, options.repeat);
                table.add(*type, input, results);
                plot.add(*type, input, results);
            }
        }
    }
    plot.write();
    return 0;
} catch (const std::exception &error) {
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", name, error.what());
    return 2;
}
