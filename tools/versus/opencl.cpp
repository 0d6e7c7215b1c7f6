/* opencl.cpp: device, buffers, input and check of the contestants on OpenCL. */
#include "opencl.hpp"

#include <algorithm>
#include <stdexcept>

static const char source_text[] = {
#include "versus_source.inc"
};

void versus_cl(cl_int code, const char *call)
{
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE)
        throw versus_no_memory("more than the device's memory");
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

cl_mem versus_device::create(size_t size)
{
    if (size == 0)
        return nullptr;
    const cl_uint zero = 0;
    cl_int code;
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &code);
    /* Some drivers get the memory only for a buffer's first command; then it might be gone. */
    if (code == CL_SUCCESS && size >= sizeof zero) {
        code = clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof zero, 0, nullptr,
                                   nullptr);
        if (code == CL_SUCCESS)
            code = clFinish(queue);
        if (code != CL_SUCCESS)
            clReleaseMemObject(buffer);
    }
    if (code == CL_OUT_OF_RESOURCES)
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    versus_cl(code, "clCreateBuffer");
    return buffer;
}

static void release(cl_mem &buffer)
{
    if (buffer)
        clReleaseMemObject(buffer);
    buffer = nullptr;
}

/* A kernel's argument must be a buffer or NULL. */
void versus_device::make_input(const versus_input &input)
{
    versus_cl(clSetKernelArg(fill, 0, sizeof input, &input), "clSetKernelArg");
    versus_cl(clSetKernelArg(fill, 1, sizeof(cl_mem), &source_keys), "clSetKernelArg");
    versus_cl(clSetKernelArg(fill, 2, sizeof(cl_mem),
                             source_values ? &source_values : &source_keys),
              "clSetKernelArg");
    versus_cl(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &num_items, nullptr, 0, nullptr,
                                     nullptr),
              "clEnqueueNDRangeKernel");
    versus_cl(clFinish(queue), "clFinish");
}

std::string versus_device::begin(const versus_input &input)
{
    const size_t keys_size = input.count * input.key_size;
    const size_t values_size = input.count * input.value_size;
    if (num_users_++ > 0)
        return "";
    if (std::max(keys_size, values_size) > max_alloc)
        return "more than one buffer may have";
    /* The input, the sort's own copy of it, and about another of scratch. */
    if (3 * (keys_size + values_size) > memory)
        return "more than the device's memory";
    source_keys = create(keys_size);
    source_values = create(values_size);
    keys = create(keys_size);
    values = create(values_size);
    make_input(input);
    sums = create(num_items * sizeof(versus_sums));
    return "";
}

void versus_device::end()
{
    if (--num_users_ > 0)
        return;
    for (cl_mem *buffer : {&source_keys, &source_values, &keys, &values, &sums, &scratch})
        release(*buffer);
    scratch_size = 0;
}

void versus_device::reserve_scratch(size_t size)
{
    if (size <= scratch_size)
        return;
    release(scratch);
    try {
        scratch = create(size);
    } catch (const versus_no_memory &) {
        scratch = create(scratch_size);
        throw;
    }
    scratch_size = size;
}

std::string versus_on_opencl::begin(const versus_type &type, const versus_input &input)
{
    input_ = input;
    is_begun_ = true;
    const std::string reason = device_->begin(input);
    return reason.empty() ? begin_sort(type, input) : reason;
}

versus_sums versus_on_opencl::look(cl_mem keys, cl_mem values)
{
    const cl_kernel kernel = device_->look;
    versus_cl(clSetKernelArg(kernel, 0, sizeof input_, &input_), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 1, sizeof(cl_mem), &keys), "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 2, sizeof(cl_mem), values ? &values : &keys),
              "clSetKernelArg");
    versus_cl(clSetKernelArg(kernel, 3, sizeof(cl_mem), &device_->sums), "clSetKernelArg");
    versus_cl(clEnqueueNDRangeKernel(device_->queue, kernel, 1, nullptr, &device_->num_items,
                                     nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
    std::vector<versus_sums> parts(device_->num_items);
    versus_cl(clEnqueueReadBuffer(device_->queue, device_->sums, CL_TRUE, 0,
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
    return look(device_->source_keys, device_->source_values);
}

versus_sums versus_on_opencl::result()
{
    return look(device_->keys, device_->values);
}

void versus_on_opencl::refresh(cl_command_queue queue)
{
    versus_cl(clEnqueueCopyBuffer(queue, device_->source_keys, device_->keys, 0, 0,
                                  input_.count * input_.key_size, 0, nullptr, nullptr),
              "clEnqueueCopyBuffer");
    if (device_->values)
        versus_cl(clEnqueueCopyBuffer(queue, device_->source_values, device_->values, 0, 0,
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
    const cl_event before = mark(queue, device_->sums);
    sort(queue);
    const cl_event after = mark(queue, device_->sums);
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
    if (is_begun_)
        device_->end();
    is_begun_ = false;
}
