/* keep_programs.c: compiled programs go from one sorter to another as bytes. A program writes them
 * to a file of its own and reads them when it starts again, where no driver keeps them: in a
 * container, for example.
 * Output: 1 program was not compiled again */
#include <clsort/clsort.h>
#include <clsort/clsort_plan.h>
#include <stdio.h>
#include <stdlib.h>

static void check(clsort_status status)
{
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        exit(1);
    }
}

int main(void)
{
    clsort_desc desc = CLSORT_ZERO; /* what this program sorts */
    desc.count = 1000;
    desc.algorithm = CLSORT_RANK;

    /* Today: compile, and keep the bytes. */
    clsort_sorter *sorter = NULL;
    size_t size = 0;
    check(clsort_create(NULL, NULL, &sorter));
    check(clsort_prepare(sorter, &desc));
    check(clsort_save_programs(sorter, NULL, 0, &size));
    void *bytes = malloc(size);
    if (!bytes)
        return 1;
    check(clsort_save_programs(sorter, bytes, size, &size));
    clsort_destroy(sorter);

    /* Tomorrow: nothing is compiled. A block that does not fit is left alone. */
    uint32_t num = 0;
    check(clsort_create(NULL, NULL, &sorter));
    check(clsort_load_programs(sorter, bytes, size, &num));
    check(clsort_prepare(sorter, &desc));
    printf("%u program was not compiled again\n", (unsigned)num);
    clsort_destroy(sorter);
    free(bytes);
    return 0;
}
