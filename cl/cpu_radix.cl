/* cpu_radix.cl: the steps of the CPUs' radix sort of long arrays as one program, since drivers take
 * their time for each. */
#include "cpu_count.cl"
#include "cpu_scan.cl"
#include "cpu_scatter.cl"
#include "cpu_sort.cl"
#if KEY_BITS <= 16 /* keys alone of few bits are only counted */
#include "cpu_fill.cl"
#endif
