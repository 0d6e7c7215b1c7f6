/** @file
 * clsort: sorts arrays on any OpenCL device. An array on the device, on your own queue:
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
 * clsort_sort() sorts arrays on the host. Keys can also be records (clsort_record), strings of
 * bytes (clsort_strings) and rows of columns (clsort_column). tests/examples/ has a complete
 * program for each. clsort_plan.h has what a sort would do, its times and the tuning; this header
 * includes it. docs/limits.md has what is promised and what is not, the limits and their causes;
 * docs/drivers.md has the drivers that clsort was tested on, and their quirks.
 */
#ifndef CLSORT_CLSORT_H
#define CLSORT_CLSORT_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
/** The version of OpenCL's headers; without it they take 300 themselves, with a message. Define it
 * as 120 to use functions that later versions replace, such as clCreateCommandQueue(). */
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Holds a device's context, the compiled kernels and the memory kept between sorts. Two threads
 * cannot use one sorter at once. The second call is refused with CLSORT_ERROR_BUSY and changes
 * nothing. Give each thread a sorter of its own: different sorters are independent, even in one
 * context. */
typedef struct clsort_sorter clsort_sorter;

/* clang-format off */

/** Makes all members of a struct zero, in C and in C++: clsort_desc desc = CLSORT_ZERO; All structs
 * here may be zero-initialised, and zero means the common case. That is u32 keys, ascending,
 * without values, in place, one array, all bits. The library chooses algorithm and scratch.
 * Designated initialisers are shorter, in C and, in the order of the members, in C++20: {.count =
 * n, .type = CLSORT_F32}. GCC's -Wextra warns there about the members that are left out. */
#ifdef __cplusplus
#define CLSORT_ZERO {}
#else
#define CLSORT_ZERO {0}
#endif

/* clang-format on */

/** The type of a key. clsort_type_name() and clsort_type_size() describe it. Raw little-endian bits
 * are sorted, so the device need not support f16, bf16 or f64.
 *
 * Integers are ordered by value. Floats are ordered -inf ... -0.0 < +0.0 ... +inf < every NaN,
 * whatever its sign: NaNs come last in ascending order and first in descending order. Among NaNs
 * the positive ones come first, by rising bits, then the negative ones, by falling bits. Every key
 * keeps its bits. The order is total (no two different bit patterns are equal), and it is the same
 * for every algorithm and every device. */
typedef enum clsort_type {
    CLSORT_U32 = 0,       /**< unsigned, 32 bits */
    CLSORT_U64 = 1,       /**< unsigned, 64 bits */
    CLSORT_I32 = 2,       /**< signed, 32 bits */
    CLSORT_I64 = 3,       /**< signed, 64 bits */
    CLSORT_F32 = 4,       /**< float, 32 bits */
    CLSORT_F64 = 5,       /**< double, 64 bits */
    CLSORT_U8 = 6,        /**< unsigned, 8 bits */
    CLSORT_U16 = 7,       /**< unsigned, 16 bits */
    CLSORT_I8 = 8,        /**< signed, 8 bits */
    CLSORT_I16 = 9,       /**< signed, 16 bits */
    CLSORT_F16 = 10,      /**< half, 16 bits: 5 of the exponent */
    CLSORT_BF16 = 11,     /**< bfloat16, 16 bits: 8 of the exponent */
    CLSORT_NUM_TYPES = 12 /**< how many there are */
} clsort_type;

/** The direction of a sort. Descending is the exact reverse, except that a stable sort still keeps
 * equal keys in input order. */
typedef enum clsort_order {
    CLSORT_ASCENDING = 0, /**< the smallest key first */
    CLSORT_DESCENDING = 1 /**< the largest key first */
} clsort_order;

/** The algorithm of a sort. CLSORT_AUTO chooses by device, type, payload and count, among the
 * algorithms that do what is asked; clsort_plan.stable says whether its choice is stable.
 * docs/choosing.md explains each: what it does, what it is for, and the memory that it takes. */
typedef enum clsort_algorithm {
    CLSORT_AUTO = 0,          /**< "auto": the fastest that does what is asked, for this device */
    CLSORT_RANK = 1,          /**< "rank": each key counts those before it; count^2 compares */
    CLSORT_BITONIC = 2,       /**< "bitonic": a sorting network; n*log2(n)^2 compares */
    CLSORT_RADIX = 3,         /**< "radix": digit by digit */
    CLSORT_MERGE = 4,         /**< "merge": merge sort; n*log2(n) compares; also of records */
    CLSORT_QUICK = 5,         /**< "quick": partition quicksort by many pivots; also of records */
    CLSORT_NUM_ALGORITHMS = 6 /**< how many there are */
} clsort_algorithm;

/** What a call returns; clsort_status_text() has the sentence. The order is part of the interface.
 * Arguments are checked before anything is enqueued. After any status from CLSORT_ERROR_NULL to
 * CLSORT_ERROR_BUSY, every buffer and array is unchanged and nothing was enqueued. After a later
 * status the contents of output buffers are unspecified; docs/limits.md says what holds then. */
