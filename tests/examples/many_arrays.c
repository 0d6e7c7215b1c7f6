/* many_arrays.c: sorts many short arrays of one length, one behind the other, in one call; here the
 * rows of a matrix, each by itself.
 * Output: 1 4 9 | 2 5 7 | 0 3 8 | */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    int64_t matrix[3][3] = {{9, 1, 4}, {5, 2, 7}, {8, 3, 0}};
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 3;      /* keys in each array */
    desc.num_arrays = 3; /* that are sorted one by one */
    desc.type = CLSORT_I64;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = matrix;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int row = 0; row < 3; ++row) {
        for (int i = 0; i < 3; ++i)
            printf("%d ", (int)matrix[row][i]);
        printf("| ");
    }
    return 0;
}
