/* CLSORT_LIMIT, without a device: which fact each word lowers, and what is said of wrong words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "device/device.h"

static const struct device_facts large = {.class = DEVICE_CPU,
                                          .max_group_size = 4096,
                                          .subgroup_size = 64,
                                          .vector_bytes = 64,
                                          .local_size = 1 << 20,
                                          .cache_size = 32 << 20,
                                          .num_units = 4,
                                          .cpu_kernels = 1,
                                          .unified_memory = 1,
                                          .memory = UINT64_MAX,
                                          .max_alloc = UINT64_MAX,
                                          .host_limit = UINT64_MAX,
                                          .chunk_limit = UINT64_MAX};

/* The large device's facts under a limit, which is right. */
static struct device_facts under(const char *limit)
{
    struct device_facts facts = large;
    char sentence[200] = "";
    assert_int_equal(setenv("CLSORT_LIMIT", limit, 1), 0);
    assert_int_equal(device_apply_limits(&facts, sentence, sizeof sentence), CLSORT_OK);
    assert_string_equal(sentence, "");
    unsetenv("CLSORT_LIMIT");
    return facts;
}

static void test_words(void **state)
{
    (void)state;
    assert_int_equal(under("subgroup=0").subgroup_size, 0);
    assert_int_equal(under("group=33").max_group_size, 32);
    assert_int_equal(under("group=32").subgroup_size, 64);
    assert_int_equal(under("local=5000").local_size, 5000);
    assert_int_equal(under("vector=16").vector_bytes, 16);
    assert_int_equal(under("cache=2^10").cache_size, 1024);
    assert_int_equal(under("memory=7").memory, 7);
    assert_int_equal(under("alloc=7").max_alloc, 7);
    assert_int_equal(under("host=0").host_limit, 0);
    assert_int_equal(under("chunk=0").chunk_limit, 64);
    assert_int_equal(under("chunk=65").chunk_limit, 128);
    assert_int_equal(under("cpu=0").cpu_kernels, 0);
    assert_int_equal(under("unified=0").unified_memory, 0);
    const struct device_facts all = under("local=4096,unified=0,group=16");
    assert_true(all.local_size == 4096 && !all.unified_memory && all.max_group_size == 16);
}

/* The next word of the text in which `begin` stands before each word and `end` behind it. Returns
 * the text behind it, or NULL. */
static const char *next_word(const char *text, const char *begin, const char *end, char word[16])
{
    const char *at = strstr(text, begin);
    const char *behind = at ? strstr(at + strlen(begin), end) : NULL;
    if (!behind)
        return NULL;
    snprintf(word, 16, "%.*s", (int)(behind - at - (int)strlen(begin)), at + strlen(begin));
    return behind;
}

static void read_file(const char *name, char *text, size_t size)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, size - 1, file);
    assert_true(length < size - 1);
    text[length] = 0;
    fclose(file);
}

/* CONTRIBUTING.md has a row for each word that the code reads, in its order. */
static void test_table(void **state)
{
    (void)state;
    static char code[1 << 16], page[1 << 16];
    read_file(CLSORT_SOURCE_DIR "/src/device/limits.c", code, sizeof code);
    read_file(CLSORT_SOURCE_DIR "/CONTRIBUTING.md", page, sizeof page);
    const char *row = strstr(page, "| word | lowers |");
    const char *entry = strstr(code, "struct limit limits[] = {");
    char word[16] = "", limit[32], sentence[200];
    unsigned num = 0;
    assert_true(row && entry);
    while ((entry = next_word(entry, "    {\"", "\", ", word))) {
        char shown[16] = "";
        row = next_word(row, "\n| `", "` | ", shown);
        assert_non_null(row);
        assert_string_equal(shown, word);
        snprintf(limit, sizeof limit, "%s=1", word);
        struct device_facts facts = large;
        assert_int_equal(setenv("CLSORT_LIMIT", limit, 1), 0);
        assert_int_equal(device_apply_limits(&facts, sentence, sizeof sentence), CLSORT_OK);
        ++num;
    }
    unsetenv("CLSORT_LIMIT");
    assert_true(num >= 11);
    const char *end = strstr(row, "\n\n"); /* of the table */
    assert_true(end && !(strstr(row, "\n| `") && strstr(row, "\n| `") < end));
}

