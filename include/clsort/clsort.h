/* clsort: sorting arrays of numbers on any OpenCL device.
 *
 * Usage, an array on the device, on the caller's queue:
 *
 *     clsort_sorter *sorter = NULL;
 *     clsort_status status = clsort_create(context, device, &sorter);
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.type = CLSORT_F32;
 *     clsort_buffers buffers = CLSORT_ZERO;
 *     buffers.keys.mem = keys;
 *     if (!status)
 *         status = clsort_enqueue(sorter, queue, &desc, &buffers, 0, NULL, &event);
 *     if (status)
 *         fprintf(stderr, "%s\n", clsort_status_text(status));
 *     clsort_destroy(sorter);
 *
 * and an array on the host, on the best device found, or by the calling thread where it is small:
 *
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.type = CLSORT_F32;
 *     clsort_arrays arrays = CLSORT_ZERO;
 *     arrays.keys = array;
 *     clsort_status status = clsort_sort(NULL, &desc, &arrays);
 *     if (status)
 *         fprintf(stderr, "%s\n", clsort_status_text(status));
 *
 * Keys may be records (clsort_record) and strings of bytes (clsort_strings) as well.
 *
 * Every struct here may be zero-initialised, and zero means the common case: u32 keys, ascending,
 * keys alone, in place, one array, all bits, the library's choice of algorithm, its own scratch.
 * CLSORT_ZERO does that in C and in C++. Designated initialisers are shorter, in C and, in the members'
 * order, in C++20: {.count = n, .type = CLSORT_F32}. There GCC's -Wextra warns of the members left out.
 *
 * Order. Integers by value. Floats: -inf ... -0.0 < +0.0 ... +inf < every NaN, whatever its sign:
 * NaNs come last ascending and first descending. Among NaNs the positive ones come first, by rising
 * bits, then the negative ones, by falling bits. Every key keeps its bits. The order is total (no two
 * different bit patterns are equal) and it is the same for every algorithm, device and route.
 * Descending is the exact reverse of that order, except that stability, where it is asked for,
 * still keeps equal keys in input order.
 *
 * Stability. Set clsort_desc.stable to keep equal keys in input order. Rank sort and merge sort are always
 * stable; radix sort is too, except with values on GPUs, where it is faster without. The bitonic network and
 * quicksort are not; if asked, they carry each element's index and compare it where keys are equal (8 more
 * bytes of local memory an element at most, and scratch for the indices). Indices (argsort) and rows of
 * columns are stable always. AUTO chooses among what is asked for; clsort_plan.stable says what came of it.
 *
 * Promises
 * - Nothing global, no static destructor, no output. No thread, unless clsort_set_host_threads() or
 *   clsort_sort_many() asks for threads: these begin and end within a call. Two environment variables:
 *   CLSORT_DEVICE, read when a device is chosen by the library, and CLSORT_TUNING, which names a file
 *   with numbers for the devices (clsort_check_tuning()), read when a sorter is created; and one for
 *   tests, CLSORT_LIMIT. No other file is opened.
 * - Arguments are checked before anything is enqueued: after any status from CLSORT_ERROR_NULL to
 *   CLSORT_ERROR_BUSY every buffer and array is unchanged and nothing was enqueued.
 * - The source of an out-of-place sort and the keys or columns of an argsort are never written.
 * - clsort_enqueue() never waits for the device. It allocates device memory only when scratch is
 *   needed and the caller gives none, and then keeps that for the next sort.
 * - The same input gives the same output bit for bit where the sort is stable or is of numbers alone;
 *   otherwise elements that are equal, in the bits or fields that are sorted by, may come in another
 *   order from run to run.
 * - Every loop on the device is bounded, and no work-group waits for one that may not be running for more
 *   than some milliseconds. On NVIDIA's GPUs arrays up to some 2^20 elements are sorted by work-groups that
 *   wait for all the others to begin; if they do not, because other work has the device, the one that ends
 *   last sorts all by itself: slower, never wrong (CLSORT_TUNING with "whole groups_per_unit=0" turns it
 *   off). Radix sort's work-groups poll for their predecessors' counts and recompute any that do not arrive.
 *
 * Not promised
 * - That one sorter may be used by two threads at once. The second call is refused with
 *   CLSORT_ERROR_BUSY and changes nothing; a sorter a thread is the way. Different sorters, also of
 *   one context, are independent.
 * - Anything after fork() in the child: OpenCL implementations do not survive it.
 * - What output buffers hold after a status later than CLSORT_ERROR_BUSY: unspecified. What had
 *   been enqueued before the failure still runs; no event is returned. Where the device has memory of its
 *   own, arrays in place of a clsort_sort() are as they were if it fails before the result comes back; those larger
 *   than the device hold all of their elements in some order, each with its value, whenever it fails.
 * - Scratch keeps copies of the data after the sort. Run time depends on the data.
 * - Until 1.0 a minor version may change this interface (the SONAME changes with it).
 *
 * Limits, and why
 * - Strings are fewer than 2^32, since a work-item counts those that begin alike in 32 bits.
 * - count * num_arrays, times num_columns if there are any, is below 2^48 elements and any buffer below
 *   2^62 bytes, so that no offset and no sum over a plan overflows 64 bits.
 * - Rank sort takes at most 2^20 keys an array and 2^41 compares in all: it does count^2 of them,
 *   and GPU drivers stop kernels that run for seconds.
 * - The library's own scratch is bound by CL_DEVICE_MAX_MEM_ALLOC_SIZE, and so are strings of the host; other host
 *   arrays may be larger, and buffers of the caller are taken as they are.
 * - Devices must be little-endian and have an online compiler (OpenCL 1.2 FULL_PROFILE).
 */
