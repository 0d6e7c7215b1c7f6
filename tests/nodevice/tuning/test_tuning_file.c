/* The tuning file, without a device: what is wrong with broken ones, which rows go before which,
 * and plans for made-up devices with rows of every number that is allowed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "support/data.h"
#include "support/fixture.h"
#include "nodevice/made_up.h"
#include "plan/plan.h"
#include "tuning/tuning.h"
#include "tuning_broken.h"
#include "support/tuning_case.h"
#include "tuning/file.h"

static const struct device_facts h200 = NVIDIA_FACTS(.num_units = 0), small_gpu = SMALL_FACTS,
                                 amd = FACTS(AMD, 256, 64, 64 << 10, .num_units = 0),
                                 cpu = CPU_FACTS(.num_units = 0);
static const struct device_facts cpu_own =
    CPU_FACTS(.num_units = 4, .cpu_kernels = 1, .cache_size = 32 << 20);
static const struct device_facts *const devices[] = {&h200, &amd, &small_gpu, &cpu, &cpu_own};
enum { num_devices = sizeof devices / sizeof *devices };

/* The sentence that a text of size bytes gets, "" if it is right. */
static const char *sentence_of(const char *text, size_t size)
{
    static char sentence[1024];
    tuning_write(text, size);
    memset(sentence, 0x5a, sizeof sentence);
    size_t needed = 0;
    const clsort_status status = clsort_check_tuning(NULL, sentence, sizeof sentence, &needed);
    assert_non_null(memchr(sentence, 0, sizeof sentence));
    assert_int_equal(needed, strlen(sentence) + 1);
    assert_int_equal(status, sentence[0] ? CLSORT_ERROR_TUNING : CLSORT_OK);
    /* A sorter's reading says the same, and keeps nothing of a file that is wrong. */
    struct tuning_rows rows;
    assert_int_equal(tuning_file_read(NULL, &rows), status);
    if (status)
        assert_null(rows.settings);
    tuning_rows_finish(&rows);
    return sentence;
}

static void test_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
        const char *sentence = sentence_of(broken[i].text, strlen(broken[i].text));
        char begin[300];
        snprintf(begin, sizeof begin, "%s:%u: ", tuning_path(), broken[i].line);
        if (strncmp(sentence, begin, strlen(begin)) != 0 || !strstr(sentence, broken[i].says) ||
            strchr(sentence, '\n'))
            fail_msg("'%s' gives '%s', not '%s%s'", broken[i].text, sentence, begin,
                     broken[i].says);
    }
    assert_non_null(
        strstr(sentence_of("digits min=1\0", 13), ":1: there is a byte that is no text"));
    tuning_remove();
}

/* Files as such. */
static void test_files(void **state)
{
    (void)state;
    enum { most = 1 << 16 };
    char *text = test_alloc(most + 1);
    memset(text, '\n', most + 1);
    assert_string_equal(sentence_of(text, most), "");
    assert_non_null(strstr(sentence_of(text, most + 1), ": the file is longer than 65536 bytes"));
    memset(text, 'x', most); /* a word as long as a file */
    assert_non_null(strstr(sentence_of(text, most), ":1: there is no kind of row 'xxx"));
    memcpy(text, "digits ", 7);
    assert_non_null(strstr(sentence_of(text, most), "xxx' is not of the form"));
    memcpy(text, "device ", 7);
    assert_non_null(strstr(sentence_of(text, most), ":1: 'device' is followed by"));
    assert_string_equal(sentence_of("", 0), "");
    assert_string_equal(sentence_of("# nothing", 9), "");
    free(text);

    char sentence[600];
    size_t size = 0;
    assert_int_equal(clsort_check_tuning("/nonexistent/file", sentence, sizeof sentence, &size),
                     CLSORT_ERROR_TUNING);
    assert_string_equal(sentence, "/nonexistent/file: the file cannot be opened");
    assert_int_equal(size, strlen(sentence) + 1);
    assert_int_equal(clsort_check_tuning("/", sentence, sizeof sentence, NULL),
                     CLSORT_ERROR_TUNING);
    /* As much as there is room for. */
    for (size_t room = 0; room < 30; ++room) {
        memset(sentence, 0x5a, sizeof sentence);
        assert_int_equal(clsort_check_tuning("/nonexistent/file", room ? sentence : NULL, room,
                                             &size),
                         CLSORT_ERROR_TUNING);
        assert_int_equal(size, 45);
        assert_int_equal(sentence[room], 0x5a);
        if (room)
            assert_int_equal(strlen(sentence), room - 1);
    }
    assert_int_equal(clsort_check_tuning(NULL, NULL, 5, NULL), CLSORT_ERROR_NULL);
    tuning_remove();
    assert_int_equal(clsort_check_tuning(NULL, sentence, sizeof sentence, &size), CLSORT_OK);
    assert_string_equal(sentence, "");
    assert_int_equal(setenv("CLSORT_TUNING", "", 1), 0); /* as if it were not set */
    assert_int_equal(clsort_check_tuning(NULL, NULL, 0, &size), CLSORT_OK);
    assert_int_equal(size, 1);
    unsetenv("CLSORT_TUNING");
}

