/* host_arrays.c: sorts an array in ordinary memory with one call. Small arrays are sorted by the
 * calling thread, larger ones on the best device; keep a sorter if you sort more than once.
 * Output: -1.5 0.25 2 3 8 */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    double keys[] = {3, -1.5, 8, 0.25, 2};
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 5;
    desc.type = CLSORT_F64;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = keys;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int i = 0; i < 5; ++i)
        printf("%g ", keys[i]);
    return 0;
}
