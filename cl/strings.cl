/* strings.cl: all steps of the sort of strings as one program, since drivers take their time for
 * each: those of CPUs, where RADIX_BITS says by what digits a work-item sorts, or those of other
 * devices. */
#include "string_chunk.h" /* both need these */
#include "string_move.h"

#if RADIX_BITS
#include "cpu_sample.cl"
#include "cpu_ties.cl"
#include "cpu_move.cl"
#else
#include "string_sample.cl"
#include "string_merge.cl"
#include "string_move.cl"
#endif
#include "string_split.cl"
#include "string_keys.cl"
#include "string_sizes.cl"
#include "string_scan.cl"