/* Every way to damage a right file a little: it is right still, or there is a sentence. */
static void test_damaged(void **state)
{
    (void)state;
    static const char right[] = "device pocl\ngeneral item=4 tile_group=128 rank_max=2^10 # few\n"
                                "digits key=8 payload=0 scatter_group=512 scatter_items=20\n"
                                "host with_sorter=16384\n";
    rng r = {1};
    unsigned num_right = 0;
    for (int round = 0; round < 3000; ++round) {
        char text[sizeof right];
        memcpy(text, right, sizeof right);
        size_t size = sizeof right - 1;
        for (uint64_t i = 1 + rng_below(&r, 4); i > 0; --i)
            text[rng_below(&r, size)] =
                rng_below(&r, 2) ? (char)rng_next(&r) : "=#^ \n0129gipx"[rng_below(&r, 13)];
        size -= (size_t)(rng_below(&r, 4) ? 0 : rng_below(&r, size));
        num_right += sentence_of(text, size)[0] == 0;
    }
    assert_in_range(num_right, 100, 2900);
    tuning_remove();
}

/* The rows of a text. */
static struct tuning_rows rows_of(const char *text)
{
    struct tuning_rows rows;
    tuning_write_text(text);
    assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
    tuning_remove();
    return rows;
}

static struct device_facts with(const struct device_facts *facts, const struct tuning_rows *rows)
{
    struct device_facts tuned = *facts;
    tuned.tuning_rows = rows;
    return tuned;
}

/* The most registers that a kernel of radix sort may have by its plan; 0: as the compiler likes. */
static uint32_t most_registers(const struct device_facts *facts, clsort_type type, uint64_t count)
{
    const clsort_desc desc = {.count = count, .type = type, .algorithm = CLSORT_RADIX};
    struct problem problem;
    struct plan plan = {0};
    uint32_t most = 0;
    assert_int_equal(check_desc(&desc, &problem).status, CLSORT_OK);
    assert_int_equal(plan_make(facts, &problem, &plan), CLSORT_OK);
    assert_true(plan.num_steps > 0);
    for (uint32_t i = 0; i < plan.num_steps; ++i) {
        const struct variant *variant = &plan.steps[i].variant;
        assert_true(variant->registers * variant->group_size <= 65536);
        if (most < variant->registers)
            most = variant->registers;
    }
    plan_finish(&plan);
    return most;
}

static struct partition_tuning fitted_digits(const struct device_facts *facts, uint32_t key_size,
                                             uint32_t payload_size)
{
    return tuning_digits(facts, (struct digits_element){key_size, payload_size, payload_size > 0});
}

static void test_precedence(void **state)
{
    (void)state;
    struct tuning_rows rows = rows_of("digits scatter_items=8 leaf_items=10\n"
                                      "digits payload=0 key=4 scatter_items=12\n"
                                      "digits payload=0 scatter_registers=200\n"
                                      "msd float_min=2^48\n"
                                      "onesweep min=2^48\n"
                                      "  digits\tmin=1000 key=8\r\n"
                                      "general rank_max=77   # for all\n"
                                      "general item=8 rank_max=5\n"
                                      "general rank_max=88 item=16\n"
                                      "records radix_min=123\n"
                                      "host without_sorter=10\n"
                                      "merge item=32 group=64\n"
                                      "device elsewhere\n"
                                      "digits scatter_items=30\n"
                                      "host with_sorter=20");
    const struct device_facts facts = with(&h200, &rows);
    assert_int_equal(fitted_digits(&facts, 4, 0).scatter.items, 12);
    assert_int_equal(fitted_digits(&facts, 1, 0).scatter.items, 12); /* 4: up to 4 */
    assert_int_equal(fitted_digits(&facts, 8, 0).scatter.items, 8);
    assert_int_equal(fitted_digits(&facts, 4, 4).scatter.items, 8);
    assert_int_equal(fitted_digits(&facts, 4, 0).leaf.items, 10);
    assert_int_equal(fitted_digits(&facts, 8, 2).min_count, 1000);
    /* What no row names is as it was; registers are as many as there are. */
    assert_int_equal(fitted_digits(&facts, 4, 0).min_count, fitted_digits(&h200, 4, 0).min_count);
    assert_int_equal(fitted_digits(&facts, 4, 0).scatter.group_size,
                     fitted_digits(&h200, 4, 0).scatter.group_size);
    const uint32_t most = 65536 / fitted_digits(&h200, 8, 0).scatter.group_size;
    assert_true(most < 200);
    assert_int_equal(fitted_digits(&facts, 8, 0).scatter_registers, 200);
    assert_int_equal(most_registers(&facts, CLSORT_F64, 1 << 29), most);
    assert_int_equal(tuning_for(&facts, 4).rank_auto_max, 77);
    assert_int_equal(tuning_for(&facts, 8).rank_auto_max, 5);
    assert_int_equal(tuning_for(&facts, 16).rank_auto_max, 88);
    assert_int_equal(tuning_for(&facts, 8).radix.items, tuning_for(&h200, 8).radix.items);
    assert_int_equal(tuning_records(&facts, 64).radix_min, 123);
    assert_int_equal(tuning_merge(&facts, 16, 0).shape.group_size,
                     tuning_merge(&h200, 16, 0).shape.group_size);
    assert_int_equal(tuning_merge(&facts, 17, 0).shape.group_size, 64);
    assert_int_equal(tuning_merge(&facts, 272, 0).shape.group_size, 64);

    struct device_facts host = facts;
    host.host_limit = UINT64_MAX;
    assert_int_equal(tuning_host_max(&host, 0, 1), 1 << 13);
    host.class = DEVICE_NONE;
    assert_int_equal(tuning_host_max(&host, 0, 1), 10);
    assert_int_equal(tuning_host_max(&host, 1, 1), 1 << 23);
    tuning_rows_finish(&rows);
}