#ifndef CLSORT_CLSORT_H
#define CLSORT_CLSORT_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300 /* OpenCL's headers take the same, with a message */
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#define CLSORT_VERSION_MAJOR 0
#define CLSORT_VERSION_MINOR 1
#define CLSORT_VERSION_PATCH 0

#if defined(_WIN32) && defined(CLSORT_SHARED)
#ifdef CLSORT_BUILDING
#define CLSORT_API __declspec(dllexport)
#else
#define CLSORT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLSORT_API __attribute__((visibility("default")))
#else
#define CLSORT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/* Makes all members of a struct zero, in C and in C++: clsort_desc desc = CLSORT_ZERO; */
#ifdef __cplusplus
#define CLSORT_ZERO {}
#else
#define CLSORT_ZERO {0}
#endif

/* Key types: X(enumerator, name, bits, kind, bits of the mantissa). Raw little-endian bits are
 * sorted, so f16, bf16 and f64 need no support by the device. */
#define CLSORT_TYPE_LIST(X)          \
    X(U32,  "u32",  32, UNSIGNED, 0) \
    X(U64,  "u64",  64, UNSIGNED, 0) \
    X(I32,  "i32",  32, SIGNED,   0) \
    X(I64,  "i64",  64, SIGNED,   0) \
    X(F32,  "f32",  32, FLOAT,   23) \
    X(F64,  "f64",  64, FLOAT,   52) \
    X(U8,   "u8",    8, UNSIGNED, 0) \
    X(U16,  "u16",  16, UNSIGNED, 0) \
    X(I8,   "i8",    8, SIGNED,   0) \
    X(I16,  "i16",  16, SIGNED,   0) \
    X(F16,  "f16",  16, FLOAT,   10) \
    X(BF16, "bf16", 16, FLOAT,    7)

/* Algorithms: X(enumerator, name, what it is). */
#define CLSORT_ALGORITHM_LIST(X)                                                       \
    X(AUTO,    "auto",    "the fastest that honours the description, for this device") \
    X(RANK,    "rank",    "each key counts those before it; stable; count^2 compares") \
    X(BITONIC, "bitonic", "sorting network; n*log2(n)^2 compares; no scratch for keys") \
    X(RADIX,   "radix",   "digit by digit; stable if asked; scratch of one copy, of a few for short types") \
    X(MERGE,   "merge",   "merge sort; stable; n*log2(n) compares; also of records; scratch of one copy") \
    X(QUICK,   "quick",   "partition quicksort by many pivots; stable if asked; also of records")

/* Status codes: X(enumerator, sentence). The order is part of the interface: up to BUSY nothing
 * was enqueued and nothing changed. */
