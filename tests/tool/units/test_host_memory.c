/* The tool's memory limit: what control groups of versions 1 and 2 leave, by files made here; and
 * the sizes that -S accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory/host_memory.h"

static char root[] = "/tmp/clsort.XXXXXX";

/* Writes a file below the root, and creates its folders. */
static void put(const char *path, const char *text)
{
    char command[1024], whole[512];
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", whole);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(strrchr(root, '.') + 1, "XXXXXX");
    if (!mkdtemp(root))
        return 1;
    put("/proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n");
    return 0;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", root);
    return system(command);
}

static void test_no_groups(void **state)
{
    (void)state;
    assert_int_equal(host_memory_below(root), 8000 * 1024);
    put("/proc/self/cgroup", "0::/\n");
    assert_int_equal(host_memory_below(root), 8000 * 1024);
}

/* The smallest limit of a group and its ancestors. Pages of files count as free. */
static void test_version_2(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/outer/inner\n");
    put("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
    put("/sys/fs/cgroup/outer/memory.max", "1000000\n");
    put("/sys/fs/cgroup/outer/memory.current", "700000\n");
    put("/sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 200000\nactive_file 9\n");
    assert_int_equal(host_memory_below(root), 500000);
    put("/sys/fs/cgroup/outer/inner/memory.high", "400000\n");
    put("/sys/fs/cgroup/outer/inner/memory.current", "100000\n");
    assert_int_equal(host_memory_below(root), 300000);
    put("/sys/fs/cgroup/outer/inner/memory.current", "500000\n");
    assert_int_equal(host_memory_below(root), 0);
}

/* Half of what a limit of the process leaves, when something is set aside. */
static void test_limits(void **state)
{
    static const char limits[] = "Limit       Soft Limit  Hard Limit  Units\n"
                                 "Max data size    %s  unlimited  bytes\n"
                                 "Max address space   %s    unlimited  bytes\n";
    char text[512];
    (void)state;
    put("/proc/meminfo", "MemAvailable:    8000000 kB\n");
    put("/proc/self/status", "VmSize:\t  50000 kB\nVmData:\t  20000 kB\n");
    snprintf(text, sizeof(text), limits, "unlimited", "unlimited");
    put("/proc/self/limits", text);
    assert_true(host_memory_room_below(root) == UINT64_MAX);
    assert_int_equal(host_memory_below(root), UINT64_C(8000000) * 1024);
    snprintf(text, sizeof(text), limits, "unlimited", "1075200000"); /* 1050000 kB */
    put("/proc/self/limits", text);
    assert_int_equal(host_memory_room_below(root), UINT64_C(1000000) * 1024);
    assert_int_equal(host_memory_below(root), (UINT64_C(1000000) - 112 * 1024) * 1024 / 2);
    snprintf(text, sizeof(text), limits, "40960000", "1075200000"); /* 40000 kB */
    put("/proc/self/limits", text);
    assert_int_equal(host_memory_room_below(root), 20000 * 1024);
    assert_int_equal(host_memory_below(root), 5000 * 1024);
    snprintf(text, sizeof(text), limits, "1000", "unlimited"); /* less than is in use */
    put("/proc/self/limits", text);
    assert_int_equal(host_memory_below(root), 0);
}

static void test_version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:hugetlb,memory:/a\n0::/\n");
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000000\n");
    put("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000000\n");
    put("/sys/fs/cgroup/memory/a/memory.stat", "cache 7\ntotal_inactive_file 500000\n");
    assert_int_equal(host_memory_below(root), 2500000);
    /* The path is the host's: the mount's own files are the container's. */
    put("/proc/self/cgroup", "4:memory:/not/here\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "200000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "50000\n");
    assert_int_equal(host_memory_below(root), 150000);
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } right[] = {{"100", 100 << 10},     {"70000b", 70000},         {"64k", 64 << 10},
                 {"3M", 3 << 20},        {"2G", UINT64_C(2) << 30}, {"1T", UINT64_C(1) << 40},
                 {"99999P", UINT64_MAX}, {"1", 64 << 10},           {"0%", 64 << 10}};
    uint64_t size;
    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        assert_true(parse_memory(right[i].text, &size));
        assert_int_equal(size, right[i].size);
    }
    static const char *const wrong[] = {"",  "x",   "-1", "1X", "1KK", "99999999999999999999",
                                        "M", "1.5G"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(parse_memory(wrong[i], &size));
    assert_true(parse_memory("50%", &size));
    assert_int_equal(size, (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2);
}

/* A control group at its limit leaves nothing, and the tool goes on with little. */
static void test_share(void **state)
{
    (void)state;
    static const uint64_t least = 64 << 10;
    assert_int_equal(host_memory_share(0, 1 << 20), 1 << 19);
    assert_int_equal(host_memory_share(1 << 18, 1 << 20), 1 << 18);
    assert_int_equal(host_memory_share(1 << 22, 1 << 20), 1 << 20);
    assert_int_equal(host_memory_share(0, 1 << 16), least);
    assert_int_equal(host_memory_share(0, 0), least);
    assert_int_equal(host_memory_share(1 << 22, 0), least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_groups, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_version_2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_version_1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_limits, make_root, remove_root),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