typedef enum clsort_status {
    CLSORT_OK = 0,                       /**< done */
    CLSORT_ERROR_NULL = 1,               /**< a pointer that must be given is NULL */
    CLSORT_ERROR_TYPE = 2,               /**< the key type is unknown */
    CLSORT_ERROR_ORDER = 3,              /**< the order is unknown */
    CLSORT_ERROR_ALGORITHM = 4,          /**< the algorithm is unknown */
    CLSORT_ERROR_RESERVED = 5,           /**< a reserved field is not zero */
    CLSORT_ERROR_RECORD = 6,             /**< the records' description contradicts itself */
    CLSORT_ERROR_ALGORITHM_RECORD = 7,   /**< the algorithm does not sort such records */
    CLSORT_ERROR_COLUMNS = 8,            /**< the columns' description contradicts itself */
    CLSORT_ERROR_STRINGS = 9,            /**< the strings' description contradicts itself */
    CLSORT_ERROR_SEGMENTS = 10,          /**< the segments or their offsets contradict themselves */
    CLSORT_ERROR_VALUES = 11,            /**< the list of values contradicts the rest */
    CLSORT_ERROR_RANKS = 12,             /**< skip and limit together exceed the count */
    CLSORT_ERROR_OPERATION = 13,         /**< the operation is unknown, or a member is not for it */
    CLSORT_ERROR_UNSUPPORTED = 14,       /**< the library cannot do this yet */
    CLSORT_ERROR_BIT_RANGE = 15,         /**< the bit range is empty or ends above the key */
    CLSORT_ERROR_INDEX_SIZE = 16,        /**< the index size is wrong or too small */
    CLSORT_ERROR_INDEX_AND_VALUES = 17,  /**< indices and values are asked for in one sort */
    CLSORT_ERROR_COUNT = 18,             /**< too many elements, arrays or segments */
    CLSORT_ERROR_ALGORITHM_COUNT = 19,   /**< the algorithm does not take this many keys */
    CLSORT_ERROR_BUFFER_MISSING = 20,    /**< a buffer or array that is needed is not given */
    CLSORT_ERROR_BUFFER_UNEXPECTED = 21, /**< a buffer or array is given that is not used */
    CLSORT_ERROR_BUFFER_INVALID = 22,    /**< a buffer is no valid buffer */
    CLSORT_ERROR_BUFFER_TOO_SMALL = 23,  /**< a buffer ends before its last element */
    CLSORT_ERROR_BUFFER_MISALIGNED = 24, /**< a buffer's offset is not aligned */
    CLSORT_ERROR_BUFFER_OVERLAP = 25,    /**< two buffers of one sort overlap */
    CLSORT_ERROR_BUFFER_ACCESS = 26,     /**< a buffer lacks the access that the sort needs */
    CLSORT_ERROR_SCRATCH_TOO_SMALL = 27, /**< the scratch is smaller than it must be */
    CLSORT_ERROR_WRONG_CONTEXT = 28,     /**< an object belongs to another context */
    CLSORT_ERROR_WRONG_DEVICE = 29,      /**< the queue belongs to another device */
    CLSORT_ERROR_QUEUE_INVALID = 30,     /**< the queue is no valid queue */
    CLSORT_ERROR_WAIT_LIST = 31,         /**< the wait list and its length do not fit together */
    CLSORT_ERROR_NO_PLATFORM = 32,       /**< no OpenCL platform was found */
    CLSORT_ERROR_NO_DEVICE = 33,         /**< no OpenCL platform offers a device */
    CLSORT_ERROR_DEVICE_NOT_FOUND = 34,  /**< no device has the index or the name asked for */
    CLSORT_ERROR_DEVICE_UNSUPPORTED = 35, /**< the device has no compiler or is too old */
    CLSORT_ERROR_TUNING = 36,             /**< the tuning file or CLSORT_LIMIT is wrong */
    CLSORT_ERROR_NO_TIMING = 37,          /**< there are no times */
    CLSORT_ERROR_BUSY = 38,          /**< the sorter is in use; up to here nothing has changed */
    CLSORT_ERROR_HOST_MEMORY = 39,   /**< out of host memory */
    CLSORT_ERROR_DEVICE_MEMORY = 40, /**< out of device memory */
    CLSORT_ERROR_BUILD = 41,         /**< a kernel did not compile */
    CLSORT_ERROR_OPENCL = 42,        /**< an OpenCL call failed */
    CLSORT_ERROR_STREAM = 43,        /**< the caller's stream failed */
    CLSORT_NUM_STATUSES = 44         /**< how many there are */
} clsort_status;

/** What is done with the keys. The operations besides SORT take arrays on the device, of numbers,
 * records or columns, in either order and by any bits. They are planned, prepared and timed as
 * sorts are. "In order" means the order that the description says. Each array is treated by itself.
 * The source is never written, whatever out_of_place says, and algorithm must be AUTO.
 *
 * - CHECK writes to `result`, for each array, the index of the first key that comes before the key
 *   in front of it. It is the count if the array is in order. (std::is_sorted_until)
 * - MERGE makes one range of two: of the first first_count keys of each array, and of the others.
 *   Both must be in order. The result goes to keys_out. It is stable: among equal keys those of the
 *   first range come first. Values move with the keys; or index_size asks for the indices that the
 *   keys had, too. (std::merge)
 * - RUNS finds the runs of equal neighbours. The first key of each run goes to keys_out; there must
 *   be room for count keys. With an offset_size, offsets_out gets the index of each run's first
 *   key, and after them the count; there must be room for count + 1. Each array has its own place
 *   in both. What lies after the runs is unchanged. `result` gets the number of runs of each array.
 *   (std::unique; the offsets are those of segments)
 * - SEARCH takes num_queries keys for each array, in `queries`, and writes numbers of index_size
 *   for them. `lower` gets how many keys come before the query. `upper` gets how many do not come
 *   after it. One of the two may be left out. The arrays must be in order. Queries in order are
 *   faster. (std::lower_bound, std::upper_bound)
 * - GATHER puts elements in the order of given indices, which are counted from 0 in each array: key
 *   i of keys_out is the key whose index is indices[i]. Keys, records, columns and values are moved
 *   so. An index that is not below the count moves nothing. Indices may occur several times.
 *
 * If an array is not in order, or the comparison is no order, what MERGE, RUNS and SEARCH write is
 * unspecified. They still write nothing outside of their buffers. */
