/* bench_host.cpp: the library against what C and C++ programs call, qsort(), std::sort() and
 * std::stable_sort(): structs with a comparison, on one thread of the host. Numbers and pairs are
 * measured by 'clsort bench --vs-cpu'. */
#include "versus.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

namespace
{

/* input.h's record. */
struct item {
    u32 first;
    int32_t second;
    u32 rest[2];
};
static_assert(sizeof(item) == VERSUS_RECORD_SIZE, "as input.h has it");

bool is_before(const item &a, const item &b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

int compare(const void *a, const void *b)
{
    const item &x = *static_cast<const item *>(a);
    const item &y = *static_cast<const item *>(b);
    return x.first != y.first ? (x.first < y.first ? -1 : 1)
                              : (x.second > y.second) - (x.second < y.second);
}

void by_qsort(item *items, size_t count)
{
    qsort(items, count, sizeof *items, compare);
}

/* Lambdas, which are compiled into the sorts. */
void by_std_sort(item *items, size_t count)
{
    std::sort(items, items + count, [](const item &a, const item &b) { return is_before(a, b); });
}

void by_std_stable_sort(item *items, size_t count)
{
    std::stable_sort(items, items + count,
                     [](const item &a, const item &b) { return is_before(a, b); });
}

using sort_function = void(item *, size_t);

/* What they share, since only one sorts at a time; the first user makes the input. */
struct shared_items {
    std::unique_ptr<item[]> source, items;
    int num_users = 0;

    void begin(const versus_input &input);
    void end();
};

void shared_items::begin(const versus_input &input)
{
    /* Two copies and std::stable_sort's; the other half may be the library's device. */
    const u64 memory = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
    if (num_users++ > 0)
        return;
    if (3 * input.count * sizeof(item) > memory / 2)
        throw versus_no_memory("more than half the host's memory");
    source.reset(new (std::nothrow) item[input.count]);
    items.reset(new (std::nothrow) item[input.count]);
    if (!source || !items)
        throw versus_no_memory("more than the host's memory");
    versus_fill(&input, source.get(), nullptr, 0, 1);
}

void shared_items::end()
{
    if (--num_users > 0)
        return;
    source.reset();
    items.reset();
}

class host_sort : public versus_contestant
{
  public:
    host_sort(std::shared_ptr<shared_items> shared, const char *name, sort_function *sort)
        : shared_(std::move(shared)), name_(name), sort_(sort)
    {
    }
    const char *name() const override
    {
        return name_;
    }
    std::string open(const versus_options &) override
    {
        return std::string("one thread of the host, compiler ") + __VERSION__;
    }
    std::string begin(const versus_type &type, const versus_input &input) override
    {
        if (type.form == VERSUS_NUMBERS)
            return "has only structs here";
        input_ = input;
        is_begun_ = true;
        shared_->begin(input);
        return "";
    }
    versus_sums source() override
    {
        return versus_look(&input_, shared_->source.get(), nullptr, 0, 1);
    }
    versus_times run() override
    {
        versus_times times;
        memcpy(shared_->items.get(), shared_->source.get(), input_.count * sizeof(item));
        const double start = versus_now();
        sort_(shared_->items.get(), input_.count);
        times.host = versus_now() - start;
        return times;
    }
    versus_sums result() override
    {
        return versus_look(&input_, shared_->items.get(), nullptr, 0, 1);
    }
    void end() override
    {
        if (is_begun_)
            shared_->end();
        is_begun_ = false;
    }

  private:
    std::shared_ptr<shared_items> shared_;
    const char *name_;
    sort_function *sort_;
    versus_input input_ = {};
    bool is_begun_ = false;
};

} // namespace

int main(int argc, char **argv)
{
    std::shared_ptr<versus_device> device;
    const auto shared = std::make_shared<shared_items>();
    versus_contestants opponents;
    opponents.push_back(std::make_unique<host_sort>(shared, "qsort", by_qsort));
    opponents.push_back(std::make_unique<host_sort>(shared, "std::sort", by_std_sort));
    opponents.push_back(
        std::make_unique<host_sort>(shared, "std::stable_sort", by_std_stable_sort));
    return versus_main(argc, argv, "bench_host",
                       "Measures clsort and the host's sorts of structs side by side.", device,
                       std::move(opponents));
}