/* What a device cannot do is not asked of it. */
static void test_fitting(void **state)
{
    (void)state;
    struct tuning_rows rows =
        rows_of("general tile_group=4096 tile_items=32 bank_bytes=128 shuffles=1 vectors=1 "
                "radix_votes=1 radix_bits=8\n"
                "digits scatter_group=4096 scatter_items=64 leaf_group=4096 leaf_items=64 votes=1 "
                "scatter_registers=64 leaf_registers=255");
    for (int i = 0; i < num_devices; ++i) {
        const struct device_facts facts = with(devices[i], &rows);
        const struct tuning tuning = tuning_for(&facts, 4);
        assert_true(tuning.tile.group_size <= facts.max_group_size);
        assert_true(shape_slots(tuning.tile) * 4 <= facts.local_size);
        assert_true(tuning.tile.lanes == 1 || (tuning.bank_bytes == 0 && tuning.subgroup == 0));
        const int is_nvidia = facts.class == DEVICE_NVIDIA;
        assert_int_equal(tuning.radix_subgroup != 0, is_nvidia);
        assert_true(is_nvidia || tuning.radix_bits <= 4);
        const struct partition_tuning keys = fitted_digits(&facts, 4, 0);
        assert_int_equal(keys.subgroup != 0, is_nvidia);
        assert_int_equal(most_registers(&facts, CLSORT_U32, 1 << 22) != 0, is_nvidia);
        assert_true(shape_slots(keys.scatter) <= 1 << 16 && shape_slots(keys.leaf) <= 1 << 15);
        const struct partition_tuning pairs = fitted_digits(&facts, 8, 8);
        assert_true(pairs.bucket_bits == 0 || shape_slots(pairs.leaf) <= 1 << REST_SLOT_BITS);
    }
    tuning_rows_finish(&rows);
}

/* A row of each kind and each size, its numbers the smallest, the largest or any that are
 * allowed. */
static void write_any(char *text, size_t size, int choice, rng *r)
{
    size_t length = 0;
    for (int k = 0; k < NUM_TUNING_KINDS; ++k) {
        const struct tuning_kind *kind = &tuning_kinds[k];
        length += (size_t)snprintf(text + length, size - length, "%s", kind->name);
        for (size_t i = 0; i < (size_t)(kind[1].fields - kind->fields); ++i) {
            const struct tuning_field *field = &kind->fields[i];
            uint64_t value = choice == 0   ? field->min
                             : choice == 1 ? field->max
                                           : field->min + rng_below(r, field->max - field->min + 1);
            while (field->is_power && (value & (value - 1)))
                value &= value - 1;
            if (value < field->min)
                value = field->min;
            length += (size_t)snprintf(text + length, size - length, " %s=%llu", field->name,
                                       (unsigned long long)value);
            assert_true(length < size);
        }
        length += (size_t)snprintf(text + length, size - length, "\n");
    }
}