#define CLSORT_STATUS_LIST(X)                                                                                 \
    X(OK,                         "done")                                                                     \
    X(ERROR_NULL,                 "a pointer that must be given is NULL")                                     \
    X(ERROR_TYPE,                 "the key type is unknown")                                                  \
    X(ERROR_ORDER,                "the order is neither ascending nor descending")                            \
    X(ERROR_ALGORITHM,            "the algorithm is unknown")                                                 \
    X(ERROR_RESERVED,             "a reserved field is not zero")                                             \
    X(ERROR_RECORD,               "the description of the records contradicts itself (see clsort_record)")    \
    X(ERROR_ALGORITHM_RECORD,     "merge sort and quicksort sort records, radix sort those that have fields, others none") \
    X(ERROR_COLUMNS,              "the description of the columns contradicts itself (see clsort_column)")    \
    X(ERROR_STRINGS,              "the description of the strings contradicts itself (see clsort_strings)")   \
    X(ERROR_BIT_RANGE,            "the bit range is empty or ends above the key's bits")                      \
    X(ERROR_INDEX_SIZE,           "the index size is not 0, 4 or 8, or 4 bytes cannot number this many keys") \
    X(ERROR_INDEX_AND_VALUES,     "indices and values cannot be asked for in one sort")                       \
    X(ERROR_INDEX_OUT_OF_PLACE,   "a sort of keys to indices leaves them alone, so it has no out-of-place form")  \
    X(ERROR_COUNT,                "the count is too large: its size in bytes would overflow")                 \
    X(ERROR_ALGORITHM_COUNT,      "the algorithm does not take this many keys (rank sort: 2^20 an array, 2^41 compares; quicksort: below 2^32)") \
    X(ERROR_BUFFER_MISSING,       "a buffer or array that the description needs is not given")                \
    X(ERROR_BUFFER_UNEXPECTED,    "a buffer or array is given that the description has no use for")           \
    X(ERROR_BUFFER_INVALID,       "a buffer is not a valid OpenCL memory object, or memory is not from clsort_host_alloc()") \
    X(ERROR_BUFFER_TOO_SMALL,     "a buffer ends before its last element")                                    \
    X(ERROR_BUFFER_MISALIGNED,    "a buffer's offset is not a multiple of its element's alignment")           \
    X(ERROR_BUFFER_OVERLAP,       "two buffers of one sort overlap")                                          \
    X(ERROR_BUFFER_ACCESS,        "a buffer was created without the access that the sort needs")              \
    X(ERROR_SCRATCH_TOO_SMALL,    "the scratch buffer is smaller than clsort_scratch_size() says")            \
    X(ERROR_WRONG_CONTEXT,        "a queue, device or buffer belongs to another context than the sorter")     \
    X(ERROR_WRONG_DEVICE,         "the queue is of another device than the sorter")                           \
    X(ERROR_QUEUE_INVALID,        "the queue is not a valid OpenCL command queue")                            \
    X(ERROR_WAIT_LIST,            "the wait list and its length do not fit together")                         \
    X(ERROR_NO_PLATFORM,          "no OpenCL platform is installed; install a driver package, such as pocl-opencl-icd for CPUs") \
    X(ERROR_NO_DEVICE,            "no OpenCL platform offers a device; PoCL needs a writable home directory, or "     \
                                  "POCL_CACHE_DIR set to one that it can write to, a GPU its driver package")         \
    X(ERROR_DEVICE_NOT_FOUND,     "no device has the index or the name asked for (see CLSORT_DEVICE)")        \
    X(ERROR_DEVICE_UNSUPPORTED,   "the device has no compiler, is older than OpenCL 1.2 or is big-endian")    \
    X(ERROR_TUNING,               "the tuning file is wrong or cannot be read; clsort_check_tuning() says where") \
    X(ERROR_NO_TIMING,            "there are no times: timing is off, nothing was sorted, or the queue has no profiling") \
    X(ERROR_BUSY,                 "the sorter is in use, by another thread or a second time in one call")     \
    X(ERROR_HOST_MEMORY,          "out of host memory")                                                       \
    X(ERROR_DEVICE_MEMORY,        "out of device memory")                                                     \
    X(ERROR_BUILD,                "a kernel did not compile; clsort_last_error() has the build log")          \
    X(ERROR_OPENCL,               "an OpenCL call failed; clsort_last_error() has its name and code")         \
    X(ERROR_STREAM,               "a stream of the caller's failed: its copy() did not return 0")

/* clang-format on */

#define CLSORT_TYPE_ENUM(name, text, bits, kind, mantissa) CLSORT_##name,
#define CLSORT_PAIR_ENUM(name, text, about) CLSORT_##name,
#define CLSORT_STATUS_ENUM(name, text) CLSORT_##name,

typedef enum clsort_type { CLSORT_TYPE_LIST(CLSORT_TYPE_ENUM) CLSORT_NUM_TYPES } clsort_type;
typedef enum clsort_algorithm {
    CLSORT_ALGORITHM_LIST(CLSORT_PAIR_ENUM) CLSORT_NUM_ALGORITHMS
} clsort_algorithm;
typedef enum clsort_status {
    CLSORT_STATUS_LIST(CLSORT_STATUS_ENUM) CLSORT_NUM_STATUSES
} clsort_status;
typedef enum clsort_order { CLSORT_ASCENDING, CLSORT_DESCENDING } clsort_order;

#undef CLSORT_TYPE_ENUM
#undef CLSORT_PAIR_ENUM
#undef CLSORT_STATUS_ENUM

/* A field of a record that it is sorted by. */
typedef struct clsort_field {
    uint32_t offset; /* bytes from the record's beginning; any */
    clsort_type type;
    clsort_order order;
} clsort_field;

/* Keys that are no numbers but records (structs) of any size up to 256 bytes. They are ordered by up to
 * 16 fields, the first deciding first:
 *
 *     struct person { uint32_t id; float score; };
 *     const clsort_field fields[] = {{offsetof(struct person, score), CLSORT_F32, CLSORT_DESCENDING},
 *                                    {offsetof(struct person, id), CLSORT_U32, CLSORT_ASCENDING}};
 *     clsort_record record = CLSORT_ZERO;
 *     record.size = sizeof(struct person);
 *     record.num_fields = 2;
 *     record.fields = fields;
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.record = &record;
 *
 * or by a comparison in OpenCL C, of a type that the text declares: an expression of the records a
 * and b that is true where a comes before b, or the body of a function that returns it:
 *
 *     clsort_record record = CLSORT_ZERO;
 *     record.size = 8;
 *     record.declarations = "typedef struct { int x, y; } point;";
 *     record.type = "point";
 *     record.less = "a.x * a.y < b.x * b.y";
 *
 * Merge sort and quicksort sort both; radix sort those with fields, as numbers made of these. AUTO takes
 * the fastest: not the stable ones alone, unless that is asked for. CPUs merge records where QUICK is asked for, and the
 * plan says so: compiling quicksort of them takes two to four times as long.
 *
 * Where a comparison has several "||" and "&&", "|" and "&" may be faster: compilers make branches of the others.
 * The type's size must be the size said here, and its alignment at most 16 bytes; else ERROR_BUILD. A text
 * is compiled into the library's kernels as it is: it can do whatever a kernel can, and some OpenCL compilers
 * even open files that it #includes, so it must come from whom the program trusts. Mistakes in it
 * are ERROR_BUILD, with the compiler's message and the lines of "declarations", "type", "less" and
 * "less_body" counted as the caller wrote them. A comparison that is no order (it says both that a
 * comes before b and b before a, say) gives some permutation of the records. */
