/* The tool's cuts through sorted runs: every cut is compared with a plain merge. Numbers and
 * records, many of them equal, in runs of all lengths and both orders. Lines of a run, read back
 * with what stands in front of each; and runs that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/message.h"
#include "external/runs.h"
#include "text/job.h"

enum { NUM_RUNS = 5, MAX_COUNT = 3000 };

/* The value of each element. */
static uint32_t values[NUM_RUNS][MAX_COUNT];
static const uint64_t counts[NUM_RUNS] = {700, 0, 3000, 1, 513};

static int compare_values(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorted runs of numbers below `limit`. */
static void make_values(uint32_t limit, clsort_order order)
{
    uint32_t state = 7;
    for (int i = 0; i < NUM_RUNS; i++) {
        for (uint64_t j = 0; j < counts[i]; j++)
            values[i][j] = (state = state * 1664525 + 1013904223) % limit;
        qsort(values[i], counts[i], sizeof(uint32_t), compare_values);
        for (uint64_t j = 0; order == CLSORT_DESCENDING && j < counts[i] / 2; j++) {
            const uint32_t value = values[i][j];
            values[i][j] = values[i][counts[i] - 1 - j];
            values[i][counts[i] - 1 - j] = value;
        }
    }
}

/* A run's values as numbers, or as what lies in records. */
static const char *elements_of(const struct runs *runs, int i)
{
    static char records[MAX_COUNT * 12];
    const uint32_t size = runs->keys.size;
    if (size == sizeof(uint32_t))
        return (const char *)values[i];
    for (uint64_t j = 0; j < counts[i]; j++)
        memcpy(records + j * size + runs->keys.offset, &values[i][j], sizeof(uint32_t));
    return records;
}

static void write_runs(struct runs *runs)
{
    for (int i = 0; i < NUM_RUNS; i++) {
        const char *elements = elements_of(runs, i);
        struct run *run = runs_add(runs, elements, counts[i]);
        spill_write_few(&runs->spill, elements, counts[i] * runs->keys.size, run->keys_at);
    }
}

/* Takes the merge's next element; of equal elements, the first run's. */
static void advance(uint64_t *positions, clsort_order order)
{
    int best = -1;
    for (int i = 0; i < NUM_RUNS; i++) {
        if (positions[i] == counts[i])
            continue;
        const uint32_t value = values[i][positions[i]];
        const uint32_t least = best < 0 ? 0 : values[best][positions[best]];
        if (best < 0 || (order == CLSORT_DESCENDING ? value > least : value < least))
            best = i;
    }
    positions[best]++;
}

/* key_size 12: of records with the number 5 bytes behind their begin. */
static void check_cuts(uint32_t key_size, uint32_t limit, clsort_order order, uint64_t step)
{
    struct runs runs = {.order = order,
                        .keys = {CLSORT_U32, key_size, key_size == 12 ? 5 : 0, NULL}};
    uint64_t expected[NUM_RUNS] = {0}, from[NUM_RUNS] = {0}, cuts[NUM_RUNS];
    make_values(limit, order);
    spill_open(&runs.spill, NULL, 0);
    write_runs(&runs);
    for (uint64_t target = 0; target <= runs.total; target++) {
        if (target > 0)
            advance(expected, order);
        if (target % step != 0 && target < runs.total)
            continue;
        runs_cut(&runs, target, from, cuts);
        assert_memory_equal(cuts, expected, sizeof(cuts));
        memcpy(from, cuts, sizeof(cuts));
    }
    runs_close(&runs);
}

static void test_numbers(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 2, 50, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        check_cuts(4, limits[i], CLSORT_ASCENDING, 1 + 7 * (uint64_t)i);
        check_cuts(4, limits[i], CLSORT_DESCENDING, 11);
        check_cuts(12, limits[i], CLSORT_ASCENDING, 17);
        check_cuts(12, limits[i], CLSORT_DESCENDING, 23);
    }
}

/* What stands for the tool's end of the process: the reading of lines ends. */
static jmp_buf refused;

void die_told(void)
{
    longjmp(refused, 1);
}

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprint_message(format, arguments);
    va_end(arguments);
    die_told();
}

/* Reads `size` bytes of a temporary file as a run, in blocks of `block`: how many lines there are,
 * or -1, if it is refused. Line i is i times the letter x, behind the number i with some bytes that
 * are line feeds. */
enum { HEAD = 8, NUM_LINES = 300 };
static int read_lines(const struct spill *spill, uint64_t at, uint64_t size, size_t block)
{
    static struct text_stream stream;
    stream = (struct text_stream){.spill = spill,
                                  .at = at,
                                  .left = size,
                                  .end = '\n',
                                  .head_size = HEAD,
                                  .block_size = block};
    if (setjmp(refused) != 0) {
        text_stream_close(&stream);
        return -1;
    }
    int num = 0;
    while (text_stream_read(&stream)) {
        assert_int_equal(stream.size, num);
        uint64_t number;
        memcpy(&number, stream.line - HEAD, HEAD);
        assert_int_equal(number, (uint64_t)num << 32 | 0x0a0a0a);
        for (int i = 0; i < num; i++)
            assert_int_equal(stream.line[i], 'x');
        num++;
    }
    text_stream_close(&stream);
    return num;
}

static void test_lines(void **state)
{
    (void)state;
    static char text[NUM_LINES * (HEAD + NUM_LINES)];
    struct spill spill;
    size_t size = 0;
    for (uint64_t i = 0; i < NUM_LINES; i++) {
        const uint64_t number = i << 32 | 0x0a0a0a;
        memcpy(text + size, &number, HEAD);
        memset(text + size + HEAD, 'x', i);
        text[size + HEAD + i] = '\n';
        size += HEAD + i + 1;
    }
    spill_open(&spill, NULL, 0);
    const uint64_t at = spill_take(&spill, 1), empty = spill_take(&spill, size);
    spill_write_few(&spill, text, size, empty);
    for (size_t block = 1; block < 2000; block = 2 * block + 1)
        assert_int_equal(read_lines(&spill, empty, size, block), NUM_LINES);
    assert_int_equal(read_lines(&spill, at, 0, 16), 0);
    /* Lines are cut short: within the last one, and within what stands in front of it. */
    assert_int_equal(read_lines(&spill, empty, size - 1, 64), -1);
    assert_int_equal(read_lines(&spill, empty, size - NUM_LINES - 2, 64), -1);
    spill_close(&spill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
