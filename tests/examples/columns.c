/* columns.c: sorts rows whose fields lie in arrays of their own: by country, and within a country
 * by the highest score. The result is the order as indices; the columns stay as they are.
 * Output: 1 9, 1 5, 49 7, 49 2, */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    uint8_t country[] = {49, 1, 49, 1};
    float score[] = {2, 5, 7, 9};
    uint32_t order[4];

    const clsort_column columns[] = {
        {CLSORT_U8, CLSORT_ASCENDING},
        {CLSORT_F32, CLSORT_DESCENDING},
    };
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 4;
    desc.num_columns = 2;
    desc.columns = columns;
    desc.index_size = sizeof order[0]; /* leave it 0 to have the columns themselves sorted */
    void *const column_arrays[] = {country, score};
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.columns = column_arrays;
    arrays.indices = order;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int i = 0; i < 4; ++i)
        printf("%d %g, ", country[order[i]], score[order[i]]);
    return 0;
}