typedef struct clsort_record {
    uint32_t size;              /* bytes, 1 to 256 */
    uint32_t num_fields;        /* 1 to 16, or 0 with a text */
    const clsort_field *fields; /* need not live longer than the call, nor the texts */
    const char *declarations;   /* OpenCL C, NULL for none */
    const char *type;           /* of a record: a name */
    const char *less;           /* an expression of a and b, or */
    const char *less_body;      /* statements that end in a return */
    uint32_t reserved[4];       /* must be 0 */
} clsort_record;

/* Keys that are strings of any length: bytes one behind another, and offsets that say where each one
 * begins, count + 1 of them, so that string i is bytes offsets[i] up to, not including, offsets[i + 1]:
 *
 *     clsort_strings strings = CLSORT_ZERO;
 *     strings.num_bytes = size;
 *     strings.offset_size = 4;
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.strings = &strings;
 *     desc.index_size = 4;
 *     clsort_buffers buffers = CLSORT_ZERO;
 *     buffers.keys.mem = bytes;
 *     buffers.offsets.mem = offsets;
 *     buffers.indices.mem = indices;
 *
 * or strings of the same width each, without offsets: {.num_bytes = n * 20, .width = 20}.
 *
 * Order: by unsigned bytes, and a string comes before a longer one that it begins; zero bytes are
 * bytes like others. The tail, the last tail_size bytes of every string, moves with it and is not
 * compared: 1 for lines that end in a line feed, and for strings that end in a zero byte. The sort is
 * stable.
 *
 * The result is the order as indices (index_size), or the strings rearranged (out_of_place): bytes in
 * keys_out, without gaps from its beginning on, and their offsets in offsets_out; or both. The strings
 * themselves are never written. type, bits, value_size, num_arrays, record and columns must be 0, and
 * algorithm AUTO or RADIX: numbers made of what tells the strings apart are sorted by radix sort, and
 * those that are equal so far are told apart by the rest.
 *
 * Offsets lie on the device, so they are not checked before the sort, but no bytes outside of
 * num_bytes are touched whatever they say: an offset above num_bytes counts as num_bytes, and a string
 * that ends before it begins as empty. Where strings overlap, what they are in bytes_out is cut
 * at num_bytes, and offsets of 4 bytes stop at 2^32 - 1. Time grows with the bytes that must be read to tell
 * the strings apart. */
typedef struct clsort_strings {
    uint64_t num_bytes;   /* in the bytes' buffer, keys, from its offset on; and room in keys_out */
    uint32_t offset_size; /* 4 or 8: offsets are u32 or u64; 0: strings of one width */
    uint32_t width;       /* bytes of every string, its tail included, where offset_size is 0 */
    uint32_t tail_size;
    uint32_t reserved[5]; /* must be 0 */
} clsort_strings;

/* A column that rows are sorted by. A row is what lies at one place of up to 16 arrays of numbers, the
 * columns, each with its own type and direction, the first one deciding first:
 *
 *     const clsort_column columns[] = {{CLSORT_U8, CLSORT_ASCENDING}, {CLSORT_F32, CLSORT_DESCENDING}};
 *     const clsort_buffer places[] = {{country, 0}, {score, 0}};
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.num_columns = 2;
 *     desc.columns = columns;
 *     desc.index_size = 4;
 *     clsort_buffers buffers = CLSORT_ZERO;
 *     buffers.columns = places;
 *     buffers.indices.mem = order;
 *
 * This writes the order of the rows as indices, and the columns stay as they are. With out_of_place
 * besides, the columns are also written to columns_out, in that order. Without index_size they are
 * put in order themselves, in place or out of place, and values with them.
 *
 * The sort is stable. Columns that follow each other are sorted by at once where their types have at
 * most 64 bits together; each further number of 64 bits that they fill is one sort more. Scratch is such
 * a number and an index a row, and what sorting these takes. */
typedef struct clsort_column {
    clsort_type type;
    clsort_order order;
} clsort_column;

/* What to sort. The members stand in groups: how many, what the keys are, their order, what moves.
 * Designated initialisers must follow this order in C++20. Members of later versions have their places:
 * num_segments and offset_size behind num_arrays; num_values and value_sizes behind value_size; skip,
 * limit, operation, first_count and num_queries before reserved. */
