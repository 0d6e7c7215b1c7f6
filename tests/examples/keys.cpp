/* keys.cpp: what keys.c does, in C++17 by clsort.hpp and opencl.hpp. A failure is an exception.
 * Output: -1e+09 -1 -0 0 2.5 3 6 7 */
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <clsort/clsort.hpp>
#include <iostream>

int main()
{
    std::vector<float> keys{3, -1, 2.5f, -0.0f, 7, 0, -1e9f, 6};
    cl::Context context = cl::Context::getDefault();
    clsort::sorter sorter(context);
    cl::CommandQueue queue(context);
    cl::Buffer buffer(queue, keys.begin(), keys.end(), false);
    sorter.enqueue<float>(queue, buffer, keys.size());
    cl::copy(queue, buffer, keys.begin(), keys.end());
    for (float key : keys)
        std::cout << key << ' ';
}
