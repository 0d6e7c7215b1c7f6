/* library.cpp: the library as a contestant, by one algorithm: in place, with scratch that is kept from
 * run to run. */
#include "opencl.hpp"

#include <stdexcept>

namespace
{

class library : public versus_on_opencl
{
  public:
    library(std::shared_ptr<versus_device> &device, clsort_algorithm algorithm)
        : versus_on_opencl(device), algorithm_(algorithm)
    {
    }
    const char *name() const override
    {
        return "clsort";
    }
    std::string open(const versus_options &options) override
    {
        stable_ = options.stable;
        return versus_on_opencl::open(options) + ", clsort " + clsort_version();
    }
    std::string how() const override
    {
        const std::string asked =
            std::string(stable_ ? "stable " : "") + clsort_algorithm_name(algorithm_);
        return algorithm_ == CLSORT_AUTO && plan_.algorithm != CLSORT_AUTO
                   ? asked + ":" + clsort_algorithm_name(plan_.algorithm)
                   : asked;
    }

  private:
    std::string begin_sort(const versus_type &type, const versus_input &input) override;
    void sort(cl_command_queue queue) override;
    std::runtime_error failure(clsort_status status) const;

    clsort_algorithm algorithm_;
    bool stable_ = false;
    clsort_desc desc_ = {};
    clsort_record record_ = {};
    clsort_plan plan_ = {};
};

/* What clsort_last_error() knows of the failure, too. */
std::runtime_error library::failure(clsort_status status) const
{
    clsort_error_info info = {};
    std::string text = std::string("clsort: ") + clsort_status_text(status);
    if (!clsort_last_error(device_->sorter, &info) && info.status == status) {
        if (info.call && *info.call)
            text += std::string("; ") + info.call + ": " + std::to_string(info.cl_code);
        if (info.build_log && *info.build_log)
            text += std::string("\n") + info.build_log;
    }
    return std::runtime_error(text);
}

/* input.h's record in both forms. */
const clsort_field fields[] = {{0, CLSORT_U32, CLSORT_ASCENDING},
                               {4, CLSORT_I32, CLSORT_ASCENDING}};

clsort_record record_of(versus_form form)
{
    clsort_record record = {};
    record.size = VERSUS_RECORD_SIZE;
    if (form == VERSUS_BY_FIELDS) {
        record.num_fields = 2;
        record.fields = fields;
    } else {
        record.declarations = "typedef struct { uint first; int second; uint rest[2]; } item;";
        record.type = "item";
        record.less = "a.first < b.first || (a.first == b.first && a.second < b.second)";
    }
    return record;
}

std::string library::begin_sort(const versus_type &type, const versus_input &input)
{
    desc_ = {};
    plan_ = {};
    desc_.count = input.count;
    desc_.algorithm = algorithm_;
    desc_.stable = stable_;
    desc_.value_size = (uint32_t)input.value_size;
    if (type.form == VERSUS_NUMBERS) {
        desc_.type = type.key;
    } else {
        record_ = record_of(type.form);
        desc_.record = &record_;
    }
    /* In this order: compiling may make a plan a better one. */
    clsort_status status = clsort_prepare(device_->sorter, &desc_);
    if (!status)
        status = clsort_get_plan(device_->sorter, &desc_, &plan_, nullptr, 0);
    if (status == CLSORT_ERROR_BUILD || status == CLSORT_ERROR_OPENCL)
        throw failure(status);
    if (status)
        return clsort_status_text(status);
    if (plan_.scratch_size > device_->max_alloc)
        return "scratch of more than one buffer may have";
    device_->reserve_scratch(plan_.scratch_size);
    return "";
}

void library::sort(cl_command_queue queue)
{
    clsort_buffers buffers = {};
    buffers.keys.mem = device_->keys;
    buffers.values.mem = device_->values;
    buffers.scratch.mem = plan_.scratch_size > 0 ? device_->scratch : nullptr;
    const clsort_status status =
        clsort_enqueue(device_->sorter, queue, &desc_, &buffers, 0, nullptr, nullptr);
    if (status == CLSORT_ERROR_DEVICE_MEMORY)
        throw versus_no_memory(clsort_status_text(status));
    if (status)
        throw failure(status);
}

} // namespace

std::unique_ptr<versus_contestant> versus_library(std::shared_ptr<versus_device> &device,
                                                  clsort_algorithm algorithm)
{
    return std::make_unique<library>(device, algorithm);
}
