/* argsort.c: writes the order of the keys as indices and leaves the keys where they are. Use the
 * indices to look up any number of other arrays. An argsort is always stable.
 * Output: Oslo -3.5, Rome 18, Lima 19, Cairo 27, */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    const char *const cities[] = {"Rome", "Cairo", "Oslo", "Lima"};
    float temperatures[] = {18, 27, -3.5f, 19};
    uint32_t order[4];

    clsort_desc desc = CLSORT_ZERO;
    desc.count = 4;
    desc.type = CLSORT_F32;
    desc.index_size = sizeof order[0]; /* 4, or 8 for indices of 64 bits */
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = temperatures;
    arrays.indices = order;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int i = 0; i < 4; ++i)
        printf("%s %g, ", cities[order[i]], temperatures[order[i]]);
    return 0;
}
