/* opencl.hpp: what the library and other contestants on OpenCL share: the device, the buffers, the
 * input and the check. */
#ifndef VERSUS_OPENCL_HPP
#define VERSUS_OPENCL_HPP

#include "versus.hpp"

/* Throws with the call and the code unless it is CL_SUCCESS; versus_no_memory where that is it. */
void versus_cl(cl_int code, const char *call);

/* The device that the library chooses, with its own context; made once. The buffers are all
 * contestants', since only one sorts at a time. */
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

    cl_mem source_keys = nullptr;
    cl_mem source_values = nullptr;
    cl_mem keys = nullptr;
    cl_mem values = nullptr;
    cl_mem sums = nullptr;
    cl_mem scratch = nullptr;
    size_t scratch_size = 0;

    explicit versus_device(const std::string &selection);
    ~versus_device();
    versus_device(const versus_device &) = delete;
    versus_device &operator=(const versus_device &) = delete;

    /* For each contestant, and as often end(), whatever begin() has said or thrown. The first one's
     * makes the input. "", or why this cannot be sorted here. */
    std::string begin(const versus_input &input);
    void end();

    /* Before the first sort: makes the scratch at least as large. */
    void reserve_scratch(size_t size);

  private:
    cl_mem create(size_t size);
    void make_input(const versus_input &input);

    int num_users_ = 0;
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
    /* "", or why it cannot sort this. */
    virtual std::string begin_sort(const versus_type &type, const versus_input &input) = 0;
    /* Enqueues the sort of the device's keys and values on an in-order queue. */
    virtual void sort(cl_command_queue queue) = 0;

    std::shared_ptr<versus_device> &device_; /* the first to be opened makes it */
    versus_input input_ = {};

  private:
    versus_sums look(cl_mem keys, cl_mem values);
    void refresh(cl_command_queue queue);

    bool is_begun_ = false;
};

#endif