typedef enum clsort_operation {
    CLSORT_OPERATION_SORT = 0,   /**< they are put in order */
    CLSORT_OPERATION_CHECK = 1,  /**< where they are out of order for the first time */
    CLSORT_OPERATION_MERGE = 2,  /**< two ranges in order become one */
    CLSORT_OPERATION_RUNS = 3,   /**< the distinct keys of arrays in order, and where each begins */
    CLSORT_OPERATION_SEARCH = 4, /**< where other keys belong in arrays in order */
    CLSORT_OPERATION_GATHER = 5, /**< elements are put in the order of given indices */
    CLSORT_NUM_OPERATIONS = 6    /**< how many there are */
} clsort_operation;

/** A field that records are sorted by. */
typedef struct clsort_field {
    uint32_t offset;    /**< bytes from the record's beginning; any */
    clsort_type type;   /**< the field's type */
    clsort_order order; /**< the field's direction */
} clsort_field;

/** Keys that are records (structs) of 1 to 256 bytes instead of numbers. They are ordered by up to
 * 16 fields, of which the first decides first:
 *
 *     struct person { uint32_t id; float score; };
 *     const clsort_field fields[] = {
 *         {offsetof(struct person, score), CLSORT_F32, CLSORT_DESCENDING},
 *         {offsetof(struct person, id), CLSORT_U32, CLSORT_ASCENDING}};
 *     clsort_record record = CLSORT_ZERO;
 *     record.size = sizeof(struct person);
 *     record.num_fields = 2;
 *     record.fields = fields;
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.record = &record;
 *
 * or by a comparison in OpenCL C, of a type that the text declares:
 *
 *     clsort_record record = CLSORT_ZERO;
 *     record.size = 8;
 *     record.declarations = "typedef struct { int x, y; } point;";
 *     record.type = "point";
 *     record.less = "a.x * a.y < b.x * b.y";
 *
 * Merge sort and quicksort sort both kinds. Radix sort sorts records by fields, as numbers made of
 * them. AUTO takes the fastest, and only a stable one if that is asked for. On CPUs QUICK runs
 * merge sort for records, and the plan says so.
 *
 * The type must have the size that is said here and an alignment of at most 16 bytes; otherwise the
 * status is ERROR_BUILD. A mistake in the text is ERROR_BUILD, too. The text is compiled into the
 * library's kernels as it stands and can do whatever a kernel can, so it must come from a source
 * that the program trusts. A comparison that is not an order (it says that a comes before b and b
 * before a, for example) gives some permutation of the records. docs/comparison.md has more on
 * speed, macros, messages and floats. */
typedef struct clsort_record {
    uint32_t size;              /**< bytes, 1 to 256 */
    uint32_t num_fields;        /**< 1 to 16, or 0 for a comparison */
    const clsort_field *fields; /**< like the texts, used within the call alone */
    const char *declarations;   /**< OpenCL C that declares the type; NULL for none */
    const char *type;           /**< the name of a record's type */
    const char *less;           /**< an expression of a and b, true if a comes before b; or */
    const char *less_body;      /**< statements that return it */
    uint32_t reserved[4];       /**< must be 0 */
} clsort_record;

/** Keys that are strings of any length: their bytes one after the other, and count + 1 offsets.
 * String i is the bytes from offsets[i] up to, not including, offsets[i + 1]:
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
 * or strings of one width, without offsets: {.num_bytes = n * 20, .width = 20}.
 *
 * Strings are ordered by unsigned bytes, and a string comes before a longer one that begins with
 * it. Zero bytes are bytes like any other. The tail, the last tail_size bytes of every string,
 * moves with it and is not compared. Use 1 for lines that end in a line feed and for strings that
 * end in a zero byte. The sort is stable.
 *
 * The result is the order as indices (index_size); or the strings rearranged (out_of_place), with
 * their bytes in keys_out, without gaps, and their offsets in offsets_out; or both. The source is
 * never written. type, the bit range, value_size, record and columns must be 0, num_arrays at most
 * 1, and algorithm must be AUTO or RADIX.
 *
 * Offsets lie on the device and are not checked before the sort. Whatever they are, no byte outside
 * num_bytes is written or changes the result: an offset above num_bytes counts as num_bytes, and a
 * string that ends before it begins is empty. If strings overlap, their bytes in keys_out are cut
 * at num_bytes, and offsets of 4 bytes stop at 2^32 - 1. A count of 0 writes nothing, not even
 * offsets_out[0]. */
