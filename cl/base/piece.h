/* piece.h: a piece of MOVE_UNIT bytes, as which values of any size are moved. */
#ifndef CLSORT_PIECE_H
#define CLSORT_PIECE_H

#if MOVE_UNIT == 1
typedef uchar piece_t;
#elif MOVE_UNIT == 2
typedef ushort piece_t;
#elif MOVE_UNIT == 4
typedef uint piece_t;
#else
typedef ulong piece_t;
#endif

#endif
