/* bench_nvidia.cpp: the library, through OpenCL, against CUB and Thrust, through CUDA, on one NVIDIA
 * GPU. Device time: between two events around the sort, in both. */
#include "cuda_contestant.hpp"
#include "opencl.hpp"

int main(int argc, char **argv)
{
    std::shared_ptr<versus_device> device;
    std::shared_ptr<versus_cuda> cuda;
    return versus_main(argc, argv, "bench_nvidia",
                       "Measures clsort, CUB and Thrust side by side on an NVIDIA GPU.", device,
                       versus_cuda_contestants(cuda));
}