typedef struct clsort_desc {
    uint64_t count;                /* keys in each array; 0 and 1 are fine */
    uint64_t num_arrays;           /* arrays of count keys, one behind another; 0 means 1 */
    clsort_type type;              /* of the keys */
    const clsort_record *record;   /* the keys are such records: type and bits must be 0;
                                      NULL: numbers */
    const clsort_strings *strings; /* the keys are such strings; NULL: they are not */
    uint32_t num_columns;          /* rows of 1 to 16 columns: type, bits and record must be 0; */
    const clsort_column *columns;  /* order descending turns every column round; 0, NULL: none */
    clsort_order order;
    uint32_t first_bit;         /* sort by the bits first_bit up to, not including, end_bit of */
    uint32_t end_bit;           /* the key's ordered form (below); both 0: by all bits */
    clsort_algorithm algorithm; /* AUTO, or one by name */
    uint32_t stable;            /* nonzero: equal keys keep their input order */
    uint32_t value_size;        /* bytes of the value that moves with each key; 0: keys alone */
    uint32_t index_size;        /* 4 or 8: the keys stay, their order is written as u32 or u64
                                   indices, counted from 0 in each array; 0: no indices */
    uint32_t out_of_place;      /* nonzero: from keys to keys_out, the source is kept */
    uint32_t reserved[6];       /* must be 0 */
} clsort_desc;

/* The ordered form of a key, whose bits first_bit and end_bit count, is the unsigned number of the
 * key's width that sorts as the key does, ascending: unsigned keys themselves; signed keys with the
 * sign bit flipped (so every range below the sign bit is the key's own bits); floats with the sign
 * bit flipped if clear and every bit if set, minus the number of negative NaNs (wrapping). Keys
 * that agree in the range are equal: they keep their order if the sort is stable, and every key
 * keeps all its bits. Descending sorts by the same bits, largest first. */

/* A place in a buffer: offset counts bytes. */
typedef struct clsort_buffer {
    cl_mem mem;
    uint64_t offset;
} clsort_buffer;

/* The buffers of one sort, n = count * num_arrays elements each. Which are given follows from the
 * description: a missing and a needless buffer are both refused; for a count of 0 none is needed.
 * Ranges of different buffers must not overlap, also through sub-buffers. Offsets are multiples of
 * the element's alignment: the key's size, also a column's, the index's size, for values the largest
 * power of two, at most 8, that divides value_size, and for records likewise, but at most 16; offsets
 * have their size's, and the bytes of strings may begin anywhere. Host memory that a buffer was made over
 * (CL_MEM_USE_HOST_PTR) must be aligned likewise if the device uses it in place (CL_DEVICE_HOST_UNIFIED_MEMORY);
 * MISALIGNED otherwise. Sources come first, then what is written, then scratch; later versions' values_list and
 * queries stand behind values, values_list_out behind values_out, and lower, upper and result behind indices. */
typedef struct clsort_buffers {
    clsort_buffer keys;               /* unless there are columns; read, and written when in place
                                         without indices */
    const clsort_buffer *columns;     /* num_columns of them, used as keys are */
    clsort_buffer offsets;            /* strings with an offset_size: count + 1; read */
    clsort_buffer values;             /* value_size > 0; read, and written when in place */
    clsort_buffer keys_out;           /* out_of_place */
    const clsort_buffer *columns_out; /* num_columns, out_of_place */
    clsort_buffer offsets_out;        /* strings' out_of_place: count + 1; written and read */
    clsort_buffer values_out;         /* out_of_place and value_size > 0 */
    clsort_buffer indices;            /* index_size > 0; written */
    clsort_buffer scratch;            /* NULL: the library's own. Offset a multiple of 8 */
} clsort_buffers;

/* The same on the host. Arrays must be aligned as their elements are; keys, columns and
 * values are written only when in place. */
typedef struct clsort_arrays {
    void *keys;
    void *const *columns; /* num_columns of them */
    void *offsets;
    void *values;
    void *keys_out;
    void *const *columns_out;
    void *offsets_out;
    void *values_out;
    void *indices;
} clsort_arrays;

/* One kernel launch of a plan. Bytes count global memory; exchanges is the largest number of pairs
 * that the step could swap (0 where elements are placed, not swapped), compares the number of key
 * comparisons made, padding included. */
typedef struct clsort_step {
    const char *kernel; /* static text */
    uint64_t num_groups;
    uint32_t group_size;
    uint32_t local_size; /* bytes of local memory a work-group */
    uint64_t compares;
    uint64_t exchanges;
    uint64_t bytes_read;
    uint64_t bytes_written;
} clsort_step;

/* The sums over a plan's steps, and what was chosen. */
typedef struct clsort_plan {
    clsort_algorithm algorithm; /* never AUTO */
    uint32_t stable;            /* nonzero: this plan is stable, asked for or not */
    uint32_t num_steps;         /* = kernel launches; 0 when there is nothing to do */
    uint64_t compares;
    uint64_t exchanges;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t scratch_size; /* bytes */
} clsort_plan;