typedef struct clsort_strings {
    uint64_t num_bytes;   /**< in keys, from its offset on; and the room in keys_out. With offsets
                               of 4 bytes at most 2^32 - 1 */
    uint32_t offset_size; /**< 4 or 8: offsets are u32 or u64; 0: strings of one width */
    uint32_t width;       /**< bytes of a string with its tail, if offset_size is 0 */
    uint32_t tail_size;   /**< bytes at the end of each string that are not compared */
    uint32_t reserved[5]; /**< must be 0 */
} clsort_strings;

/** A column that rows are sorted by. A row is what up to 16 arrays of numbers, the columns, hold at
 * one index. Each column has its own type and direction, and the first decides first:
 *
 *     const clsort_column columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
 *                                      {CLSORT_F32, CLSORT_DESCENDING}};
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
 * This writes the order of the rows as indices and leaves the columns as they are. With
 * out_of_place set too, the columns are also written in that order to columns_out. Without
 * index_size the columns themselves are sorted, in place or out of place, and values move with the
 * rows. The sort is stable. docs/choosing.md has its cost. */
typedef struct clsort_column {
    clsort_type type;   /**< the column's type */
    clsort_order order; /**< the column's direction */
} clsort_column;

/** What to sort. The members say in turn how many keys there are, what they are, in which order
 * they go, and what moves.
 *
 * ## Stability
 * Set stable to keep equal keys in input order. Indices (argsort) and rows of columns are always
 * stable; docs/choosing.md has what is stable unasked. The same input gives the same output, bit
 * for bit, if the sort is stable or sorts numbers alone. Otherwise elements that are equal in the
 * bits or fields compared may change places from run to run.
 *
 * ## Bit ranges
 * first_bit and end_bit count the bits of a key's ordered form. That is the unsigned number of the
 * key's width that sorts ascending as the key does. An unsigned key is its own ordered form. A
 * signed key has the sign bit flipped, so a range below the sign bit is the key's own bits. A float
 * has the sign bit flipped if that bit is clear, and every bit flipped if it is set. Then the
 * number of negative NaNs is subtracted (wrapping). Keys that agree in the range are equal: a
 * stable sort keeps their order. Every key keeps all its bits. Descending sorts by the same bits,
 * largest first.
 *
 * ## Places of the order
 * skip and limit say which places of each array's order are wanted: skip up to, not including, skip
 * + limit. That is top-k, the k-th element, the median (a skip of n / 2, a limit of 1), a partial
 * sort:
 *
 *     clsort_desc largest = CLSORT_ZERO;
 *     largest.count = n;
 *     largest.order = CLSORT_DESCENDING;
 *     largest.out_of_place = 1;
 *     largest.limit = 100;
 *
 * Outputs then hold limit elements an array, or count - skip with a skip alone: keys_out,
 * columns_out, values_out and indices. In place, as many places at the front of each array hold
 * what is wanted, and the others the rest in some order. What is wanted is always in order, with
 * the lowest index first among equals, asked to be stable or not. Only a limit that is the count is
 * a sort like any other, stable if asked. Without segments, skip + limit must not exceed the count.
 *
 * With segments, skip and limit name the same places of each. A short segment gives fewer elements,
 * or none. With a limit, outputs hold limit elements for each segment, and those of segment i
 * begin at i * limit. With a skip alone they begin where the segment does. Places of the
 * outputs that a short segment leaves are unchanged, and so are those of elements in no segment.
 *
 * ## Segments
 * With an offset_size the array is sorted in segments, each by itself. Segment i is the elements
 * from offsets[i] up to, not including, offsets[i + 1], counted from the keys' beginning:
 *
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = n;
 *     desc.num_segments = m;
 *     desc.offset_size = 4;
 *     clsort_buffers buffers = CLSORT_ZERO;
 *     buffers.keys.mem = keys;
 *     buffers.offsets.mem = offsets;
 *
 * Segments may have any length, also 0, and the first need not begin at 0. Elements before the
 * first and after the last offset are in no segment: they stay, or are copied if out_of_place (but
 * not with a skip or limit, whose outputs hold what is wanted alone). Indices count from their
 * segment's beginning; those of places in no segment are not written. If num_segments is 0, nothing
 * is sorted.
 *
 * Offsets lie on the device and need not be known before: count may be a bound on the last one. So
 * a count that a kernel has written is one segment, with the offsets 0 and that count. Nothing is
 * read back. Offsets are not checked there. Whatever they are, nothing outside the buffers is
 * touched, and the elements are rearranged: an offset above count counts as count. If one is less
 * than one before it, it is unspecified where the segments around it begin and end. clsort_sort()
 * refuses such offsets.
 *
 * ## Which members exclude which
 * A member that is not 0 excludes those in its row.
 *
 * | member | excludes |
 * |---|---|
 * | record | type, bit range, strings, columns; RANK and BITONIC; RADIX without fields |
 * | strings | type, bit range, record, columns, num_arrays above 1, values; all but AUTO, RADIX |
 * | columns | type, bit range, record, strings |
 * | offset_size | num_arrays above 1, except in RUNS; strings; every algorithm but AUTO |
 * | value_size | num_values; index_size, except in GATHER |
 * | num_values | value_size; index_size, except in GATHER |
 * | index_size | value_size and num_values, except in GATHER |
 * | skip, limit | strings; clsort_sort_through() |
 * | first_count | every operation but MERGE |
 * | num_queries | every operation but SEARCH |
 * | operation CHECK | values, index_size, offset_size |
 * | operation MERGE | offset_size |
 * | operation RUNS | values, index_size |
 * | operation SEARCH | values, offset_size; index_size 0 |
 * | operation GATHER | offset_size; index_size 0 |
 * | every operation but SORT | num_segments, skip, limit, an algorithm by name, strings |
 *
 * Not supported yet, and refused as ERROR_UNSUPPORTED: segments of strings, skip or limit of
 * strings and of arrays on the host that the device cannot hold, keys with their indices of such
 * arrays, and every operation but SORT on strings and on arrays of the host.
 *
 * Designated initialisers must follow the members' order in C++20. */
