/** @file
 * clsort.h for C++17 and later: the type of the keys is a template argument, and a failure is an
 * exception. Keys are integers, floats and doubles, or structs with clsort_desc.record. An array of
 * the host is what std::data() and std::size() take, such as a std::vector, a std::span or a C
 * array. Contexts, queues and buffers are OpenCL's own (cl_mem) or those of opencl.hpp
 * (cl::Buffer), which this header does not include.
 *
 * `desc` has everything else about a sort, such as {.order = CLSORT_DESCENDING} in C++20. The call
 * sets its count and type; with num_arrays the count is that of each array. */
#ifndef CLSORT_CLSORT_HPP
#define CLSORT_CLSORT_HPP

#include "clsort/clsort.h"

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/** The names of clsort.hpp. */
namespace clsort
{
/** A status as an exception; what() is the library's sentence. */
struct error : std::runtime_error {
    /** Of a status; with a sorter, what() names the argument or OpenCL call, too. */
    explicit error(clsort_status status_, clsort_sorter *sorter = nullptr)
        : runtime_error(sentence(status_, sorter)), status(status_)
    {
    }
    /** The sentence of what(). */
    static std::string sentence(clsort_status status, clsort_sorter *sorter)
    {
        clsort_error_info info = CLSORT_ZERO;
        char text[1024];
        if (!sorter || clsort_last_error(sorter, &info) || info.status != status ||
            clsort_get_error_text(sorter, text, sizeof text, nullptr))
            return clsort_status_text(status);
        return text;
    }
    const clsort_status status; /**< the status */
};

/** Throws an error unless the status is CLSORT_OK. */
inline void check(clsort_status status, clsort_sorter *sorter = nullptr)
{
    if (status)
        throw error(status, sorter);
}

/** The type of keys of T, or CLSORT_NUM_TYPES, which is refused. */
template <class T> constexpr clsort_type find_type()
{
    constexpr clsort_type types[] = {CLSORT_U8,  CLSORT_I8,  CLSORT_U16, CLSORT_I16,
                                     CLSORT_U32, CLSORT_I32, CLSORT_U64, CLSORT_I64};
    for (unsigned i = 0; std::is_integral_v<T> && i < 8; ++i)
        if (sizeof(T) == 1u << i / 2 && std::is_signed_v<T> == (i % 2 == 1))
            return types[i];
    return std::is_same_v<T, float>    ? CLSORT_F32
           : std::is_same_v<T, double> ? CLSORT_F64
                                       : CLSORT_NUM_TYPES;
}
/** The type of keys of T. Specialise it for a half of yours:
 * `template <> inline constexpr clsort_type clsort::type_of<half> = CLSORT_F16;` */
template <class T> inline constexpr clsort_type type_of = find_type<T>();

/** desc with the count and the type of keys of T, or of its record, which is as large as T. */
template <class T> clsort_desc describe(uint64_t count, clsort_desc desc = CLSORT_ZERO)
{
    static_assert(std::is_trivially_copyable_v<T>, "keys are moved as bytes");
    desc.count = count / (desc.num_arrays ? desc.num_arrays : 1);
    if (desc.record && desc.record->size != sizeof(T))
        throw error(CLSORT_ERROR_RECORD);
    if (!desc.record)
        desc.type = type_of<T>;
    return desc;
}

/** Sorts an array of the host in place, as clsort_sort() does. */
template <class Keys>
void sort(Keys &&keys, const clsort_desc &desc = CLSORT_ZERO, clsort_sorter *sorter = nullptr)
{
    using T = std::remove_reference_t<decltype(*std::data(keys))>;
    const clsort_desc described = describe<T>(std::size(keys), desc);
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = std::data(keys);
    check(clsort_sort(sorter, &described, &arrays), sorter);
}

/** OpenCL's H of an object of opencl.hpp, which gives it by (), or of itself. */
template <class H, class Object> H raw(const Object &object)
{
    if constexpr (std::is_convertible_v<const Object &, H>)
        return object;
    else
        return object();
}

/** A place in a buffer: a cl_mem, a cl::Buffer, or {buffer, offset in bytes}. */
struct place : clsort_buffer {
    /** From the offset on. */
    template <class Buffer>
    place(const Buffer &buffer, uint64_t from = 0) : clsort_buffer{raw<cl_mem>(buffer), from}
    {
    }
};

/** Owns a clsort_sorter. It can be moved, but not copied. Its calls throw an error. */
struct sorter : private std::unique_ptr<clsort_sorter, decltype(&clsort_destroy)> {
    using unique_ptr::get; /**< the clsort_sorter */
    /** As clsort_create(). */
    template <class Context = cl_context, class Device = cl_device_id>
    explicit sorter(const Context &context = {}, const Device &device = {})
        : unique_ptr(nullptr, clsort_destroy)
    {
        clsort_sorter *made = nullptr;
        check(clsort_create(raw<cl_context>(context), raw<cl_device_id>(device), &made));
        reset(made);
    }
    /** Sorts an array of the host in place. */
    template <class Keys> void sort(Keys &&keys, const clsort_desc &desc = CLSORT_ZERO)
    {
        clsort::sort(keys, desc, get());
    }
    /** As clsort_enqueue(): it does not wait. */
    template <class Queue>
    void enqueue(const Queue &queue, const clsort_desc &desc, const clsort_buffers &buffers,
                 const std::vector<cl_event> &wait = {}, cl_event *event = nullptr)
    {
        const auto status =
            clsort_enqueue(get(), raw<cl_command_queue>(queue), &desc, &buffers,
                           cl_uint(wait.size()), wait.empty() ? nullptr : wait.data(), event);
        check(status, get());
    }
    /** Enqueues a sort of `count` keys of T in place, of values, too, if desc has a value_size. */
    template <class T, class Queue>
    void enqueue(const Queue &queue, place keys, uint64_t count, const clsort_desc &desc = {},
                 place values = cl_mem(), const std::vector<cl_event> &wait = {},
                 cl_event *event = nullptr)
    {
        clsort_buffers buffers = CLSORT_ZERO;
        buffers.keys = keys;
        buffers.values = values;
        enqueue(queue, describe<T>(count, desc), buffers, wait, event);
    }
};
} // namespace clsort

#endif
