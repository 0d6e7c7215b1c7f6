/* opencl.cpp: device, buffers, input and check of the contestants on OpenCL. */
#include "opencl.hpp"

#include <algorithm>
#include <stdexcept>

static const char source_text[] = {
#include "versus_source.inc"
};

void versus_cl(cl_int code, const char *call)
{
    if (code != CL_SUCCESS)
        throw std::runtime_error(std::string(call) + " failed (" + std::to_string(code) + ")");
}

static std::string text_of(cl_device_id id, cl_device_info what)
{
    size_t size = 0;
    versus_cl(clGetDeviceInfo(id, what, 0, nullptr, &size), "clGetDeviceInfo");
    std::string text(size, '\0');
    versus_cl(clGetDeviceInfo(id, what, size, &text[0], nullptr), "clGetDeviceInfo");
    return text.c_str();
}

versus_device::versus_device(const std::string &selection)
{
    cl_int code = CL_SUCCESS;
    clsort_status status = clsort_find_device(selection.empty() ? nullptr : selection.c_str(), &id);
    if (!status) {
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
        versus_cl(code, "clCreateContext");
        status = clsort_create(context, id, &sorter);
    }
    if (status)
        throw std::runtime_error(clsort_status_text(status));
    queue = clCreateCommandQueue(context, id, 0, &code);
    versus_cl(code, "clCreateCommandQueue");
    profiling_queue = clCreateCommandQueue(context, id, CL_QUEUE_PROFILING_ENABLE, &code);
    versus_cl(code, "clCreateCommandQueue");

    const char *texts[] = {source_text};
    const cl_program program = clCreateProgramWithSource(context, 1, texts, nullptr, &code);
    versus_cl(code, "clCreateProgramWithSource");
    versus_cl(clBuildProgram(program, 1, &id, "-cl-std=CL1.2", nullptr, nullptr), "clBuildProgram");
    fill = clCreateKernel(program, "fill", &code);
    versus_cl(code, "clCreateKernel");
    look = clCreateKernel(program, "look", &code);
    versus_cl(code, "clCreateKernel");
    clReleaseProgram(program);

    cl_device_type kind = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof kind, &kind, nullptr);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max_alloc, &max_alloc, nullptr);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr);
    num_items = kind & CL_DEVICE_TYPE_CPU ? 1024 : 1 << 18;
    text = text_of(id, CL_DEVICE_NAME) + ", driver " + text_of(id, CL_DRIVER_VERSION);
}

versus_device::~versus_device()
{
    for (const cl_kernel kernel : {fill, look}) {
        if (kernel)
            clReleaseKernel(kernel);
    }
    for (const cl_command_queue one : {queue, profiling_queue}) {
        if (one)
            clReleaseCommandQueue(one);
    }
    clsort_destroy(sorter);
    if (context)
        clReleaseContext(context);
}

std::string versus_on_opencl::open(const versus_options &options)
{
    if (!device_)
        device_ = std::make_shared<versus_device>(options.device);
    return device_->text;
}

static cl_mem create(cl_context context, size_t size)
{
    if (size == 0)
        return nullptr;
    cl_int code;
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &code);
    versus_cl(code, "clCreateBuffer");
    return buffer;
}

static void release(cl_mem &buffer)
{
    if (buffer)
        clReleaseMemObject(buffer);
    buffer = nullptr;
}