typedef struct clsort_desc {
    uint64_t count;                /**< keys in each array; 0 and 1 are fine */
    uint64_t num_arrays;           /**< arrays of count keys, one after the other; 0 means 1 */
    uint64_t num_segments;         /**< parts of the array that are sorted each by itself; they
                                        begin and end at num_segments + 1 offsets */
    uint32_t offset_size;          /**< 4 or 8: there are segments, and their offsets are u32 or
                                        u64; 0: there are none. RUNS: the offsets' size, or 0 */
    clsort_type type;              /**< the type of the keys */
    const clsort_record *record;   /**< the keys are such records, and type and the bit range must
                                        be 0; NULL: they are numbers */
    const clsort_strings *strings; /**< the keys are such strings; NULL: they are not */
    uint32_t num_columns;          /**< 1 to 16: the keys are rows of columns, and type, the bit
                                        range and record must be 0; 0: they are not */
    const clsort_column *columns;  /**< num_columns of them; descending order reverses each */
    clsort_order order;            /**< the direction */
    uint32_t first_bit;            /**< sort by the bits of the ordered form from first_bit */
    uint32_t end_bit;              /**< up to, not including, end_bit; both 0: by all bits */
    clsort_algorithm algorithm;    /**< AUTO, or one by name */
    uint32_t stable;               /**< nonzero: equal keys keep their input order */
    uint32_t value_size;           /**< bytes of the value that moves with each key; 0: none */
    uint32_t num_values;           /**< 1 to 16: a list of arrays of values that move with the keys;
                                        0: value_size says what moves */
    const uint32_t *value_sizes;   /**< num_values of them: bytes of a value of each array */
    uint32_t index_size;           /**< 4 or 8: the keys stay, and their order is written as u32 or
                                        u64 indices, counted from 0 in each array; out of place
                                        the sorted keys are written, too; 0: no indices */
    uint32_t out_of_place;         /**< nonzero: from keys to keys_out, and the source is kept */
    uint64_t skip;                 /**< places at the front of the order that are left out */
    uint64_t limit;                /**< places after these that are wanted; 0: all */
    clsort_operation operation;    /**< what is done; 0: the keys are sorted */
    uint64_t first_count;          /**< MERGE: keys of the first range */
    uint64_t num_queries;          /**< SEARCH: keys that are looked for */
    uint32_t reserved[6];          /**< must be 0 */
} clsort_desc;

/** A place in a buffer. */
typedef struct clsort_buffer {
    cl_mem mem;      /**< the buffer */
    uint64_t offset; /**< bytes from its beginning */
} clsort_buffer;

/** The buffers of one sort, with n = count * num_arrays elements each. The description decides
 * which of them are given: a missing buffer is refused, and so is one that the sort does not use,
 * except scratch. A count of 0 needs none, except queries and the outputs of CHECK, RUNS (without
 * keys_out) and SEARCH; 0 segments need no offsets. If only some places are wanted, what is written
 * out of place has another number of elements (see clsort_desc).
 *
 * Ranges of different buffers must not overlap, also through sub-buffers, and also if all are only
 * read. Offsets must be multiples of the element's alignment:
 * - keys, columns, indices and offsets: the size of one of them
 * - values: the largest power of two, at most 8, that divides value_size
 * - records: the largest power of two, at most 16, that divides their size
 * - the bytes of strings: 1
 *
 * Host memory below a buffer (CL_MEM_USE_HOST_PTR) must be aligned likewise if the device uses it
 * in place (CL_DEVICE_HOST_UNIFIED_MEMORY). Otherwise the status is ERROR_BUFFER_MISALIGNED.
 *
 * Sources come first, then what is written, then scratch. What is read or written must have been
 * created with that access (ERROR_BUFFER_ACCESS). The source of an out-of-place sort and the keys
 * or columns of an argsort are never written. */
