/* strings.c: sorts strings of any length, one behind the other, with offsets that say where each
 * one begins. The line feed at each end is a tail of one byte: it moves along uncompared.
 * Output: apple fig pear (2 1 0) */
#include <clsort/clsort.h>
#include <stdio.h>

int main(void)
{
    char text[] = "pear\nfig\napple\n", sorted[sizeof text] = "";
    uint32_t offsets[] = {0, 5, 9, 15}, sorted_offsets[4], order[3];

    clsort_strings strings = CLSORT_ZERO;
    strings.num_bytes = 15;
    strings.offset_size = sizeof offsets[0];
    strings.tail_size = 1;
    clsort_desc desc = CLSORT_ZERO;
    desc.count = 3;
    desc.strings = &strings;
    desc.index_size = sizeof order[0]; /* write the order as indices, */
    desc.out_of_place = 1;             /* and the strings in that order */
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = text;
    arrays.offsets = offsets;
    arrays.keys_out = sorted;
    arrays.offsets_out = sorted_offsets;
    arrays.indices = order;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    printf("%s(%u %u %u)\n", sorted, order[0], order[1], order[2]);
    return 0;
}
