/** @file
 * The enumerators of clsort.h in their order, with what belongs to each, for tables of your own. A
 * list calls X(...) for each of them, whose name lacks "CLSORT_". clsort.h includes this file. */
#ifndef CLSORT_CLSORT_LISTS_H
#define CLSORT_CLSORT_LISTS_H

/* clang-format off */

/** The key types: X(enumerator, name, bits, kind, bits of the mantissa). */
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

/** The algorithms: X(enumerator, name, what it is). */
#define CLSORT_ALGORITHM_LIST(X)                                                                  \
    X(AUTO,    "auto",    "the fastest that does what is asked, for this device")                 \
    X(RANK,    "rank",    "each key counts those before it; stable; count^2 compares")            \
    X(BITONIC, "bitonic", "sorting network; n*log2(n)^2 compares; no scratch for keys")           \
    X(RADIX,   "radix",   "digit by digit; stable if asked; scratch of one or two copies, more "   \
                          "for short types")                                                      \
    X(MERGE,   "merge",   "merge sort; stable; n*log2(n) compares; also of records; scratch of "  \
                          "one copy")                                                             \
    X(QUICK,   "quick",   "partition quicksort by many pivots; stable if asked; also of records")

/** The statuses: X(enumerator, sentence). */
#define CLSORT_STATUS_LIST(X)                                                                     \
    X(OK, "done")                                                                                 \
    X(ERROR_NULL, "a pointer that must be given is NULL")                                         \
    X(ERROR_TYPE, "the key type is unknown")                                                      \
    X(ERROR_ORDER, "the order is neither ascending nor descending")                               \
    X(ERROR_ALGORITHM, "the algorithm is unknown")                                                \
    X(ERROR_RESERVED, "a reserved field is not zero")                                             \
    X(ERROR_RECORD, "the description of the records contradicts itself (see clsort_record)")      \
    X(ERROR_ALGORITHM_RECORD, "merge sort and quicksort sort records, radix sort those that "     \
                              "have fields, others none")                                         \
    X(ERROR_COLUMNS, "the description of the columns contradicts itself (see clsort_column)")     \
    X(ERROR_STRINGS, "the description of the strings contradicts itself (see clsort_strings)")    \
    X(ERROR_SEGMENTS, "the description of the segments contradicts itself, or their offsets on "  \
                      "the host decrease or exceed the count")                                    \
    X(ERROR_VALUES, "the list of values contradicts the rest of the description (see num_values)")\
    X(ERROR_RANKS, "skip and limit together exceed the count, without segments")                  \
    X(ERROR_OPERATION, "the operation is unknown, it has no use for a member that is set, or the "\
                       "first range is longer than the array")                                    \
    X(ERROR_UNSUPPORTED, "the library cannot do this yet, alone or with the other members")       \
    X(ERROR_BIT_RANGE, "the bit range is empty or ends above the key's bits")                     \
    X(ERROR_INDEX_SIZE, "the index size, or in RUNS the offset size, is not 0, 4 or 8, or "       \
                        "4 bytes cannot number this many keys; a search or gather has no "        \
                        "index size")                                                             \
    X(ERROR_INDEX_AND_VALUES, "indices and values cannot be asked for in one sort")               \
    X(ERROR_COUNT, "too many elements, arrays or segments: 2^48 or more, or their size in bytes " \
                   "would overflow")                                                              \
    X(ERROR_ALGORITHM_COUNT, "the algorithm does not take this many keys (rank sort: 2^20 an "    \
                             "array, 2^41 compares; quicksort: below 2^32)")                      \
    X(ERROR_BUFFER_MISSING, "a buffer or array that the description needs is not given")          \
    X(ERROR_BUFFER_UNEXPECTED, "a buffer or array is given that the description does not use")    \
    X(ERROR_BUFFER_INVALID, "a buffer is not a valid OpenCL memory object, or memory is not "     \
                            "from clsort_host_alloc()")                                           \
    X(ERROR_BUFFER_TOO_SMALL, "a buffer ends before its last element")                            \
    X(ERROR_BUFFER_MISALIGNED, "a buffer's offset is not a multiple of its element's alignment")  \
    X(ERROR_BUFFER_OVERLAP, "two buffers of one sort overlap")                                    \
    X(ERROR_BUFFER_ACCESS, "a buffer was created without the access that the sort needs")         \
    X(ERROR_SCRATCH_TOO_SMALL, "the scratch buffer is smaller than clsort_scratch_size() says")   \
    X(ERROR_WRONG_CONTEXT, "a queue, device, buffer or event belongs to another context than "    \
                           "the sorter")                                                          \
    X(ERROR_WRONG_DEVICE, "the queue belongs to another device than the sorter")                  \
    X(ERROR_QUEUE_INVALID, "the queue is not a valid OpenCL command queue")                       \
    X(ERROR_WAIT_LIST, "the wait list and its length do not fit together")                        \
    X(ERROR_NO_PLATFORM, "no OpenCL platform was found: none is installed, or its driver could "  \
                         "not be loaded; install a driver package, such as pocl-opencl-icd for "  \
                         "CPUs")                                                                  \
    X(ERROR_NO_DEVICE, "no OpenCL platform offers a device; PoCL needs a writable home "          \
                       "directory, or POCL_CACHE_DIR set to one that it can write to; a GPU "     \
                       "needs its driver package")                                                \
    X(ERROR_DEVICE_NOT_FOUND, "no device has the index or the name asked for (see CLSORT_DEVICE)")\
    X(ERROR_DEVICE_UNSUPPORTED, "the device has no compiler, is older than OpenCL 1.2 or is "     \
                                "big-endian")                                                     \
    X(ERROR_TUNING, "the tuning file cannot be read, or it or CLSORT_LIMIT is wrong; "            \
                    "clsort_check_tuning() says where")                                           \
    X(ERROR_NO_TIMING, "there are no times: timing is off, nothing was sorted, or the queue has " \
                       "no profiling")                                                            \
    X(ERROR_BUSY, "the sorter is in use, by another thread or a second time in one call")         \
    X(ERROR_HOST_MEMORY, "out of host memory")                                                    \
    X(ERROR_DEVICE_MEMORY, "out of device memory")                                                \
    X(ERROR_BUILD, "a kernel did not compile; clsort_last_error() has the build log")             \
    X(ERROR_OPENCL, "an OpenCL call failed; clsort_last_error() has its name and code")           \
    X(ERROR_STREAM, "the caller's stream failed: its copy() did not return 0")

/* clang-format on */

#endif
