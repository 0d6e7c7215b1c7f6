/* top.c: the best scores with the indices of the players who have them, and the median of all.
 * Among equals the lowest index comes first. Outputs hold `limit` elements.
 * Output: 9.5 of 3, 8 of 1, 8 of 5, median 7 */
#include <clsort/clsort.h>
#include <stdio.h>

static int sort(const clsort_desc *desc, const clsort_arrays *arrays)
{
    const clsort_status status = clsort_sort(NULL, desc, arrays);
    if (status)
        fprintf(stderr, "%s\n", clsort_status_text(status));
    return status == CLSORT_OK;
}

int main(void)
{
    float scores[] = {6, 8, 2.5f, 9.5f, 7, 8, 1};
    float best[3], median;
    uint32_t players[3];

    clsort_desc desc = CLSORT_ZERO;
    desc.count = 7;
    desc.type = CLSORT_F32;
    desc.order = CLSORT_DESCENDING;
    desc.index_size = sizeof players[0];
    desc.out_of_place = 1; /* the keys, too */
    desc.limit = 3;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = scores;
    arrays.keys_out = best;
    arrays.indices = players;
    if (!sort(&desc, &arrays))
        return 1;
    for (int i = 0; i < 3; ++i)
        printf("%g of %u, ", best[i], (unsigned)players[i]);

    desc.index_size = 0;
    desc.skip = desc.count / 2;
    desc.limit = 1;
    arrays.keys_out = &median;
    arrays.indices = NULL;
    if (!sort(&desc, &arrays))
        return 1;
    printf("median %g", median);
    return 0;
}
