/* host.cpp: what C and C++ programs sort with, as opponents: qsort(), std::sort() on one thread
 * and on all of them, std::stable_sort(), the vectorised quicksort of Google's Highway, and what
 * clsort_sort() does for small arrays without a device. */
#include "opponent.h"

#include <clsort/clsort.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <unistd.h>
#ifdef BENCH_HAS_ALL
#include <execution>
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace
{

/* ---- The items of struct bench_task ---------------------------------------------------------- */

template <typename Key> struct pair_of {
    std::conditional_t<sizeof(Key) == 4, u32, u64> value;
    Key key;
};

template <typename Key> bool operator<(const pair_of<Key> &a, const pair_of<Key> &b)
{
    return a.key < b.key;
}

/* 16-bit floats have no type here: they are compared as the signed integers that sort alike. */
struct float16 {
    u16 bits;
    int16_t rank() const
    {
        return static_cast<int16_t>(bits & 0x8000 ? bits ^ 0x7fff : bits);
    }
};

bool operator<(float16 a, float16 b)
{
    return a.rank() < b.rank();
}

/* input.h's record. */
struct record {
    u32 first;
    int32_t second;
    u32 rest[2];
};

bool operator<(const record &a, const record &b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* Calls work(task, items, count) with the items' type; false where it has none for such items. */
template <typename Work> bool do_with_items(const bench_task *task, const Work &work)
{
    const bench_input *input = task->input;
    if (bench_is_records(input))
        return work(task, static_cast<record *>(task->items), input->count);
#define SORT_AS(kind, bits, value_size, ...)             \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return work(task, static_cast<__VA_ARGS__ *>(task->items), input->count)
    SORT_AS(UNSIGNED, 8, 0, uint8_t);
    SORT_AS(UNSIGNED, 16, 0, uint16_t);
    SORT_AS(UNSIGNED, 32, 0, uint32_t);
    SORT_AS(UNSIGNED, 64, 0, uint64_t);
    SORT_AS(SIGNED, 8, 0, int8_t);
    SORT_AS(SIGNED, 16, 0, int16_t);
    SORT_AS(SIGNED, 32, 0, int32_t);
    SORT_AS(SIGNED, 64, 0, int64_t);
    SORT_AS(FLOAT, 16, 0, float16);
    SORT_AS(FLOAT, 32, 0, float);
    SORT_AS(FLOAT, 64, 0, double);
    SORT_AS(UNSIGNED, 32, 4, pair_of<uint32_t>);
    SORT_AS(UNSIGNED, 64, 8, pair_of<uint64_t>);
    SORT_AS(SIGNED, 32, 4, pair_of<int32_t>);
    SORT_AS(SIGNED, 64, 8, pair_of<int64_t>);
    SORT_AS(FLOAT, 32, 4, pair_of<float>);
    SORT_AS(FLOAT, 64, 8, pair_of<double>);
#undef SORT_AS
    return false;
}

/* ---- The sorts: functions of items, false where they have none for such ---------------------- */

template <typename Item> int compare(const void *a, const void *b)
{
    const Item &x = *static_cast<const Item *>(a), &y = *static_cast<const Item *>(b);
    return (y < x) - (x < y);
}

constexpr auto by_qsort = [](auto *first, size_t count) {
    qsort(first, count, sizeof *first, compare<std::remove_pointer_t<decltype(first)>>);
    return true;
};

constexpr auto by_std_sort = [](auto *first, size_t count) {
    std::sort(first, first + count);
    return true;
};

constexpr auto by_stable_sort = [](auto *first, size_t count) {
    std::stable_sort(first, first + count);
    return true;
};

#ifdef BENCH_HAS_ALL
#define PAR_SORT run<each_segment<by_par_sort>>
constexpr auto by_par_sort = [](auto *first, size_t count) {
    std::sort(std::execution::par, first, first + count);
    return true;
};

/* It has numbers of 16 to 64 bits, and pairs of unsigned ones. */
#define VQSORT run<each_segment<by_vqsort>>
template <typename Item> bool vqsort(void *items, size_t count)
{
    hwy::Sorter()(static_cast<Item *>(items), count, hwy::SortAscending());
    return true;
}

constexpr auto by_vqsort = [](auto *first, size_t count) {
    using Item = std::remove_pointer_t<decltype(first)>;
    if constexpr (std::is_same_v<Item, double>)
        return hwy::Sorter::HaveFloat64() && vqsort<double>(first, count);
    else if constexpr (std::is_arithmetic_v<Item> && sizeof(Item) > 1)
        return vqsort<Item>(first, count);
    else if constexpr (std::is_same_v<Item, pair_of<uint32_t>>)
        return vqsort<hwy::K32V32>(first, count);
    else if constexpr (std::is_same_v<Item, pair_of<uint64_t>>)
        return vqsort<hwy::K64V64>(first, count);
    else
        return false;
};
#else
#define PAR_SORT nullptr
#define VQSORT nullptr
#endif

/* A sorter for the default device whose host sorts use all threads, made once; NULL without one. */
clsort_sorter *sorter_with_threads()
{
    static clsort_sorter *const sorter = [] {
        clsort_sorter *made = nullptr;
        if (clsort_create(nullptr, nullptr, &made) == CLSORT_OK)
            clsort_set_host_threads(made, (u32)std::min(sysconf(_SC_NPROCESSORS_ONLN), 16L));
        return made;
    }();
    return sorter;
}

/* clsort_sort() by the calling thread or by all, for as many keys as they sort so. */
template <bool All> int run_clsort(bench_opponent *self, bench_times *, char *why)
{
    static const struct {
        bench_kind kind;
        unsigned bits, mantissa_bits; /* f16 and bf16 differ in these alone */
        clsort_type type;
    } types[] = {
#define TYPE(name, text, bits, kind, mantissa) {BENCH_##kind, bits, mantissa, CLSORT_##name},
        CLSORT_TYPE_LIST(TYPE)};
#undef TYPE
    const bench_task *task = static_cast<const bench_task *>(self->state);
    for (const auto &row : types) {
        if (!bench_is(task->input, row.kind, row.bits, 0) ||
            task->input->mantissa_bits != row.mantissa_bits)
            continue;
        clsort_desc desc = CLSORT_ZERO;
        clsort_arrays arrays = CLSORT_ZERO;
        desc.count = task->input->count;
        desc.type = row.type;
        arrays.keys = task->items;
        clsort_sorter *const sorter = All ? sorter_with_threads() : nullptr;
        if (All && !sorter)
            return bench_refuse(why, "found no device for its sorter");
        if (!clsort_sorts_on_host(sorter, &desc))
            return bench_refuse(why, "sorts arrays of this size on a device");
        return clsort_sort(sorter, &desc, &arrays) == CLSORT_OK || bench_refuse(why, "failed");
    }
    return bench_refuse(why, "has keys alone");
}

/* ---- As opponents ---------------------------------------------------------------------------- */

int prepare(bench_opponent *self, const bench_task *task, char *why)
{
    const bench_input *input = task->input;
    self->state = const_cast<bench_task *>(task);
    if (input->value_size > 0 && (input->value_size != input->key_size || input->bits < 32))
        return bench_refuse(why, "the host's sorts have pairs of 4+4 and 8+8 bytes alone");
    return 1;
}

/* Sorts all, or each segment. */
template <const auto &Sort>
constexpr auto each_segment = [](const bench_task *task, auto *first, size_t count) {
    const u64 num_segments = task->input->num_segments;
    bool ok = num_segments > 0 || Sort(first, count);
    for (u64 i = 0; i < num_segments && ok; i++) {
        const u64 begin = task->offsets[i], end = task->offsets[i + 1];
        ok = begin == end || Sort(first + begin, end - begin);
    }
    return ok;
};

/* ---- What is done beside sorts, as functions of the items ------------------------------------ */

/* The wanted places of each row or segment, by a function that puts them there. */
template <const auto &Select>
constexpr auto each_row = [](const bench_task *task, auto *first, size_t count) {
    const bench_input *input = task->input;
    const u64 whole[] = {0, count};
    const u64 *const offsets = input->num_segments > 0 ? task->offsets : whole;
    auto *out = static_cast<decltype(first)>(task->out);
    for (u64 row = 0; row < std::max<u64>(input->num_segments, 1); row++, out += input->limit) {
        const u64 length = offsets[row + 1] - offsets[row];
        const u64 begin = std::min(input->skip, length);
        const u64 end = begin + std::min(input->limit, length - begin);
        auto *const items = first + offsets[row];
        if (begin == end)
            continue; /* a short segment has none of the places */
        Select(items, items + begin, items + end, items + length);
        std::copy(items + begin, items + end, out);
    }
    return true;
};

constexpr auto by_partial_sort = [](auto *first, auto *, auto *end, auto *last) {
    std::partial_sort(first, end, last);
};

constexpr auto by_nth_element = [](auto *first, auto *begin, auto *end, auto *last) {
    if (begin != first)
        std::nth_element(first, begin, last);
    if (end - begin > 1 || begin == first)
        std::nth_element(begin, end - 1, last);
    std::sort(begin, end);
};

constexpr auto by_merge = [](const bench_task *task, auto *first, size_t count) {
    auto *const middle = first + task->offsets[1];
    std::merge(first, middle, middle, first + count, static_cast<decltype(first)>(task->out));
    return true;
};

constexpr auto by_unique_copy = [](const bench_task *task, auto *first, size_t count) {
    auto *const out = static_cast<decltype(first)>(task->out);
    const auto is_equal = [](const auto &a, const auto &b) {
        if constexpr (std::is_arithmetic_v<std::remove_pointer_t<decltype(first)>>)
            return a == b;
        else
            return !(a < b);
    };
    *task->result = (u64)(std::unique_copy(first, first + count, out, is_equal) - out);
    return true;
};

constexpr auto by_is_sorted = [](const bench_task *task, auto *first, size_t count) {
    *task->result = (u64)(std::is_sorted_until(first, first + count) - first);
    return true;
};

constexpr auto by_lower_bound = [](const bench_task *task, auto *first, size_t count) {
    const auto *const queries = static_cast<decltype(first)>(const_cast<void *>(task->queries));
    const auto search = [&](auto *places) {
        for (u64 i = 0; i < task->input->num_queries; i++)
            places[i] =
                (std::remove_pointer_t<decltype(places)>)(std::lower_bound(first, first + count,
                                                                           queries[i]) -
                                                          first);
    };
    if (task->input->place_size == 4)
        search(static_cast<u32 *>(task->out));
    else
        search(static_cast<u64 *>(task->out));
    return true;
};

template <const auto &Work> int run(bench_opponent *self, bench_times *, char *why)
{
    const bench_task *task = static_cast<const bench_task *>(self->state);
    const bench_input *input = task->input;
    return do_with_items(task, Work) ||
           bench_refuse(why, input->value_size > 0     ? "has no sort of such pairs"
                             : bench_is_records(input) ? "has no sort of structs"
                                                       : "has no sort of such keys");
}

const char *about_one_thread()
{
    return "one thread of the host, compiler " __VERSION__;
}

const char *about_all_threads()
{
    static std::string text;
    text = std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
           " threads of the host, compiler " __VERSION__;
    return text.c_str();
}

using run_function = int(bench_opponent *, bench_times *, char *);

/* run: NULL where the build has none. */
bench_opponent make(const char *name, unsigned works, bool is_stable, run_function *run,
                    const char *(*about)() = about_one_thread)
{
    bench_opponent made = {};
    made.name = name;
    made.missing = run ? nullptr : "built without CLSORT_BUILD_OPPONENTS";
    made.memory = BENCH_ON_HOST;
    made.works = works;
    made.is_stable = is_stable;
    made.about = about;
    made.prepare = prepare;
    made.run = run;
    return made;
}

} // namespace

struct bench_opponent *const *bench_opponents(unsigned version)
{
    const unsigned sort = 1U << BENCH_SORT, sorts = sort | 1U << BENCH_SEGMENTS;
    static bench_opponent all[] = {
        make("std::sort", sorts, false, run<each_segment<by_std_sort>>),
        make("std::sort(par)", sorts, false, PAR_SORT, about_all_threads),
        make("qsort", sorts, false, run<each_segment<by_qsort>>),
        make("vqsort", sorts, false, VQSORT),
        make("std::stable_sort", sorts, true, run<each_segment<by_stable_sort>>),
        make("clsort_sort", sort, true, run_clsort<false>),
        make("clsort_sort(threads)", sort, true, run_clsort<true>, about_all_threads),
        make("partial_sort", 1U << BENCH_TOP, false, run<each_row<by_partial_sort>>),
        make("std::nth_element", 1U << BENCH_TOP, false, run<each_row<by_nth_element>>),
        make("std::is_sorted", 1U << BENCH_CHECK, false, run<by_is_sorted>),
        make("std::merge", 1U << BENCH_MERGE, false, run<by_merge>),
        make("std::unique_copy", 1U << BENCH_RUNS, false, run<by_unique_copy>),
        make("std::lower_bound", 1U << BENCH_SEARCH, false, run<by_lower_bound>)};
    enum { NUM = sizeof all / sizeof *all };
    static bench_opponent *list[NUM + 1];
    for (int i = 0; i < NUM; i++)
        list[i] = &all[i];
    return version == BENCH_OPPONENT_VERSION ? list : nullptr;
}
