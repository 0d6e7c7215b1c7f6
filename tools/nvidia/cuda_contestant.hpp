/* cuda_contestant.hpp: NVIDIA's own sorts as contestants. */
#ifndef VERSUS_CUDA_CONTESTANT_HPP
#define VERSUS_CUDA_CONTESTANT_HPP

#include "versus.hpp"

struct versus_cuda;

/* CUB's radix sort, CUB's merge sort, and Thrust's sort with a comparison. The first that is opened
 * makes what they share. */
std::vector<std::unique_ptr<versus_contestant>>
versus_cuda_contestants(std::shared_ptr<versus_cuda> &shared);

#endif