std::string versus_on_opencl::begin(const versus_type &type, const versus_input &input)
{
    const size_t keys_size = input.count * input.bits / 8;
    const size_t values_size = input.count * input.value_size;
    input_ = input;
    if (std::max(keys_size, values_size) > device_->max_alloc)
        return "more than one buffer may have";
    /* The input, the sort's own copy of it, and about another of scratch. */
    if (3 * (keys_size + values_size) > device_->memory)
        return "more than the device's memory";
    source_keys_ = create(device_->context, keys_size);
    source_values_ = create(device_->context, values_size);
    keys_ = create(device_->context, keys_size);
    values_ = create(device_->context, values_size);
    sums_ = create(device_->context, device_->num_items * sizeof(versus_sums));

    /* A kernel's argument must be a buffer or NULL. */
    const cl_kernel kernel = device_->fill;
    versus_cl(clSetKernelArg(kernel, 0, sizeof input_, &input_), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 1, sizeof(cl_mem), &source_keys_), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 2, sizeof(cl_mem),
                             source_values_ ? &source_values_ : &source_keys_),
              "clSetKernelArg");
    versus_cl(clEnqueueNDRangeKernel(device_->queue, kernel, 1, nullptr, &device_->num_items,
                                     nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
    versus_cl(clFinish(device_->queue), "clFinish");
    return begin_sort(type, input);
}

versus_sums versus_on_opencl::look(cl_mem keys, cl_mem values)
{
    const cl_kernel kernel = device_->look;
    versus_cl(clSetKernelArg(kernel, 0, sizeof input_, &input_), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 1, sizeof(cl_mem), &keys), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 2, sizeof(cl_mem), values ? &values : &keys),
              "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 3, sizeof(cl_mem), &sums_), "clSetKernelArg");
    versus_cl(clEnqueueNDRangeKernel(device_->queue, kernel, 1, nullptr, &device_->num_items,
                                     nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
    std::vector<versus_sums> parts(device_->num_items);
    versus_cl(clEnqueueReadBuffer(device_->queue, sums_, CL_TRUE, 0,
                                  parts.size() * sizeof(versus_sums), parts.data(), 0, nullptr,
                                  nullptr),
              "clEnqueueReadBuffer");
    versus_sums sums = {};
    for (const versus_sums &part : parts) {
        sums.disorders += part.disorders;
        sums.hash += part.hash;
        sums.placed += part.placed;
    }
    return sums;
}

versus_sums versus_on_opencl::source()
{
    return look(source_keys_, source_values_);
}

versus_sums versus_on_opencl::result()
{
    return look(keys_, values_);
}

void versus_on_opencl::refresh(cl_command_queue queue)
{
    versus_cl(clEnqueueCopyBuffer(queue, source_keys_, keys_, 0, 0, input_.count * input_.bits / 8,
                                  0, nullptr, nullptr),
              "clEnqueueCopyBuffer");
    if (values_)
        versus_cl(clEnqueueCopyBuffer(queue, source_values_, values_, 0, 0,
                                      input_.count * input_.value_size, 0, nullptr, nullptr),
                  "clEnqueueCopyBuffer");
    versus_cl(clFinish(queue), "clFinish");
}

/* A command of its own before and after the sort: the time between is the sort's, with the gaps
 * between its commands. */
static cl_event mark(cl_command_queue queue, cl_mem buffer)
{
    const cl_uint zero = 0;
    cl_event event;
    versus_cl(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof zero, 0, nullptr,
                                  &event),
              "clEnqueueFillBuffer");
    return event;
}

/* Once on a plain queue for the host's time, once on a profiling queue for the device's. */
versus_times versus_on_opencl::run()
{
    versus_times times;
    refresh(device_->queue);
    const double start = versus_now();
    sort(device_->queue);
    versus_cl(clFinish(device_->queue), "clFinish");
    times.host = versus_now() - start;

    const cl_command_queue queue = device_->profiling_queue;
    refresh(queue);
    const cl_event before = mark(queue, sums_);
    sort(queue);
    const cl_event after = mark(queue, sums_);
    versus_cl(clFinish(queue), "clFinish");
    cl_ulong first = 0, end = 0;
    if (!clGetEventProfilingInfo(before, CL_PROFILING_COMMAND_END, sizeof first, &first, nullptr) &&
        !clGetEventProfilingInfo(after, CL_PROFILING_COMMAND_START, sizeof end, &end, nullptr) &&
        end > first)
        times.device = 1e-9 * (double)(end - first);
    clReleaseEvent(before);
    clReleaseEvent(after);
    return times;
}

void versus_on_opencl::end()
{
    if (sums_)
        end_sort();
    for (cl_mem *buffer : {&source_keys_, &source_values_, &keys_, &values_, &sums_})
        release(*buffer);
}