typedef struct clsort_buffers {
    clsort_buffer keys;               /**< unless there are columns; read, and written if in place
                                           without indices */
    const clsort_buffer *columns;     /**< num_columns of them, used as keys are */
    clsort_buffer offsets;            /**< strings with an offset_size: count + 1 offsets; segments:
                                           num_segments + 1 offsets; read */
    clsort_buffer values;             /**< value_size > 0: read, and written if in place */
    const clsort_buffer *values_list; /**< num_values of them, used as values are */
    clsort_buffer queries;            /**< SEARCH: num_queries keys; read */
    const clsort_buffer *query_columns; /**< SEARCH of columns: num_columns of them, instead */
    clsort_buffer keys_out;             /**< out_of_place; MERGE, RUNS, GATHER: written and read */
    const clsort_buffer *columns_out;   /**< num_columns of them, instead; written */
    clsort_buffer offsets_out; /**< strings out_of_place: count + 1; written and read. RUNS:
                                           room for count + 1; written */
    clsort_buffer values_out;  /**< out_of_place and value_size > 0; MERGE, GATHER too: written and
                                    read */
    const clsort_buffer *values_list_out; /**< num_values of them, instead; written, and a single
                                               one read */
    clsort_buffer indices;                /**< index_size > 0: written and read. GATHER: read */
    clsort_buffer lower;                  /**< SEARCH: num_queries numbers; written */
    clsort_buffer upper;                  /**< SEARCH: num_queries numbers; written */
    clsort_buffer result;                 /**< CHECK and RUNS: a u64 for each array; written,
                                               and read by RUNS of columns */
    clsort_buffer scratch; /**< NULL: the library's own. The offset is a multiple of 8 */
} clsort_buffers;

/** The arrays of one sort on the host: what clsort_buffers is on a device. Arrays must be aligned
 * as its offsets are, which may be more than C asks of a struct. Keys, columns and values are
 * written only in place. */
typedef struct clsort_arrays {
    void *keys;                   /**< unless there are columns */
    void *const *columns;         /**< num_columns arrays */
    void *offsets;                /**< strings with an offset_size: count + 1 offsets; segments:
                                   num_segments + 1 offsets */
    void *values;                 /**< value_size > 0 */
    void *const *values_list;     /**< num_values arrays */
    void *keys_out;               /**< out_of_place */
    void *const *columns_out;     /**< num_columns arrays, out_of_place */
    void *offsets_out;            /**< strings out_of_place: count + 1 offsets */
    void *values_out;             /**< out_of_place and value_size > 0 */
    void *const *values_list_out; /**< num_values arrays, out_of_place */
    void *indices;                /**< index_size > 0 */
} clsort_arrays;

/** The version of this header, MAJOR.MINOR.PATCH. clsort_version() has the library's. */
#define CLSORT_VERSION_MAJOR 0
/** The header's minor version. */
#define CLSORT_VERSION_MINOR 1
/** The header's patch version. */
#define CLSORT_VERSION_PATCH 0

/** Marks the functions that the library exports. */
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

/** Lists every OpenCL device of every platform, in the loader's order. A device's index in this
 * list is its index for CLSORT_DEVICE. Writes at most capacity devices (devices may be NULL if
 * capacity is 0) and the number that there are. Returns ERROR_NO_PLATFORM or ERROR_NO_DEVICE if
 * there is none. */
CLSORT_API clsort_status clsort_devices(cl_device_id *devices, uint32_t capacity,
                                        uint32_t *num_devices_ret);

/** Finds one device. selection is an index into the list of clsort_devices() (all digits), or a
 * part of the device's or its platform's name, ignoring case. NULL or "" means the environment
 * variable CLSORT_DEVICE; without it, the best device that can be used: GPUs before accelerators
 * before CPUs, then by compute units times clock. A selection that matches nothing is
 * ERROR_DEVICE_NOT_FOUND, never another device. A program run setuid or setgid does not read the
 * variable. */
CLSORT_API clsort_status clsort_find_device(const char *selection, cl_device_id *device_ret);

/** Creates a sorter for a device of a context. If device is NULL, it is the context's only or best
 * device. If context is NULL, the sorter makes a context for the device, or for the one that
 * clsort_find_device(NULL) finds. Name a sub-device, since some drivers list its parent instead.
 * The sorter retains context and device. Nothing is compiled yet. After a failure *sorter_ret is
 * NULL. */
CLSORT_API clsort_status clsort_create(cl_context context, cl_device_id device,
                                       clsort_sorter **sorter_ret);

/** Releases everything that the sorter holds. Sorts that are enqueued finish by themselves. NULL is
 * fine. Do not call it while another thread is inside a call with this sorter. */
CLSORT_API void clsort_destroy(clsort_sorter *sorter);

/** Sorts arrays on the host and returns when they are sorted. It transfers them to the device,
 * sorts, and transfers them back; if host and device share memory, nothing is transferred. If
 * sorter is NULL, the call creates a sorter for the default device and destroys it again. That
 * compiles anew each time, so keep a sorter for more than one call. docs/host.md has an example.
 *
 * Arrays may have any size, but strings and segments must fit on the device; larger arrays are
 * sorted in pieces. The calling thread, and as many as clsort_set_host_threads() says, sort small
 * arrays, and on a CPU all that they sort faster than the device. That takes no OpenCL call and no
 * device. It needs AUTO, since an algorithm that is named always runs on the device, and no
 * comparison in OpenCL C. docs/host.md has the counts, the memory that all this
 * takes, and how to have it pinned. */
CLSORT_API clsort_status clsort_sort(clsort_sorter *sorter, const clsort_desc *desc,
                                     const clsort_arrays *arrays);

/** Whether clsort_sort() sorts such arrays by the host's threads, so that it neither needs nor
 * looks for a device: 1 or 0. It is 0 also if clsort_sort() would refuse the description. sorter is
 * as for clsort_sort(); if it is NULL, the file that CLSORT_TUNING names is read. Makes no OpenCL
 * call. */
