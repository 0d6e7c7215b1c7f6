/* segments.c: sorts parts of an array, each by itself: the scores of three games, the best
 * first. The second game has none.
 * Output: 9 7 3 | | 8 2 */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    float scores[] = {7, 9, 3, 2, 8};
    uint32_t offsets[] = {0, 3, 3, 5}; /* game i is offsets[i] up to offsets[i + 1] */

    clsort_desc desc = CLSORT_ZERO;
    desc.count = 5;
    desc.num_segments = 3;
    desc.offset_size = sizeof offsets[0];
    desc.type = CLSORT_F32;
    desc.order = CLSORT_DESCENDING;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = scores;
    arrays.offsets = offsets;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int game = 0; game < 3; game++) {
        printf("%s", game ? " |" : "");
        for (uint32_t i = offsets[game]; i < offsets[game + 1]; i++)
            printf("%s%g", game || i ? " " : "", scores[i]);
    }
    printf("\n");
    return 0;
}
