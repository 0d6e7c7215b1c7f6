/* opencl.hpp: the library as a contestant, and what others on OpenCL share with it: the device, the
 * buffers, the input and the check. */
#ifndef VERSUS_OPENCL_HPP
#define VERSUS_OPENCL_HPP

#include "versus.hpp"

/* Throws with the call and the code unless it is CL_SUCCESS. */
void versus_cl(cl_int code, const char *call);

/* The device that the library chooses, with its own context; made once. */
struct versus_device {
    clsort_sorter *sorter = nullptr;
    cl_context context = nullptr;
    cl_device_id id = nullptr;
    cl_command_queue queue = nullptr;
    cl_command_queue profiling_queue = nullptr;
    cl_kernel fill = nullptr;
    cl_kernel look = nullptr;
    size_t num_items = 0; /* work-items of these kernels */
    cl_ulong max_alloc = 0;
    cl_ulong memory = 0;
    std::string text;

    explicit versus_device(const std::string &selection);
    ~versus_device();
};

/* A contestant whose sort works in place on OpenCL buffers. */
class versus_on_opencl : public versus_contestant
{
  public:
    explicit versus_on_opencl(std::shared_ptr<versus_device> &device) : device_(device)
    {
    }
    std::string open(const versus_options &options) override;
    std::string begin(const versus_type &type, const versus_input &input) override;
    versus_sums source() override;
    versus_times run() override;
    versus_sums result() override;
    void end() override;

  protected:
    /* "", or why it cannot sort this. Further memory is got here, and taken back by end_sort(). */
    virtual std::string begin_sort(const versus_type &type, const versus_input &input) = 0;
    /* Enqueues the sort of the keys and values on an in-order queue. */
    virtual void sort(cl_command_queue queue) = 0;
    virtual void end_sort()
    {
    }

    std::shared_ptr<versus_device> &device_; /* the first to be opened makes it */
    versus_input input_ = {};
    cl_mem keys_ = nullptr;
    cl_mem values_ = nullptr;

  private:
    versus_sums look(cl_mem keys, cl_mem values);
    void refresh(cl_command_queue queue);

    cl_mem source_keys_ = nullptr;
    cl_mem source_values_ = nullptr;
    cl_mem sums_ = nullptr;
};

std::unique_ptr<versus_contestant> versus_library(std::shared_ptr<versus_device> &device);

#endif
