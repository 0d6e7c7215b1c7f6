/* structs.c: sorts an array of structs by two of its fields: the highest score first, and the
 * smaller id first if two scores are equal.
 * Output: 1: 10, 2: 9, 3: 7.5, 4: 7.5, */
#include <clsort/clsort.h>
#include <stddef.h>
#include <stdio.h>

struct person {
    unsigned id;
    float score;
};

int main(void)
{
    struct person persons[] = {{4, 7.5f}, {2, 9}, {3, 7.5f}, {1, 10}};
    const clsort_field fields[] = {
        {offsetof(struct person, score), CLSORT_F32, CLSORT_DESCENDING},
        {offsetof(struct person, id), CLSORT_U32, CLSORT_ASCENDING},
    };
    clsort_record record = CLSORT_ZERO;
    record.size = sizeof persons[0];
    record.num_fields = 2;
    record.fields = fields;
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 4;
    desc.record = &record;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = persons;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int i = 0; i < 4; ++i)
        printf("%u: %g, ", persons[i].id, persons[i].score);
    return 0;
}
