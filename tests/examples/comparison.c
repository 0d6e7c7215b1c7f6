/* comparison.c: sorts structs by a comparison of your own, written in OpenCL C: points by the
 * area x * y. The text is compiled as it stands, so it must come from a source that you trust.
 * Output: 3 x 1, 2 x 2, 1 x 5, 2 x 4, */
#include <clsort/clsort.h>
#include <stdio.h>

struct rectangle {
    int x, y;
};

/* Ends the program with the compiler's message, which counts the lines of your own text. */
static int failed(clsort_sorter *sorter, clsort_status status)
{
    clsort_error_info info;
    if (sorter && clsort_last_error(sorter, &info) == CLSORT_OK && info.build_log[0])
        fprintf(stderr, "%s\n", info.build_log);
    fprintf(stderr, "%s\n", clsort_status_text(status));
    clsort_destroy(sorter);
    return 1;
}

int main(void)
{
    struct rectangle rectangles[] = {{2, 4}, {3, 1}, {1, 5}, {2, 2}};
    clsort_sorter *sorter = NULL;
    clsort_status status = clsort_create(NULL, NULL, &sorter);
    if (status)
        return failed(sorter, status);

    clsort_record record = CLSORT_ZERO;
    record.size = sizeof rectangles[0];
    record.declarations = "typedef struct { int x, y; } rectangle;";
    record.type = "rectangle";
    record.less = "a.x * a.y < b.x * b.y"; /* a comes before b */
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 4;
    desc.record = &record;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = rectangles;
    status = clsort_sort(sorter, &desc, &arrays);
    if (status)
        return failed(sorter, status);
    for (int i = 0; i < 4; ++i)
        printf("%d x %d, ", rectangles[i].x, rectangles[i].y);
    clsort_destroy(sorter);
    return 0;
}
