/* bench_items.hpp: the types of struct opponent_items in C++. */
#ifndef CLSORT_TOOL_BENCH_ITEMS_HPP
#define CLSORT_TOOL_BENCH_ITEMS_HPP

#include "bench_opponents.h"

#include <cstdint>

template <typename Key, typename Value> struct item_pair {
    Value value;
    Key key;
};

template <typename Key, typename Value>
bool operator<(const item_pair<Key, Value> &a, const item_pair<Key, Value> &b)
{
    return a.key < b.key;
}

/* 16-bit floats have no type here: they are compared as the signed integers that sort alike. */
struct item_f16 {
    std::uint16_t bits;
    std::int16_t rank() const
    {
        return static_cast<std::int16_t>(bits & 0x8000 ? bits ^ 0x7fff : bits);
    }
};

inline bool operator<(item_f16 a, item_f16 b)
{
    return a.rank() < b.rank();
}

/* Calls sort(first, count) with the items' type: all that the library sorts, in pairs those of 32
 * and 64 bits. */
template <typename Sort>
int sort_items(const opponent_items *items, void *data, std::size_t count, const Sort &sort)
{
#define SORT_AS(k, b, v, ...)                                             \
    if (items->kind == k && items->bits == b && !items->has_values == !v) \
    return sort(static_cast<__VA_ARGS__ *>(data), count), 1
    SORT_AS(0, 8, 0, std::uint8_t);
    SORT_AS(0, 16, 0, std::uint16_t);
    SORT_AS(0, 32, 0, std::uint32_t);
    SORT_AS(0, 64, 0, std::uint64_t);
    SORT_AS(1, 8, 0, std::int8_t);
    SORT_AS(1, 16, 0, std::int16_t);
    SORT_AS(1, 32, 0, std::int32_t);
    SORT_AS(1, 64, 0, std::int64_t);
    SORT_AS(2, 16, 0, item_f16);
    SORT_AS(2, 32, 0, float);
    SORT_AS(2, 64, 0, double);
    SORT_AS(0, 32, 1, item_pair<std::uint32_t, std::uint32_t>);
    SORT_AS(0, 64, 1, item_pair<std::uint64_t, std::uint64_t>);
    SORT_AS(1, 32, 1, item_pair<std::int32_t, std::uint32_t>);
    SORT_AS(1, 64, 1, item_pair<std::int64_t, std::uint64_t>);
    SORT_AS(2, 32, 1, item_pair<float, std::uint32_t>);
    SORT_AS(2, 64, 1, item_pair<double, std::uint64_t>);
#undef SORT_AS
    return 0;
}

#endif
