/* buffers.h: where a kernel's buffers begin, and the three that elements lie in.
 *
 * A buffer argument is the caller's memory object; what belongs to the sort begins at a byte
 * offset that the parameters hold. Tables lie in scratch, which is a kernel's last buffer.
 * Elements move between the input, the output and scratch, which have a number each. */
#ifndef CLSORT_BUFFERS_H
#define CLSORT_BUFFERS_H

#include "base/config.h"

/* Elements of buffer argument number `slot`; offsets: the parameters' member. */
#define BUFFER_AT(type, offsets, buffer, slot) \
    ((__global type *)((__global uchar *)(buffer) + (offsets)[slot]))
/* The same, of a kernel's own parameters, which are named p. */
#define AT(type, buffer, slot) BUFFER_AT(type, p.offsets, buffer, slot)
/* A table of scratch, which is argument number 4. */
#define BUFFER_TABLE(type, offsets, scratch, table) \
    ((__global type *)(BUFFER_AT(uchar, offsets, scratch, 4) + (table)))

#define BUFFER_IN 0u
#define BUFFER_OUT 1u
#define BUFFER_SCRATCH 2u
#define BUFFER_CHOOSE(number, in, out, scratch) \
    ((number) == BUFFER_IN ? (in) : (number) == BUFFER_OUT ? (out) : (scratch))

#endif
