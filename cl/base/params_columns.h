/* params_columns.h: parameters of columns and fields; a part of params.h. */
#ifndef CLSORT_PARAMS_COLUMNS_H
#define CLSORT_PARAMS_COLUMNS_H

/* Rows that are sorted by several numbers, their members: columns, or fields of records.
 * Buffers: a place for each member, keys, indices. */
#define COLUMNS_MEMBERS 8 /* as many as fit in a key of 64 bits */
#define COLUMNS_BUFFERS (COLUMNS_MEMBERS + 2)

struct columns_member {
    param_u32 stride; /* bytes from a row to the next */
    param_u32 unit;   /* bytes that may be read at once: 1, 2, 4, 8 */
    param_u32 bits;
    param_u32 mantissa_bits;
    param_u32 is_signed;
    param_u32 descending;
    param_u32 first_bit; /* of its ordered form's bits, those that count; */
    param_u32 num_bits;  /* bits, if all do */
};

struct columns_params {
    param_u64 offsets[COLUMNS_BUFFERS];
    param_u64 count;        /* rows of an array */
    param_u64 num_elements; /* rows of all arrays */
    struct columns_member members[COLUMNS_MEMBERS];
    param_u32 num_members;
    param_u32 flags;
    param_u32 num_words; /* from a row's key to the next one's, in keys */
    param_u32 unused;
};

#endif