/* The last failure of a sorter. Texts live until the sorter's next call. */
typedef struct clsort_error_info {
    clsort_status status;
    const char *argument;  /* what the status is about, of a call that was refused: "keys_out",
                              "desc.value_size", "desc.columns[2].type", "queue"; else "" */
    cl_int cl_code;        /* the OpenCL error code, or CL_SUCCESS */
    const char *call;      /* the OpenCL function that failed, or "" */
    const char *build_log; /* the compiler's log after CLSORT_ERROR_BUILD, else "" */
} clsort_error_info;

/* Where the bytes of an array come from, or where they go: see clsort_sort_through(). copy() of a source
 * fills `bytes` with the array's `size` bytes from `offset` on; copy() of a sink takes them and leaves
 * `bytes` as it is. It returns 0, or anything else to end the sort. */
typedef struct clsort_stream {
    int (*copy)(void *context, void *bytes, uint64_t offset, size_t size);
    void *context;
} clsort_stream;

typedef struct clsort_sorter clsort_sorter;

/* The version of the library that is running, "0.1.0". */
CLSORT_API const char *clsort_version(void);

/* The sentence for a status, without a full stop; for an unknown one "unknown status". */
CLSORT_API const char *clsort_status_text(clsort_status status);

/* Names as in the lists above ("u32", "bitonic"), NULL for a value that is not in them; and back:
 * CLSORT_ERROR_TYPE or CLSORT_ERROR_ALGORITHM for a name that is not in them. */
CLSORT_API const char *clsort_type_name(clsort_type type);
CLSORT_API const char *clsort_algorithm_name(clsort_algorithm algorithm);
CLSORT_API clsort_status clsort_type_from_name(const char *name, clsort_type *type_ret);
CLSORT_API clsort_status clsort_algorithm_from_name(const char *name,
                                                    clsort_algorithm *algorithm_ret);

/* Bytes of one key; 0 for an unknown type. */
CLSORT_API uint32_t clsort_type_size(clsort_type type);

/* Lists every OpenCL device of every platform, in the loader's order: a device's place here is its
 * index for CLSORT_DEVICE. Writes at most capacity devices (devices may be NULL if capacity is 0)
 * and the number there is. NO_PLATFORM or NO_DEVICE when there is none. */
CLSORT_API clsort_status clsort_devices(cl_device_id *devices, uint32_t capacity,
                                        uint32_t *num_devices_ret);

/* Finds one device. selection is an index into that list (all digits), or a part of the device's
 * or its platform's name, case ignored. NULL or "" means the environment variable CLSORT_DEVICE,
 * and without that the best device: one that can be used, GPUs before accelerators before CPUs,
 * then by compute units times clock. A selection that matches nothing is DEVICE_NOT_FOUND, never
 * another device. In a program run setuid or setgid the variable is not read. */
CLSORT_API clsort_status clsort_find_device(const char *selection, cl_device_id *device_ret);

/* Creates a sorter for a device of a context. device NULL: the context's only or best device.
 * context NULL: a new context of the device's own, or of the one that clsort_find_device(NULL)
 * finds. The sorter retains the context. Compiles nothing yet. On failure *sorter_ret is NULL. */
CLSORT_API clsort_status clsort_create(cl_context context, cl_device_id device,
                                       clsort_sorter **sorter_ret);

/* Tuning. How large tiles and work-groups are, and from which counts on AUTO takes which algorithm, is
 * compiled in for the devices it was measured on. A text file that the environment variable
 * CLSORT_TUNING names goes before that: clsort_create() reads it, once for the sorter's life, and
 * clsort_sort() without a sorter. 'clsort tune' writes one for a device. It has a row a line, a kind
 * and words name=value, numbers as 96 or 2^20, and comments from # on:
 *
 *     device H200                               # a part of the device's or platform's name, as for
 *     part key=4 payload=0 scatter_group=512    # CLSORT_DEVICE: rows up to the next such line are
 *     general item=4 rank_max=512 radix_min=2^18    # for it, those before the first for all devices
 *
 * A row sets what it names for the sizes that it names (without: for all), later rows go before
 * earlier ones, and what no row names stays as compiled in. A size stands for those up to it that
 * another does not stand for, the largest for all above it too. clsort_get_tuning_text() shows all rows and
 * settings there are; clsort(1) explains them. Numbers only have to be possible: the library makes
 * work-groups and tiles smaller where the device's limits ask for it. No setting changes a result, but
 * for the order of equal keys where the sort is not stable.
 *
 * In a program run setuid or setgid the variable is not read. */

/* Reads a tuning file as clsort_create() does, without a device, path NULL: the one that CLSORT_TUNING
 * names, or none. CLSORT_OK, or CLSORT_ERROR_TUNING and text is a sentence, "FILE:LINE: what is wrong
 * there", else "". Like snprintf(): writes at most size bytes with the final zero (text may be NULL if
 * size is 0); *size_ret, if not NULL, is the size that the whole text needs. */
