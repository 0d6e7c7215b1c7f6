/* host_items.hpp: the items of struct bench_task as types of C++. */
#ifndef BENCH_HOST_ITEMS_HPP
#define BENCH_HOST_ITEMS_HPP

#include "host.h"

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

/* input.h's record. */
struct item_record {
    std::uint32_t first;
    std::int32_t second;
    std::uint32_t rest[2];
};

inline bool operator<(const item_record &a, const item_record &b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* Calls sort(first, count) with the items' type: records and all numbers that the library sorts, in
 * pairs those of 32 and 64 bits. */
template <typename Sort>
int sort_items(const bench_input *input, void *items, std::size_t count, const Sort &sort)
{
    if (bench_is_records(input))
        return sort(static_cast<item_record *>(items), count), 1;
#define SORT_AS(kind, bits, value_size, ...)             \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return sort(static_cast<__VA_ARGS__ *>(items), count), 1
    SORT_AS(UNSIGNED, 8, 0, std::uint8_t);
    SORT_AS(UNSIGNED, 16, 0, std::uint16_t);
    SORT_AS(UNSIGNED, 32, 0, std::uint32_t);
    SORT_AS(UNSIGNED, 64, 0, std::uint64_t);
    SORT_AS(SIGNED, 8, 0, std::int8_t);
    SORT_AS(SIGNED, 16, 0, std::int16_t);
    SORT_AS(SIGNED, 32, 0, std::int32_t);
    SORT_AS(SIGNED, 64, 0, std::int64_t);
    SORT_AS(FLOAT, 16, 0, item_f16);
    SORT_AS(FLOAT, 32, 0, float);
    SORT_AS(FLOAT, 64, 0, double);
    SORT_AS(UNSIGNED, 32, 4, item_pair<std::uint32_t, std::uint32_t>);
    SORT_AS(UNSIGNED, 64, 8, item_pair<std::uint64_t, std::uint64_t>);
    SORT_AS(SIGNED, 32, 4, item_pair<std::int32_t, std::uint32_t>);
    SORT_AS(SIGNED, 64, 8, item_pair<std::int64_t, std::uint64_t>);
    SORT_AS(FLOAT, 32, 4, item_pair<float, std::uint32_t>);
    SORT_AS(FLOAT, 64, 8, item_pair<double, std::uint64_t>);
#undef SORT_AS
    return 0;
}

#endif
