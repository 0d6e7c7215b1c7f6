/* test_build_log.c: a build log names the caller's own lines whatever the compiler makes of #line.
 * Tested with logs as NVIDIA's, Oclgrind's and PoCL's compilers write them, with odd logs, and with
 * a whole build by a compiler that ignores #line: the device's compiler, with the marks hidden. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/build_log.h"
#include "support/fixture.h"

static const char source[] = "#line 1 \"cl/first.cl\"\n" /* line 1 */
                             "one\n"
                             "two\n"
                             "#line 1 \"declarations\"\n"
                             "typedef int t;\n" /* 5 */
                             "\n"
                             "#line 1 \"less\"\n"
                             "a\n"
                             "  < missing\n"
                             "#line 41 \"cl/first.cl\"\n" /* 10 */
                             "forty-one\n"
                             "#line no number\n"
                             "last, without a line feed";

static void expect_log(const char *log, const char *expected)
{
    char *given = malloc(strlen(log) + 1);
    assert_non_null(given);
    strcpy(given, log);
    char *got = build_log_by_marks(given, source);
    assert_non_null(got);
    assert_string_equal(got, expected);
    free(got);
}

static void test_nvidia(void **state)
{
    (void)state;
    expect_log("<kernel>:9:5: error: use of undeclared identifier 'missing'\n"
               "  < missing\n    ^\n"
               "<kernel>:5:9: note: declared here\n1 error generated.\n",
               "less:2:5: error: use of undeclared identifier 'missing'\n"
               "  < missing\n    ^\n"
               "declarations:1:9: note: declared here\n1 error generated.\n");
    expect_log("In file included from <kernel>:2:\n<kernel>:3:1: error: no\n",
               "In file included from cl/first.cl:1:\ncl/first.cl:2:1: error: no\n");
    expect_log("<kernel>:11:1: a\n<kernel>:13:1: b", "cl/first.cl:41:1: a\ncl/first.cl:43:1: b");
    expect_log("<kernel>:4:1: a mark", "cl/first.cl:3:1: a mark");
}

static void test_oclgrind(void **state)
{
    (void)state;
    expect_log("input.cl:9:5: error: no\na\n^\n/usr/lib/opencl-c.h:9:2: note: declared here\n",
               "less:2:5: error: no\na\n^\n/usr/lib/opencl-c.h:9:2: note: declared here\n");
}

static void test_others_stay(void **state)
{
    (void)state;
    static const char *const logs[] = {
        "",
        "error: /tmp/pocl/tempfile_1.cl/less:2:5: use of undeclared identifier 'missing'\n",
        "less:2:5: error: use of undeclared identifier\n1 error generated.\n",
        "output.cl:9:5: error: no\n",
        "myinput.cl:9:5: a text that the caller has named so\n",
        "/tmp/input.cl:9:5: error: no\n",
        "<kernel>",
        "<kernel>:",
        "<kernel>:x:5: error",
        "<kernel>:-9:5: error",
        "<kernel>: 9:5: error",
        "<kernel>:0:0: error",
        "<kernel>:1:1: before the first mark has ended",
        "<kernel>:14:1: behind the last line",
        "<kernel>:4294967305:1: 9 in 32 bits",
        "<kernel>:18446744073709551625:1: 9 in 64 bits",
        "<kernel><kernel>:<kernel>:",
        "<built-in>:9:5: error",
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; ++i)
        expect_log(logs[i], logs[i]);
    assert_null(build_log_by_marks(NULL, source));
}

/* Locations that cannot be named do not hide the ones after them. */
static void test_mixed(void **state)
{
    (void)state;
    expect_log("<kernel>:99:1: a <kernel>:<kernel>:8:1: b (input.cl:8)",
               "<kernel>:99:1: a <kernel>:less:1:1: b (less:1)");
}

/* ---- Builds ---- */
static int hides_marks;

static cl_program create(cl_context context, const char *text, cl_int *code_ret)
{
    cl_program(CL_API_CALL * real)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    *(void **)&real = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    return real(context, 1, &text, NULL, code_ret);
}

/* Makes the device's compiler behave like NVIDIA's: the first mark names all lines <kernel> and
 * counts them from there; the other marks become comments. */
cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint num,
                                                 const char **texts, const size_t *lengths,
                                                 cl_int *code_ret)
{
    static const char mark[] = "#line 2 \"<kernel>\"";
    assert_true(num == 1 && !lengths);
    char *text = malloc(strlen(texts[0]) + 1);
    assert_non_null(text);
    strcpy(text, texts[0]);
    if (hides_marks) {
        for (char *at = text; (at = strstr(at, "#line ")); ++at)
            memcpy(at, "//", 2);
        const size_t length = strcspn(text, "\n");
        assert_true(length >= sizeof mark - 1);
        memset(text, ' ', length);
        memcpy(text, mark, sizeof mark - 1);
    }
    cl_program program = create(context, text, code_ret);
    free(text);
    return program;
}

static void expect_part(clsort_sorter *sorter, const clsort_record *record, const char *part)
{
    int records[2] = {2, 1};
    const clsort_desc desc = {.count = 2, .record = record};
    const clsort_arrays arrays = {.keys = records};
    expect_status(clsort_sort(sorter, &desc, &arrays), CLSORT_ERROR_BUILD);
    clsort_error_info info;
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    if (!strstr(info.build_log, part) || strstr(info.build_log, "<kernel>:"))
        fail_msg("the build log does not say \"%s\":\n%s", part, info.build_log);
}

static void test_builds(void **state)
{
    (void)state;
    static const struct {
        clsort_record record;
        const char *part;
    } wrong[] = {
        {{.size = 4, .type = "int", .less = "\n\na < missing"}, "less:3"},
        {{.size = 4, .type = "int", .less_body = "int x = a;\nreturn x < nowhere;"}, "less_body:2"},
        {{.size = 4, .declarations = "\ntypedef strange t;", .type = "t", .less = "a < b"},
         "declarations:2"},
        {{.size = 4, .type = "strange", .less = "a < b"}, "type:1"},
    };
    clsort_sorter *sorter = NULL;
    if (clsort_create(NULL, NULL, &sorter))
        skip_because("there is no OpenCL device");
    for (hides_marks = 0; hides_marks < 2; ++hides_marks)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
            expect_part(sorter, &wrong[i].record, wrong[i].part);
    hides_marks = 0;
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvidia),      cmocka_unit_test(test_oclgrind),
        cmocka_unit_test(test_others_stay), cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_builds),
    };
    return cmocka_run_group_tests_name("build_log", tests, NULL, NULL) ? 1 : 0;
}
