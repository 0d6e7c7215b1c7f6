/* Comparisons as text. An input is a head that chooses the number of records, their payload and
 * order; a byte for each piece of the text; and the records' bytes, repeated. Most texts are no
 * order, and many do not compile. A sort that succeeds must be a permutation with every payload
 * beside its record. A refused sort must have changed nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/oracle.h"

enum { HEAD = 4, MAX_PIECES = 12, MAX_RECORDS = 3000, TEXT = 512 };

static const char *const pieces[] = {
    "a.x", "b.x", "a.y", "b.y", " < ",   " > ",        " == ",      " + ",  " - ",  " * ",
    " & ", " ^ ", "(",   ")",   " % 7u", "1",          "0",         " || ", " && ", " ? ",
    " : ", "!",   "\n",  "~",   ",",     "a",          "nope",      ";",    "}",    " >> ",
    "b",   "/*",  "//",  "\\",  "\"",    "0x7fffffff", "sizeof(a)",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail_if(int wrong, const char *what, const char *text)
{
    if (wrong) {
        fprintf(stderr, "%s: \"%s\"\n", what, text);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fixture *fix;
    if (!fix && !(fix = fixture_open()))
        exit(77);
    if (size <= HEAD + MAX_PIECES)
        return -1;
    char text[TEXT] = "";
    const unsigned num_pieces = 1 + data[0] % MAX_PIECES;
    /* Half of the texts begin like a comparison, so that enough of them compile. */
    if (data[1] & 1)
        strcat(text, "a.x < b.y ");
    for (unsigned i = 0; i < num_pieces; ++i)
        strcat(text, pieces[data[HEAD + i] % (sizeof pieces / sizeof *pieces)]);
    const clsort_record record = {.size = 8,
                                  .declarations = "typedef struct { uint x, y; } pair;",
                                  .type = "pair",
                                  .less = data[1] & 2 ? text : NULL,
                                  .less_body = data[1] & 2 ? NULL : text};
    const uint64_t count = ((uint64_t)data[2] << 8 | data[3]) % MAX_RECORDS;
    const clsort_desc desc = {.count = count,
                              .record = &record,
                              .order = data[1] & 4 ? CLSORT_DESCENDING : CLSORT_ASCENDING,
                              .value_size = data[1] & 8 ? 4 : 0};
    unsigned char *records = malloc(count * 8 + 1), *before = malloc(count * 8 + 1);
    uint32_t *values = malloc(count * 4 + 1);
    for (uint64_t i = 0; i < count * 8; ++i)
        records[i] = data[HEAD + MAX_PIECES + i % (size - HEAD - MAX_PIECES)];
    for (uint64_t i = 0; i < count; ++i)
        values[i] = (uint32_t)i;
    memcpy(before, records, count * 8);
    const uint32_t value_size = desc.value_size;
    const multiset all = multiset_of(records, 8, values, value_size, count);
    const clsort_arrays arrays = {.keys = records, .values = value_size ? values : NULL};
    const clsort_status status = clsort_sort(fix->sorter, &desc, &arrays);
    if (status == CLSORT_OK) {
        fail_if(!multiset_equal(all, multiset_of(records, 8, values, value_size, count)),
                "elements were lost", text);
        for (uint64_t i = 0; i < count && value_size; ++i)
            fail_if(values[i] >= count || memcmp(records + 8 * i, before + 8 * values[i], 8) != 0,
                    "a value left its record", text);
    } else {
        fail_if(status != CLSORT_ERROR_BUILD, clsort_status_text(status), text);
        fail_if(memcmp(records, before, count * 8) != 0, "a refused sort changed records", text);
    }
    free(records);
    free(before);
    free(values);
    return 0;
}