CLSORT_API int clsort_sorts_on_host(const clsort_sorter *sorter, const clsort_desc *desc);

/** Enqueues a sort on your queue, in-order or out-of-order. It never waits for the device. It
 * allocates device memory only if the sort needs scratch and the caller gives none, and it keeps
 * that memory for the next sort. The first sort of a kind compiles its kernels in this call, which
 * takes seconds; clsort_prepare() does that earlier. The sort starts after the events of the wait
 * list. *event_ret, if event_ret is not NULL, completes when the output is there, also for a count
 * of 0. Until then the buffers must stay alive and unchanged (OpenCL keeps a released buffer alive
 * while commands use it). Two sorts that use the library's own scratch wait for each other on the
 * device, in whichever queues they are. If an event makes the first one fail while the second one
 * waits, both fail. */
CLSORT_API clsort_status clsort_enqueue(clsort_sorter *sorter, cl_command_queue queue,
                                        const clsort_desc *desc, const clsort_buffers *buffers,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event_ret);

/** The bytes of scratch that clsort_enqueue() needs for this description, often 0. Makes no OpenCL
 * call and reads the plan that the sort runs. With Mesa's rusticl ask after clsort_prepare(), or
 * give no scratch: docs/drivers.md says why. */
CLSORT_API clsort_status clsort_scratch_size(clsort_sorter *sorter, const clsort_desc *desc,
                                             uint64_t *scratch_size_ret);

/** Compiles every kernel that this description needs, so that the sort need not. Descriptions share
 * kernels if they differ in nothing but the count and take the same steps (clsort_get_plan()): more
 * elements may take other ones, so prepare the counts that you will sort. */
CLSORT_API clsort_status clsort_prepare(clsort_sorter *sorter, const clsort_desc *desc);

/** clsort_enqueue() of the description with the operation CHECK: where are arrays out of order? */
CLSORT_API clsort_status clsort_enqueue_check(clsort_sorter *sorter, cl_command_queue queue,
                                              const clsort_desc *desc,
                                              const clsort_buffers *buffers,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event_ret);
/** clsort_enqueue() of the description with the operation MERGE: two ranges become one. */
CLSORT_API clsort_status clsort_enqueue_merge(clsort_sorter *sorter, cl_command_queue queue,
                                              const clsort_desc *desc,
                                              const clsort_buffers *buffers,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event_ret);
/** clsort_enqueue() of the description with the operation RUNS: which keys are there? */
CLSORT_API clsort_status clsort_enqueue_runs(clsort_sorter *sorter, cl_command_queue queue,
                                             const clsort_desc *desc, const clsort_buffers *buffers,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event_ret);
/** clsort_enqueue() of the description with the operation SEARCH: where do keys belong? */
CLSORT_API clsort_status clsort_enqueue_search(clsort_sorter *sorter, cl_command_queue queue,
                                               const clsort_desc *desc,
                                               const clsort_buffers *buffers,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list,
                                               cl_event *event_ret);
/** clsort_enqueue() of the description with the operation GATHER: elements by indices. */
CLSORT_API clsort_status clsort_enqueue_gather(clsort_sorter *sorter, cl_command_queue queue,
                                               const clsort_desc *desc,
                                               const clsort_buffers *buffers,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list,
                                               cl_event *event_ret);

/** clsort_sort() by several devices at once, of any kinds and platforms, with a sorter for each.
 * Arrays that do not fit on the first sorter's device are sorted in pieces, and a device that is
 * free takes the next piece; docs/host.md has more. All other arrays, and strings, segments and
 * places (skip, limit), are sorted by the first sorter alone. Returns ERROR_NULL if there is no
 * sorter or one of them is NULL, and ERROR_BUSY if one is in use or given twice. Ask the sorter
 * that failed for details. At most 64 sorters take part. */
CLSORT_API clsort_status clsort_sort_many(clsort_sorter *const *sorters, uint32_t num_sorters,
                                          const clsort_desc *desc, const clsort_arrays *arrays);

/** Where the bytes of an array come from, or where they go: see clsort_sort_through(). */
typedef struct clsort_stream {
    /** A source fills `bytes` with the array's `size` bytes from `offset` on. A sink takes them and
     * leaves `bytes` as it is. Returns 0, or anything else to end the sort. */
    int (*copy)(void *context, void *bytes, uint64_t offset, size_t size);
    void *context; /**< copy()'s first argument */
} clsort_stream;

/** Sorts an array on its way from one stream to another, such as from file to file, without an
 * array of the caller's that holds it. sorter and desc are as for clsort_sort(), but only numbers
 * and records can be sorted: values, indices, columns, strings and segments are refused
 * (ERROR_BUFFER_MISSING), and skip and limit (ERROR_UNSUPPORTED). out_of_place makes no difference.
 *
 * copy() is called in any order of offsets, by as many threads at once as clsort_set_host_threads()
 * says at most, the calling thread among them. Ranges that are copied at the same time do not
 * overlap. A range is at most 4 MiB. The sink gets its first bytes when the source has given all of
 * its own. If the device's memory runs out in the middle, either may be asked for a range again, so
 * the same offset must always mean the same bytes. After any status but CLSORT_OK, such as
 * ERROR_STREAM, what the sink has got is unspecified. copy() must not call the library with the
 * same sorter (ERROR_BUSY). */
