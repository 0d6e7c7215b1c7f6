/* table.cpp: what the comparisons print. */
#include "versus.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

double versus_median(std::vector<double> numbers)
{
    if (numbers.empty())
        return 0;
    std::sort(numbers.begin(), numbers.end());
    const size_t middle = numbers.size() / 2;
    return numbers.size() % 2 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

/* The rate by the median time, and in brackets the median ratio of an opponent's times to ours. */
static void print_cell(u64 count, const versus_result &result, const versus_result &ours,
                       double versus_times::*clock, bool has_ratio)
{
    std::vector<double> seconds, ratios;
    for (size_t i = 0; i < result.rounds.size(); i++) {
        seconds.push_back(result.rounds[i].*clock);
        if (i < ours.rounds.size() && ours.rounds[i].*clock > 0)
            ratios.push_back(result.rounds[i].*clock / (ours.rounds[i].*clock));
    }
    const double time = versus_median(seconds);
    const double rate = time > 0 ? 1e-6 * (double)count / time : 0;
    if (rate > 0)
        printf(rate < 100 ? " %.3g" : " %.0f", rate);
    else
        printf(" -");
    if (has_ratio && versus_median(ratios) > 0)
        printf(" (%.2f)", versus_median(ratios));
    printf(" |");
}

versus_table::versus_table(const versus_options &options, const std::vector<std::string> &opponents)
    : num_algorithms_(options.algorithms.size()), csv_(nullptr)
{
    if (!options.csv.empty()) {
        FILE *file = fopen(options.csv.c_str(), "w");
        if (!file)
            throw std::runtime_error("cannot write " + options.csv + ": " + strerror(errno));
        fputs("keys,type,data,sort,how,round,device_s,host_s,device_ratio,host_ratio,note\n", file);
        csv_ = file;
    }
    printf("\n| keys | type | data | algorithm | clsort, device | host |");
    for (const std::string &name : opponents)
        printf(" %s, device | host |", name.c_str());
    printf(" note |\n|---:|---|---|---|---:|---:|");
    for (size_t i = 0; i < opponents.size(); i++)
        printf("---:|---:|");
    printf("---|\n");
    fflush(stdout);
}

versus_table::~versus_table()
{
    if (csv_ && fclose(static_cast<FILE *>(csv_)) != 0)
        perror("the CSV file");
}

static void write_csv(FILE *file, const versus_type &type, const versus_input &input,
                      const versus_result &result, const versus_result &ours)
{
    const char *data = versus_distribution_names[input.distribution];
    if (!result.note.empty())
        fprintf(file, "%llu,%s,%s,%s,%s,,,,,,\"%s\"\n", (unsigned long long)input.count, type.name,
                data, result.name.c_str(), result.how.c_str(), result.note.c_str());
    for (size_t i = 0; i < result.rounds.size(); i++) {
        const versus_times &times = result.rounds[i];
        fprintf(file, "%llu,%s,%s,%s,%s,%zu,%.9g,%.9g,", (unsigned long long)input.count, type.name,
                data, result.name.c_str(), result.how.c_str(), i, times.device, times.host);
        if (i < ours.rounds.size() && ours.rounds[i].device > 0)
            fprintf(file, "%.4g", times.device / ours.rounds[i].device);
        fputc(',', file);
        if (i < ours.rounds.size() && ours.rounds[i].host > 0)
            fprintf(file, "%.4g", times.host / ours.rounds[i].host);
        fputs(",\n", file);
    }
    fflush(file);
}

void versus_table::add(const versus_type &type, const versus_input &input,
                       const std::vector<versus_result> &results)
{
    for (size_t row = 0; row < num_algorithms_; row++) {
        const versus_result &ours = results[row];
        std::string notes;
        printf("| %llu | %s | %s | %s |", (unsigned long long)input.count, type.name,
               versus_distribution_names[input.distribution], ours.how.c_str());
        for (size_t i = 0; i < results.size(); i++) {
            const versus_result &result = results[i];
            if (i != row && i < num_algorithms_)
                continue;
            print_cell(input.count, result, ours, &versus_times::device, i != row);
            print_cell(input.count, result, ours, &versus_times::host, i != row);
            if (!result.note.empty())
                notes += (notes.empty() ? "" : "; ") + result.name + ": " + result.note;
        }
        printf(" %s |\n", notes.c_str());
    }
    fflush(stdout);
    for (const versus_result &result : results) {
        if (csv_)
            write_csv(static_cast<FILE *>(csv_), type, input, result, results[0]);
    }
}
