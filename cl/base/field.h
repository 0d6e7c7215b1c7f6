/* field.h: a field of a record, or a column, as ordered bits: key.h's idea, for any type in one
 * kernel. All but the bits are constants, or the same for all work-items, where it is called. */
#ifndef CLSORT_FIELD_H
#define CLSORT_FIELD_H

/* A field in a table (record_table.h). */
struct record_field {
    uint offset, num_bytes;
    int is_signed;
    uint mantissa;
    int descending;
};

CLSORT_INLINE ulong field_ordered(ulong stored, uint bits, int is_signed, uint mantissa,
                                  int descending)
{
    const ulong all = ~0ul >> (64 - bits);
    const ulong sign = 1ul << (bits - 1);
    ulong ordered = stored;
    if (mantissa) /* then the negative NaNs, the smallest numbers, wrap around to the top */
        ordered = ((stored ^ (stored & sign ? all : sign)) - ((1ul << mantissa) - 1)) & all;
    else if (is_signed)
        ordered = stored ^ sign;
    return descending ? ordered ^ all : ordered;
}

/* And back, in the lowest bits of the result, from those of the number. */
CLSORT_INLINE ulong field_stored(ulong ordered, uint bits, int is_signed, uint mantissa,
                                 int descending)
{
    const ulong all = ~0ul >> (64 - bits);
    const ulong sign = 1ul << (bits - 1);
    const ulong rising = descending ? ordered ^ all : ordered;
    if (mantissa) {
        const ulong turned = (rising + ((1ul << mantissa) - 1)) & all;
        return turned ^ (turned & sign ? sign : all);
    }
    return is_signed ? rising ^ sign : rising;
}

#endif
