/* struct_order.c: every member of every struct that callers fill, named in order. C++20 compiles
 * only this order, and g++ -Wextra only if no member is left out; test_readme.sh compiles it. */
#include <clsort/clsort.h>

extern const clsort_field struct_order_field;
extern const clsort_record struct_order_record;
extern const clsort_strings struct_order_strings;
extern const clsort_column struct_order_column;
extern const clsort_desc struct_order_desc;
extern const clsort_buffer struct_order_buffer;
extern const clsort_buffers struct_order_buffers;
extern const clsort_arrays struct_order_arrays;
extern const clsort_stream struct_order_stream;

/* clang-format off */
#define NOWHERE {.mem = NULL, .offset = 0}
#define ZEROS {0}
/* clang-format on */

const clsort_field struct_order_field = {.offset = 0,
                                         .type = CLSORT_U32,
                                         .order = CLSORT_ASCENDING};
const clsort_record struct_order_record = {.size = 4,
                                           .num_fields = 1,
                                           .fields = NULL,
                                           .declarations = NULL,
                                           .type = NULL,
                                           .less = NULL,
                                           .less_body = NULL,
                                           .reserved = ZEROS};
const clsort_strings struct_order_strings = {
    .num_bytes = 0, .offset_size = 4, .width = 0, .tail_size = 0, .reserved = ZEROS};
const clsort_column struct_order_column = {.type = CLSORT_U32, .order = CLSORT_ASCENDING};
const clsort_desc struct_order_desc = {.count = 0,
                                       .num_arrays = 0,
                                       .num_segments = 0,
                                       .offset_size = 0,
                                       .type = CLSORT_U32,
                                       .record = NULL,
                                       .strings = NULL,
                                       .num_columns = 0,
                                       .columns = NULL,
                                       .order = CLSORT_ASCENDING,
                                       .first_bit = 0,
                                       .end_bit = 0,
                                       .algorithm = CLSORT_AUTO,
                                       .stable = 0,
                                       .value_size = 0,
                                       .num_values = 0,
                                       .value_sizes = NULL,
                                       .index_size = 0,
                                       .out_of_place = 0,
                                       .skip = 0,
                                       .limit = 0,
                                       .operation = CLSORT_OPERATION_SORT,
                                       .first_count = 0,
                                       .num_queries = 0,
                                       .reserved = ZEROS};
const clsort_buffer struct_order_buffer = NOWHERE;
const clsort_buffers struct_order_buffers = {.keys = NOWHERE,
                                             .columns = NULL,
                                             .offsets = NOWHERE,
                                             .values = NOWHERE,
                                             .values_list = NULL,
                                             .queries = NOWHERE,
                                             .query_columns = NULL,
                                             .keys_out = NOWHERE,
                                             .columns_out = NULL,
                                             .offsets_out = NOWHERE,
                                             .values_out = NOWHERE,
                                             .values_list_out = NULL,
                                             .indices = NOWHERE,
                                             .lower = NOWHERE,
                                             .upper = NOWHERE,
                                             .result = NOWHERE,
                                             .scratch = NOWHERE};
const clsort_arrays struct_order_arrays = {.keys = NULL,
                                           .columns = NULL,
                                           .offsets = NULL,
                                           .values = NULL,
                                           .values_list = NULL,
                                           .keys_out = NULL,
                                           .columns_out = NULL,
                                           .offsets_out = NULL,
                                           .values_out = NULL,
                                           .values_list_out = NULL,
                                           .indices = NULL};
const clsort_stream struct_order_stream = {.copy = NULL, .context = NULL};