CLSORT_API clsort_status clsort_check_tuning(const char *path, char *text, size_t size,
                                             size_t *size_ret);

/* The rows that the sorter goes by, in the format of such a file: compiled in or read, before they are
 * made smaller for the device's limits. Writes text as clsort_check_tuning() does. */
CLSORT_API clsort_status clsort_get_tuning_text(clsort_sorter *sorter, char *text, size_t size,
                                                size_t *size_ret);

/* Releases everything the sorter holds. Sorts already enqueued finish by themselves. NULL is fine.
 * Not while another thread is inside a call with this sorter. */
CLSORT_API void clsort_destroy(clsort_sorter *sorter);

/* The sorter's context and device (not retained for the caller). NULL for NULL. */
CLSORT_API cl_context clsort_context(const clsort_sorter *sorter);
CLSORT_API cl_device_id clsort_device(const clsort_sorter *sorter);

/* Bytes of scratch that clsort_enqueue() needs for this description; 0 is common. Makes no OpenCL
 * call and reads the same plan that the sort runs. Where a driver lets a kernel have smaller groups
 * than its device promises (Mesa's rusticl), that is known only once the kernel is compiled, and the
 * plan changes with it: there ask after clsort_prepare(), or give no scratch. */
CLSORT_API clsort_status clsort_scratch_size(clsort_sorter *sorter, const clsort_desc *desc,
                                             uint64_t *scratch_size_ret);

/* Compiles every kernel that this description needs, so that the sort will not. Other descriptions
 * share kernels unless their type, order, bit range, kind of values or algorithm differs. PoCL makes
 * part of a kernel's code at its first launch, or takes it from its cache on disk: that remains. */
CLSORT_API clsort_status clsort_prepare(clsort_sorter *sorter, const clsort_desc *desc);

/* What a sort would do, without an OpenCL call. Writes the sums, and at most capacity steps
 * (steps may be NULL if capacity is 0; plan_ret->num_steps is the number there is). */
CLSORT_API clsort_status clsort_get_plan(clsort_sorter *sorter, const clsort_desc *desc,
                                         clsort_plan *plan_ret, clsort_step *steps,
                                         uint32_t capacity);

/* The same as text, a line a step. Like snprintf(): writes at most size bytes with the final zero
 * (text may be NULL if size is 0); *size_ret, if not NULL, is the size that the whole text needs. */
CLSORT_API clsort_status clsort_get_plan_text(clsort_sorter *sorter, const clsort_desc *desc,
                                              char *text, size_t size, size_t *size_ret);

/* Enqueues a sort on the caller's queue, in-order or out-of-order, and returns at once. It starts
 * after the events of the wait list; *event_ret, if not NULL, completes when the output is there,
 * also for a count of 0. The buffers must stay unchanged and alive until then (OpenCL keeps a
 * released buffer alive as long as commands use it). Two sorts that use the library's own scratch
 * wait for each other on the device, in whichever queues they are; if an event makes the first one
 * fail while the second one waits, both fail. */
CLSORT_API clsort_status clsort_enqueue(clsort_sorter *sorter, cl_command_queue queue,
                                        const clsort_desc *desc, const clsort_buffers *buffers,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event_ret);

/* Sorts arrays on the host and returns when they are sorted: transfers, or none where host and
 * device share memory, sort, transfers back. sorter NULL: the best device, found and let go within
 * the call; that compiles anew each time, so keep a sorter for more than one call.
 *
 * Arrays in ordinary memory pass through a ring of pinned memory, at most 64 MiB. The host copies one part
 * to or from the ring while others are transferred; clsort_set_host_threads() has several threads copy.
 * Arrays in memory of clsort_host_alloc() need no copy. The sorter keeps the ring and the device's buffers
 * for the next sort; clsort_release_scratch() lets go of them.
 *
 * Arrays may be of any size, but strings must fit on the device. If arrays and scratch do not fit in nine
 * tenths of the device's memory, or in its largest buffers, they are sorted in pieces, twice, with transfers
 * both ways at once. That takes as much memory of the host again, which the sorter keeps. The pieces pass
 * through the ring even if the arrays are pinned, so have several threads copy. If the device turns out to
 * have less memory free, smaller pieces are tried.
 *
 * Small arrays, for which the device's fixed cost is more than the sort, are sorted by the calling
 * thread, without an OpenCL call: where there are no records, columns or strings, the algorithm is AUTO and
 * count * num_arrays is at most 2^14 with a sorter, or 2^20 without one (these numbers may change).
 * So few keys need no device at all. Equal keys then keep their order, asked for or not. It takes
 * host memory, at most 32 bytes for each key of one array, and in place a copy of its keys or its
 * values; where there is none, the device sorts. An algorithm that is named is always the device's. */
CLSORT_API clsort_status clsort_sort(clsort_sorter *sorter, const clsort_desc *desc,
                                     const clsort_arrays *arrays);

