/* device.h: the device that the tool works on, by the library's public functions, and what sorts
 * without one. */
#ifndef CLSORT_TOOL_DEVICE_H
#define CLSORT_TOOL_DEVICE_H

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device_facts {
    char name[256];
    char platform[256];
    char driver[256];
    char version[256]; /* of OpenCL */
    const char *kind;  /* "GPU", "CPU", ... */
    cl_uint compute_units;
    cl_ulong memory;
    cl_ulong max_alloc;
    cl_ulong local_memory;
    bool is_unified; /* device and host share memory */
};

struct device {
    clsort_sorter *sorter;
    cl_device_id id;
    cl_context context; /* the sorter's */
    struct device_facts facts;
    uint64_t driver_size; /* bytes of the host that opening it took */
    uint64_t host_size;   /* and that -S counts besides arrays: device_limit_host() */
};

/* A fact that is a number; one that the device does not tell stays as it was. */
#define GET_INFO(id, what, to) clGetDeviceInfo((id), CL_DEVICE_##what, sizeof(to), &(to), NULL)
void device_get_facts(cl_device_id id, struct device_facts *facts);

/* Whether the process's limits leave a driver enough; a message says if not. */
bool device_has_room(void);

/* Finds a device by the library's rule and makes a sorter for it. On failure, also if
 * the process's limits leave a driver too little, prints a message and holds nothing. */
bool device_open(struct device *device, const char *selection);

/* Has as many threads copy between host and device as an eighth of the memory has room for what
 * they copy through, one at least, and counts that, at most that eighth. None copy where the device
 * shares the host's memory. If the memory is 64 MiB or more, what the driver takes beyond 32 MiB
 * counts, too, up to half of the memory. */
void device_limit_host(struct device *device, uint64_t memory);

/* What of that memory a driver that is not loaded yet will probably leave for arrays. */
uint64_t device_leaves(uint64_t memory);

/* Whether the calling thread sorts such arrays without a device: the library does, and no device is
 * asked for, by `selection`, CLSORT_DEVICE or CLSORT_TUNING. */
bool device_is_needless(const clsort_desc *desc, const char *selection);

/* Whether there is one for device_open() without a selection, for a sort within that much memory of
 * the host: none is looked for if a driver would take all of it, or if the process's limits leave a
 * driver too little. No message is printed. */
bool device_exists(uint64_t memory);

/* Whether host_sort() has to sort such arrays: no device is asked for, nor an algorithm of one, and
 * there is none. */
bool device_is_absent(const clsort_desc *desc, const char *selection, uint64_t memory);

/* host_sort.c: arrays of any size without a device: the library's calling threads sort parts, which
 * are then merged. */

/* clsort_sort() of numbers, or of records by one field, in place or as indices. They may have
 * values and lie in segments. Equal keys keep their order. */
void host_sort(const clsort_desc *desc, const clsort_arrays *arrays);

/* Whether there is memory for that; it may be gone when it is needed. */
bool host_sort_has_memory(const clsort_desc *desc);

/* Bytes of memory that this takes beside the arrays. Up to 32 MiB come on top. */
uint64_t host_sort_cost(const clsort_desc *desc);

/* Whether a sort fits into the device: arrays of `size` bytes in all, the largest of `largest`, and
 * what the library sorts them in. *host_ret becomes what that takes of the host's memory besides
 * the arrays. A tenth of the device's memory is left to others. */
bool device_fits(const struct device *device, const clsort_desc *desc, uint64_t size,
                 uint64_t largest, uint64_t *host_ret);

/* clsort_sort() by the device's sorter, or host_sort() if there is none. */
void device_sort_arrays(const struct device *device, const clsort_desc *desc,
                        const clsort_arrays *arrays);

/* Fine for one that is zero. */
void device_close(struct device *device);

/* Whether a call of the library has done its work. Prints what failed if not, with the details that
 * the sorter keeps (sorter may be NULL). The second one dies then. */
bool device_succeeded(clsort_status status, clsort_sorter *sorter);
void device_check(clsort_status status, clsort_sorter *sorter);

/* Prints what failed of OpenCL. */
void message_of_opencl(const char *call, cl_int code);

#endif
