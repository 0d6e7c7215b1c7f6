/* bench_stdsort.cpp: std::sort on one thread, the opponent that C programmers name. */
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace
{

template <typename Key> void sort_as(void *keys, std::size_t count)
{
    Key *first = static_cast<Key *>(keys);
    std::sort(first, first + count);
}

/* 16-bit floats have no type here: they are compared as the signed integers that sort alike. */
bool is_before(std::uint16_t a, std::uint16_t b)
{
    const std::int16_t x = static_cast<std::int16_t>(a & 0x8000 ? a ^ 0x7fff : a);
    const std::int16_t y = static_cast<std::int16_t>(b & 0x8000 ? b ^ 0x7fff : b);
    return x < y;
}

} // namespace

/* kind: 0 unsigned, 1 signed, 2 float. */
extern "C" void bench_std_sort(int kind, int bits, void *keys, std::size_t count)
{
    if (kind == 2 && bits == 16) {
        std::uint16_t *first = static_cast<std::uint16_t *>(keys);
        std::sort(first, first + count, is_before);
    } else if (kind == 2) {
        bits == 32 ? sort_as<float>(keys, count) : sort_as<double>(keys, count);
    } else if (kind == 1) {
        bits == 8    ? sort_as<std::int8_t>(keys, count)
        : bits == 16 ? sort_as<std::int16_t>(keys, count)
        : bits == 32 ? sort_as<std::int32_t>(keys, count)
                     : sort_as<std::int64_t>(keys, count);
    } else {
        bits == 8    ? sort_as<std::uint8_t>(keys, count)
        : bits == 16 ? sort_as<std::uint16_t>(keys, count)
        : bits == 32 ? sort_as<std::uint32_t>(keys, count)
                     : sort_as<std::uint64_t>(keys, count);
    }
}