/* Whether clsort_sort() has the calling thread sort such arrays, so that it neither needs nor looks for a
 * device: 1 or 0. 0 also if it would refuse the description. sorter is as for clsort_sort(). If it is NULL,
 * the file that CLSORT_TUNING names is read. Makes no OpenCL call. */
CLSORT_API int clsort_sorts_on_host(const clsort_sorter *sorter, const clsort_desc *desc);

/* clsort_sort() by several devices at once, one for each sorter, of any kinds and platforms. Arrays that are
 * large, or larger than the first sorter's device, are sorted in pieces, as above; a device that is free
 * takes the next piece. The first sorter alone sorts smaller ones. A thread for each further sorter begins
 * and ends within the call; clsort_set_host_threads() of each sorter adds threads that copy. NULL if there
 * is no sorter or one of them is NULL; BUSY if one is in use, or given twice. Ask the sorter that failed for
 * details. At most 64 sorters take part. */
CLSORT_API clsort_status clsort_sort_many(clsort_sorter *const *sorters, uint32_t num_sorters,
                                          const clsort_desc *desc, const clsort_arrays *arrays);

/* Sorts an array on its way from one stream to another, such as from file to file, without holding it in an
 * array of the caller's. sorter and desc are as for clsort_sort(), but only numbers and records can be
 * sorted: values, indices, columns and strings are refused (BUFFER_MISSING). out_of_place makes no
 * difference.
 *
 * copy() is called in any order of offsets, by up to as many threads at once as clsort_set_host_threads()
 * says, the calling thread among them. Ranges that are copied at the same time do not overlap. A range is at
 * most 4 MiB, but a small array that the calling thread sorts is one range. The sink gets its first bytes
 * when the source has given all of its own. If the device's memory runs out in the middle, either may be
 * asked for a range again, so the same offset must always mean the same bytes. After any status but
 * CLSORT_OK, such as ERROR_STREAM, what the sink has got is unspecified. copy() must not call the library
 * with the same sorter (BUSY). */
CLSORT_API clsort_status clsort_sort_through(clsort_sorter *sorter, const clsort_desc *desc,
                                             const clsort_stream *source,
                                             const clsort_stream *sink);

/* How many threads of a call copy at once between ordinary memory, or streams, and what the device reaches.
 * 0, the default, and 1 mean the calling thread alone. n means that a call starts n - 1 others, which have
 * ended when it returns. More than 16 count as 16; if a thread cannot be started, the others do its work.
 * Arrays in memory that device and host share are not copied. */
CLSORT_API clsort_status clsort_set_host_threads(clsort_sorter *sorter, uint32_t num_threads);

/* Memory of the host for clsort_sort() with this sorter. If the device has memory of its own, this memory is
 * pinned: arrays that lie in it, at its beginning or not, are transferred at the link's speed. To other
 * sorters it is ordinary memory. Pinning takes about a third of a second for each GiB, so keep it. If the
 * driver refuses to pin it, it is ordinary memory. It is aligned for any element. *memory_ret is NULL after
 * a failure. Free it with the same sorter: clsort_host_free() refuses every other pointer but NULL
 * (BUFFER_INVALID). clsort_destroy() frees what is left. */
CLSORT_API clsort_status clsort_host_alloc(clsort_sorter *sorter, size_t size, void **memory_ret);
CLSORT_API clsort_status clsort_host_free(clsort_sorter *sorter, void *memory);

/* Details of the last failed call with this sorter; status is CLSORT_OK if none has failed. Calls
 * refused with CLSORT_ERROR_BUSY leave no details, nor do calls without a sorter, or with NULL for the
 * description, the buffers, the arrays, a stream or a result. */
CLSORT_API clsort_status clsort_last_error(clsort_sorter *sorter, clsort_error_info *info_ret);

/* Timing of steps, off at first. When on, clsort_enqueue() keeps its steps' events, and
 * clsort_get_timing() waits for the last sort and writes each step's seconds on the device, in the
 * order of clsort_get_plan() (at most capacity; *num_steps_ret is the number there is). The queue
 * must have been created with CL_QUEUE_PROFILING_ENABLE. Some drivers report 0 for every step. After
 * clsort_sort() there are no times: NO_TIMING. */
CLSORT_API clsort_status clsort_set_timing(clsort_sorter *sorter, int enabled);
CLSORT_API clsort_status clsort_get_timing(clsort_sorter *sorter, double *seconds,
                                           uint32_t capacity, uint32_t *num_steps_ret);

/* Lets go of the library's own scratch, of the buffers, queues and memory of the host that clsort_sort() has
 * kept (pinned, and for arrays larger than the device as much as they have), and of what clsort_mpi keeps
 * with the sorter. Enqueued sorts still finish. Memory of clsort_host_alloc() stays. */
CLSORT_API clsort_status clsort_release_scratch(clsort_sorter *sorter);

/* The text of clsort_device.h and what it includes, for programs that build their own kernels with it
 * and want no file at run time: between the #defines that describe the items and the kernel's source,
 * once for each kind of items. Static; ends with a line feed. */
CLSORT_API const char *clsort_device_source(void);

#ifdef __cplusplus
}
#endif

#endif
