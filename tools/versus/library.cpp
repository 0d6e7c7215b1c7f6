/* library.cpp: the library as a contestant: in place, with scratch that is kept from run to run. */
#include "opencl.hpp"

#include <stdexcept>

namespace
{

class library : public versus_on_opencl
{
  public:
    using versus_on_opencl::versus_on_opencl;
    const char *name() const override
    {
        return "clsort";
    }
    std::string open(const versus_options &options) override
    {
        algorithm_ = options.algorithm;
        return versus_on_opencl::open(options) + ", clsort " + clsort_version();
    }
    std::string how() const override
    {
        return clsort_algorithm_name(plan_.algorithm);
    }

  private:
    std::string begin_sort(const versus_type &type, const versus_input &input) override;
    void sort(cl_command_queue queue) override;
    void end_sort() override;

    clsort_algorithm algorithm_ = CLSORT_AUTO;
    clsort_desc desc_ = {};
    clsort_plan plan_ = {};
    cl_mem scratch_ = nullptr;
};

std::string library::begin_sort(const versus_type &type, const versus_input &input)
{
    desc_ = {};
    desc_.count = input.count;
    desc_.type = type.key;
    desc_.algorithm = algorithm_;
    desc_.value_size = (uint32_t)input.value_size;
    /* In this order: compiling may make a plan a better one. */
    clsort_status status = clsort_prepare(device_->sorter, &desc_);
    if (!status)
        status = clsort_get_plan(device_->sorter, &desc_, &plan_, nullptr, 0);
    if (status)
        return clsort_status_text(status);
    if (plan_.scratch_size > device_->max_alloc)
        return "scratch of more than one buffer may have";
    if (plan_.scratch_size > 0) {
        cl_int code;
        scratch_ =
            clCreateBuffer(device_->context, CL_MEM_READ_WRITE, plan_.scratch_size, nullptr, &code);
        versus_cl(code, "clCreateBuffer");
    }
    return "";
}

void library::sort(cl_command_queue queue)
{
    clsort_buffers buffers = {};
    buffers.keys.mem = keys_;
    buffers.values.mem = values_;
    buffers.scratch.mem = scratch_;
    const clsort_status status =
        clsort_enqueue(device_->sorter, queue, &desc_, &buffers, 0, nullptr, nullptr);
    if (status)
        throw std::runtime_error(std::string("clsort: ") + clsort_status_text(status));
}

void library::end_sort()
{
    if (scratch_)
        clReleaseMemObject(scratch_);
    scratch_ = nullptr;
}

} // namespace

std::unique_ptr<versus_contestant> versus_library(std::shared_ptr<versus_device> &device)
{
    return std::make_unique<library>(device);
}
