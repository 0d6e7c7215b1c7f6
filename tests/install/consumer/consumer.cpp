/* consumer.cpp: clsort.hpp. Every type by its template argument, arrays of the host in what holds
 * them, structs, a buffer as cl_mem and at an offset, wait lists and events, a sorter that is
 * moved, and errors. Ends with 0 if all is right; PoCL or another device is needed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace
{
void expect(bool is_right, const char *what)
{
    if (is_right)
        return;
    std::printf("FAILED: %s\n", what);
    std::exit(1);
}
#define EXPECT(condition) expect(condition, #condition)

template <class T> void sorts_type(clsort::sorter &sorter)
{
    std::vector<T> keys;
    for (int i = 0; i < 1000; ++i)
        keys.push_back(T(i * 2654435761u % 251) - T(99)); // unsigned ones wrap
    std::vector<T> expected = keys;
    std::sort(expected.begin(), expected.end());
    clsort_desc desc = CLSORT_ZERO;
    desc.order = CLSORT_DESCENDING;
    sorter.sort(keys, desc);
    EXPECT(std::equal(keys.begin(), keys.end(), expected.rbegin()));
    clsort::sort(keys);
    EXPECT(keys == expected);
}

template <class... T> void sorts_types(clsort::sorter &sorter)
{
    (sorts_type<T>(sorter), ...);
}

template <class Call> clsort::error failure(Call call)
{
    try {
        call();
    } catch (const clsort::error &error) {
        return error;
    }
    return clsort::error(CLSORT_OK);
}

struct person {
    uint32_t id;
    float score;
};

void sorts_arrays(clsort::sorter &sorter)
{
    int plain[] = {3, 1, 2};
    clsort::sort(plain);
    EXPECT(plain[0] == 1 && plain[2] == 3);
    std::array<double, 3> array{3, 1, 2};
    clsort::sort(array);
    EXPECT(array[0] == 1 && array[2] == 3);
#if __cplusplus >= 202002L
    clsort::sort(std::span(plain).subspan(1), {.order = CLSORT_DESCENDING});
    EXPECT(plain[0] == 1 && plain[1] == 3);
#endif
    const clsort_field field = {offsetof(person, score), CLSORT_F32, CLSORT_ASCENDING};
    clsort_record record = CLSORT_ZERO;
    record.size = sizeof(person);
    record.num_fields = 1;
    record.fields = &field;
    clsort_desc desc = CLSORT_ZERO;
    desc.record = &record;
    std::vector<person> people{{1, 2.5f}, {2, -1}, {3, 0}};
    sorter.sort(people, desc);
    EXPECT(people[0].id == 2 && people[2].id == 1);
    std::vector<short> others(3);
    EXPECT(failure([&] { sorter.sort(others, desc); }).status == CLSORT_ERROR_RECORD);
}

void sorts_buffer(clsort::sorter &sorter)
{
    uint16_t keys[] = {9, 8, 3, 1, 2};
    const uint32_t values[] = {33, 11, 22};
    uint32_t sorted[3];
    cl_context context = clsort_context(sorter.get());
    cl_command_queue queue = clCreateCommandQueue(context, clsort_device(sorter.get()), 0, nullptr);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof keys, keys, nullptr);
    cl_mem moved = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values,
                                  const_cast<uint32_t *>(values), nullptr);
    cl_event event = nullptr;
    clsort_desc desc = CLSORT_ZERO;
    desc.value_size = sizeof *values;
    sorter.enqueue<uint16_t>(queue, {buffer, 4}, 3, desc, moved, {}, &event);
    sorter.enqueue<uint16_t>(queue, buffer, 2, {}, cl_mem(), {event});
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof keys, keys, 0, nullptr, nullptr);
    clEnqueueReadBuffer(queue, moved, CL_TRUE, 0, sizeof sorted, sorted, 0, nullptr, nullptr);
    EXPECT(keys[0] == 8 && keys[1] == 9 && keys[2] == 1 && keys[4] == 3);
    EXPECT(sorted[0] == 11 && sorted[1] == 22 && sorted[2] == 33);

    const clsort::error error = failure([&] { sorter.enqueue<float>(queue, {buffer, 4}, 9); });
    EXPECT(error.status == CLSORT_ERROR_BUFFER_TOO_SMALL);
    EXPECT(std::strstr(error.what(), "keys"));
    clReleaseEvent(event);
    clReleaseMemObject(buffer);
    clReleaseMemObject(moved);
    clReleaseCommandQueue(queue);
}
} // namespace

int main()
{
    clsort::sorter first;
    clsort::sorter sorter = std::move(first);
    EXPECT(!first.get() && sorter.get());
    sorts_types<uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t, float,
                double, char, long, unsigned long long>(sorter);
    sorts_arrays(sorter);
    sorts_buffer(sorter);
    std::vector<long double> wide(2);
    const clsort::error error = failure([&] { clsort::sort(wide); });
    EXPECT(error.status == CLSORT_ERROR_TYPE);
    EXPECT(!std::strcmp(error.what(), clsort_status_text(CLSORT_ERROR_TYPE)));
    EXPECT(clsort::type_of<bool> == CLSORT_U8);
}