CLSORT_API clsort_status clsort_sort_through(clsort_sorter *sorter, const clsort_desc *desc,
                                             const clsort_stream *source,
                                             const clsort_stream *sink);

/** How many threads of a call sort what the host sorts by itself (clsort_sorts_on_host()), or copy
 * at once between ordinary memory, or streams, and the memory that the device reaches. Those of all
 * of a CPU's units are faster than the device. 0, the default, and 1 mean the calling thread alone;
 * n means that a call starts n - 1 others, which have ended when it returns. 16 are the most. */
CLSORT_API clsort_status clsort_set_host_threads(clsort_sorter *sorter, uint32_t num_threads);

/** Allocates memory on the host for clsort_sort() with this sorter, aligned for any element. If the
 * device has memory of its own, the allocation is pinned, and arrays anywhere in it are transferred
 * at the link's speed. If the driver refuses to pin it, and to other sorters, it is ordinary
 * memory. Pinning takes time (docs/host.md), so keep the memory. *memory_ret is NULL after a
 * failure. clsort_destroy() frees what clsort_host_free() has not. */
CLSORT_API clsort_status clsort_host_alloc(clsort_sorter *sorter, size_t size, void **memory_ret);
/** Frees memory of clsort_host_alloc() with the same sorter. NULL is fine; every other pointer is
 * ERROR_BUFFER_INVALID. */
CLSORT_API clsort_status clsort_host_free(clsort_sorter *sorter, void *memory);

/** Releases what the sorter keeps for its next sort: its own scratch, the buffers, queues and host
 * memory of clsort_sort() (docs/host.md), and what clsort_mpi keeps with it. Enqueued sorts still
 * finish. Memory of clsort_host_alloc() stays. */
CLSORT_API clsort_status clsort_release_scratch(clsort_sorter *sorter);

/** The sentence for a status, without a full stop, or "unknown status". Static text. */
CLSORT_API const char *clsort_status_text(clsort_status status);

/** The last failure of a sorter. Texts live until the sorter's next call. */
typedef struct clsort_error_info {
    clsort_status status;  /**< CLSORT_OK if no call has failed */
    const char *argument;  /**< what a refused call's status is about: "keys_out",
                                "desc.value_size", "desc.columns[2].type", "queue"; else "" */
    cl_int cl_code;        /**< the OpenCL error code, or CL_SUCCESS */
    const char *call;      /**< the OpenCL function that failed, or "" */
    const char *build_log; /**< the compiler's log after CLSORT_ERROR_BUILD, else "" */
} clsort_error_info;

/** Details of the last failed call with this sorter; the status in it is CLSORT_OK if none has
 * failed. Calls refused with CLSORT_ERROR_BUSY leave no details, nor do calls without a sorter, or
 * with NULL for a result. */
CLSORT_API clsort_status clsort_last_error(clsort_sorter *sorter, clsort_error_info *info_ret);

/** That failure as a sentence, with the argument or the OpenCL call, and the bytes that a buffer
 * has and needs. "" if no call has failed. Like snprintf(), writes at most size bytes with the
 * final zero (text may be NULL if size is 0); *size_ret, if not NULL, is the size that the whole
 * text needs. */
CLSORT_API clsort_status clsort_get_error_text(clsort_sorter *sorter, char *text, size_t size,
                                               size_t *size_ret);

/** The sorter's context, not retained for the caller; NULL for NULL. */
CLSORT_API cl_context clsort_context(const clsort_sorter *sorter);
/** The sorter's device; NULL for NULL. */
CLSORT_API cl_device_id clsort_device(const clsort_sorter *sorter);

/** The name of a type, such as "u32"; NULL for an unknown type. Static text. */
CLSORT_API const char *clsort_type_name(clsort_type type);
/** The type of a name, or CLSORT_ERROR_TYPE. */
CLSORT_API clsort_status clsort_type_from_name(const char *name, clsort_type *type_ret);
/** The bytes of one key; 0 for an unknown type. */
CLSORT_API uint32_t clsort_type_size(clsort_type type);
/** The name of an algorithm, such as "bitonic"; NULL for an unknown algorithm. Static text. */
CLSORT_API const char *clsort_algorithm_name(clsort_algorithm algorithm);
/** The algorithm of a name, or CLSORT_ERROR_ALGORITHM. */
CLSORT_API clsort_status clsort_algorithm_from_name(const char *name,
                                                    clsort_algorithm *algorithm_ret);

/** The version of the library that is running, such as "0.1.0". Static text. */
CLSORT_API const char *clsort_version(void);

/** The bytes of a public struct, such as "clsort_desc", in the library that is running; 0 for an
 * unknown name. Callers by other languages, and programs that load the library by name, compare
 * them with their own. */
CLSORT_API size_t clsort_struct_size(const char *name);

/** The text of clsort_device.h and what it includes, for programs that build their own kernels with
 * it and want no file at run time. Put it between the macros that describe the items and the
 * kernel's source, once for each kind of items. Static text that ends with a line feed. */
CLSORT_API const char *clsort_device_source(void);

#ifdef __cplusplus
}
#endif

#include "clsort/clsort_lists.h"
/* Until 0.1.0 clsort.h declares all. */
#include "clsort/clsort_plan.h"

#endif
