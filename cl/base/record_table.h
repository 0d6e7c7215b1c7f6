/* record_table.h: records ordered by fields that would make a long text: a loop over the table
 * of them that the host has put in record_source.h's place. Bytes are read where the record
 * lies, a field after the other until two differ, so a comparison is some hundred instructions
 * whatever the fields are. It says whether they are equal, too: where an index decides then, one
 * comparison is compiled, and made, instead of two. */
#ifndef CLSORT_RECORD_TABLE_H
#define CLSORT_RECORD_TABLE_H

#define RECORD_COMES_FIRST 1
#define RECORD_IS_EQUAL 2

/* The order of two records, which may lie in different kinds of memory. */
#define RECORD_TABLE_ORDER(name, space_a, space_b)                                     \
    CLSORT_INLINE int name(space_a const record_t *a, space_b const record_t *b)       \
    {                                                                                  \
        space_a const uchar *bytes_a = (space_a const uchar *)a;                       \
        space_b const uchar *bytes_b = (space_b const uchar *)b;                       \
        int less = 0;                                                                  \
        int equal = 1;                                                                 \
        RECORD_ROLLED for (uint i = 0; equal && i < RECORD_NUM_FIELDS; ++i)            \
        {                                                                              \
            const struct record_field field = record_fields[i];                        \
            ulong x = 0, y = 0;                                                        \
            RECORD_ROLLED for (uint k = field.num_bytes; k-- > 0;)                     \
            {                                                                          \
                x = x << 8 | bytes_a[field.offset + k];                                \
                y = y << 8 | bytes_b[field.offset + k];                                \
            }                                                                          \
            x = field_ordered(x, 8 * field.num_bytes, field.is_signed, field.mantissa, \
                              field.descending);                                       \
            y = field_ordered(y, 8 * field.num_bytes, field.is_signed, field.mantissa, \
                              field.descending);                                       \
            less = x < y;                                                              \
            equal = x == y;                                                            \
        }                                                                              \
        return less ? RECORD_COMES_FIRST : equal ? RECORD_IS_EQUAL : 0;                \
    }
#define RECORD_ROLLED _Pragma("unroll 1")
RECORD_TABLE_ORDER(record_order_private_private, __private, __private)
RECORD_TABLE_ORDER(record_order_private_local, __private, __local)
RECORD_TABLE_ORDER(record_order_local_private, __local, __private)
RECORD_TABLE_ORDER(record_order_local_local, __local, __local)
RECORD_TABLE_ORDER(record_order_global_global, __global, __global)

#endif
