/* strings.cl: all steps of the sort of strings as one program, since drivers take their time for
 * each: those of CPUs, where RADIX_BITS says by what digits a work-item sorts, or those of other
 * devices. */
#include "strings/chunk.h" /* both need these */
#include "strings/move.h"

#if RADIX_BITS
#include "strings/cpu_sample.cl"
#include "strings/cpu_ties.cl"
#include "strings/cpu_move.cl"
#else
#include "strings/sample.cl"
#include "strings/merge.cl"
#include "strings/move.cl"
#endif
#include "strings/keys.cl"
#include "strings/sizes.cl"