/* What is there is never raised. */
static void test_lowers_only(void **state)
{
    (void)state;
    const struct device_facts facts =
        under("subgroup=128,group=8192,local=2^30,vector=128,cache=2^40,cpu=1,unified=1,"
              "memory=18446744073709551615,chunk=18446744073709551615");
    assert_int_equal(facts.subgroup_size, large.subgroup_size);
    assert_int_equal(facts.max_group_size, large.max_group_size);
    assert_int_equal(facts.vector_bytes, large.vector_bytes);
    assert_true(facts.local_size == large.local_size && facts.cache_size == large.cache_size);
    assert_true(facts.memory == UINT64_MAX && facts.chunk_limit == UINT64_MAX);
    assert_true(facts.cpu_kernels && facts.unified_memory);
    assert_int_equal(under("").local_size, large.local_size);
}

static const struct {
    const char *limit, *sentence;
} wrong[] = {
    {"serial=0", "CLSORT_LIMIT: 'serial' is called 'cpu' now"},
    {"group=4,serial=0", "CLSORT_LIMIT: 'serial' is called 'cpu' now"},
    {"nonsense=1", "CLSORT_LIMIT: there is no limit 'nonsense'"},
    {"s=0", "CLSORT_LIMIT: there is no limit 's'"},
    {"groups=4", "CLSORT_LIMIT: there is no limit 'groups'"},
    {"=4", "CLSORT_LIMIT: there is no limit ''"},
    {"group=4 ,local=5", "CLSORT_LIMIT: group is a number, such as 96 or 2^20, not '4 '"},
    {"group=", "CLSORT_LIMIT: group is a number, such as 96 or 2^20, not ''"},
    {"local=-1", "CLSORT_LIMIT: local is a number, such as 96 or 2^20, not '-1'"},
    {"local", "CLSORT_LIMIT: 'local' is not of the form name=value"},
    {"local,group=4", "CLSORT_LIMIT: 'local' is not of the form name=value"},
    {"group=4,", "CLSORT_LIMIT: '' is not of the form name=value"},
};

/* No call goes on as if the word were not there. */
static void test_wrong(void **state)
{
    (void)state;
    const clsort_desc desc = {.count = 2, .type = CLSORT_U8};
    uint8_t keys[] = {2, 1};
    const clsort_arrays arrays = {.keys = keys};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char sentence[200];
        size_t size = 0;
        assert_int_equal(setenv("CLSORT_LIMIT", wrong[i].limit, 1), 0);
        assert_int_equal(clsort_check_tuning(NULL, sentence, sizeof sentence, &size),
                         CLSORT_ERROR_TUNING);
        assert_string_equal(sentence, wrong[i].sentence);
        assert_int_equal(size, strlen(sentence) + 1);
        assert_int_equal(clsort_sorts_on_host(NULL, &desc), 0);
        assert_int_equal(clsort_sort(NULL, &desc, &arrays), CLSORT_ERROR_TUNING);
        assert_true(keys[0] == 2 && keys[1] == 1);
    }
    assert_int_equal(setenv("CLSORT_LIMIT", "group=4", 1), 0);
    assert_int_equal(clsort_check_tuning(NULL, NULL, 0, NULL), CLSORT_OK);
    assert_int_equal(clsort_sort(NULL, &desc, &arrays), CLSORT_OK);
    assert_true(keys[0] == 1 && keys[1] == 2);
    unsetenv("CLSORT_LIMIT");
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_lowers_only),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL) ? 1 : 0;
}