static void check_plan(const struct device_facts *facts, const clsort_desc *desc)
{
    struct problem problem;
    struct plan plan = {0};
    assert_int_equal(check_desc(desc, &problem).status, CLSORT_OK);
    const clsort_status status = plan_make(facts, &problem, &plan);
    if (status != CLSORT_ERROR_ALGORITHM_COUNT)
        assert_int_equal(status, CLSORT_OK);
    assert_true(plan.num_steps <= MAX_STEPS);
    for (uint32_t i = 0; i < plan.num_steps && !status; ++i) {
        const struct step *step = &plan.steps[i];
        assert_true(step->variant.group_size <= facts->max_group_size);
        assert_true(step->local_size <= facts->local_size);
        assert_true(step->num_groups > 0 && step->num_groups < (uint64_t)1 << 62);
        assert_true(!step->variant.subgroup ||
                    step->variant.group_size % step->variant.subgroup == 0);
        for (uint32_t b = 0; b < step->num_buffers; ++b)
            assert_true(step->buffers[b].role != BUFFER_SCRATCH ||
                        step->buffers[b].offset < plan.scratch_size);
    }
    plan_finish(&plan);
}

/* With whatever numbers, the plans are for the device. */
static void test_any_numbers(void **state)
{
    (void)state;
    static const uint64_t counts[] = {2, 5000, 1 << 20, 1u << 31, (uint64_t)1 << 39};
    static const uint32_t values[] = {0, 4, 8, 12};
    rng r = {2};
    char text[4096];
    for (int choice = 0; choice < 40; ++choice) {
        write_any(text, sizeof text, choice, &r);
        struct tuning_rows rows = rows_of(text);
        for (int d = 0; d < num_devices; ++d)
            for (int algorithm = 0; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm)
                for (int c = 0; c < 5; ++c)
                    for (int i = 0; i < 16; ++i) {
                        const struct device_facts facts = with(devices[d], &rows);
                        const clsort_desc desc = {.count = counts[c],
                                                  .num_arrays = (uint64_t)1 << (i % 3) * 4,
                                                  .type = (clsort_type)(i % CLSORT_NUM_TYPES),
                                                  .algorithm = (clsort_algorithm)algorithm,
                                                  .stable = i & 1,
                                                  .value_size = values[i / 4]};
                        check_plan(&facts, &desc);
                    }
        const clsort_strings strings = {.num_bytes = 16 << 20, .width = 16};
        const clsort_field field = {.type = CLSORT_F32};
        const clsort_record record = {.size = 16, .fields = &field, .num_fields = 1};
        const clsort_desc descs[] = {
            {.count = 1 << 20, .strings = &strings, .index_size = 4},
            {.count = 1 << 20, .num_segments = 1000, .offset_size = 4},
            {.count = 1 << 20, .num_segments = 1000, .offset_size = 4, .record = &record},
        };
        for (int d = 0; d < num_devices; ++d)
            for (size_t i = 0; i < sizeof descs / sizeof *descs; ++i) {
                const struct device_facts facts = with(devices[d], &rows);
                check_plan(&facts, &descs[i]);
            }
        tuning_rows_finish(&rows);
    }
}

/* Of CPUs, whose compilers would take long, a work-item has less than a text may say. */
static void test_items_of_cpus(void **state)
{
    (void)state;
    struct tuning_rows rows;
    tuning_write_text("splitters leaf_items=32 sample_items=32\n");
    assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
    for (int i = 0; i < num_devices; ++i) {
        struct device_facts facts = *devices[i];
        facts.tuning_rows = &rows;
        const struct partition_tuning tuning = tuning_splitters(&facts, 4, 0);
        if (facts.class == DEVICE_CPU)
            assert_true(tuning.leaf.items <= 8 && tuning.sample.items <= 8);
        else if (facts.class == DEVICE_AMD)
            assert_true(tuning.leaf.items == 32 && tuning.sample.items == 32);
    }
    tuning_rows_finish(&rows);
}

/* Records are merged by slots of 16 bits, however much local memory there is. */
static void test_merge_slots(void **state)
{
    (void)state;
    struct tuning_rows rows;
    tuning_write_text(
        "merge group=4096 items=17\n"
        "segments record_group=4096 record_items=17\n"
        "splitters leaf_group=4096 leaf_items=17 sample_group=4096 sample_items=17\n");
    assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
    struct device_facts facts = h200;
    facts.tuning_rows = &rows;
    facts.max_group_size = 4096;
    facts.local_size = 1 << 24;
    const struct shape shapes[] = {
        tuning_segments(&facts, 4, 1).shape,
        tuning_merge(&facts, 3, 0).shape,
        tuning_splitters(&facts, 4, 0).leaf,
        tuning_splitters(&facts, 4, 0).sample,
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        assert_in_range(shape_slots(shapes[i]), 1 << 15, 1 << 16);
    tuning_rows_finish(&rows);
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken),        cmocka_unit_test(test_files),
        cmocka_unit_test(test_damaged),       cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_fitting),       cmocka_unit_test(test_any_numbers),
        cmocka_unit_test(test_items_of_cpus), cmocka_unit_test(test_merge_slots),
    };
    return cmocka_run_group_tests_name("tuning_file", tests, NULL, NULL) ? 1 : 0;
}
