/* equalise.cl: a kernel that evens out the brightness of a picture's tiles, by the work-group's
 * histogram, scan and reduction.
 *
 * Every work-group has a tile of PIXELS pixels. It counts the tile's levels of brightness; the scan
 * of the counts says how many pixels are not brighter than each level. So the pixels are spread
 * over all levels: the darkest becomes 0, the brightest 255. Build with -I and the folder that has
 * clsort/clsort_device.h in it, and -D PIXELS=... Any group size. */
#define CLSORT_NAME pixel
#define CLSORT_ITEM uchar
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_COMBINE(a, b) min(a, b)
#define CLSORT_BIN(item) (item)
#include "clsort/clsort_device.h"

#define CLSORT_NAME count
#define CLSORT_ITEM uint
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_COMBINE(a, b) ((a) + (b))
#include "clsort/clsort_device.h"

__kernel void equalise(__global uchar *picture)
{
    __local uchar pixels[PIXELS];
    __local uint counts[256];
    __global uchar *tile = picture + get_group_id(0) * PIXELS;
    for (uint i = get_local_id(0); i < PIXELS; i += get_local_size(0))
        pixels[i] = tile[i];
    const uchar darkest = clsort_pixel_group_reduce(pixels, PIXELS);
    clsort_pixel_group_histogram(pixels, PIXELS, counts, 256);
    clsort_count_group_scan(counts, 256);
    const uint first = counts[darkest];
    for (uint i = get_local_id(0); i < PIXELS; i += get_local_size(0))
        tile[i] = (uchar)((counts[pixels[i]] - first) * 255 / max(PIXELS - first, 1u));
}
