/* index.h: a number of an element, of a segment or of a place: 8 bytes where the host has chosen
 * PAYLOAD_SIZE so, else 4. Where it has 4, an array has no more elements than they can number. */
#ifndef CLSORT_INDEX_H
#define CLSORT_INDEX_H

#if PAYLOAD_SIZE == 8
typedef ulong index_t;
#else
typedef uint index_t;
#endif

#endif
