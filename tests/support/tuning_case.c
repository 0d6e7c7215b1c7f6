#include "tuning_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

const char *tuning_path(void)
{
    return path;
}

void tuning_write(const char *text, size_t size)
{
    if (!path[0]) {
        const char *dir = getenv("TMPDIR");
        snprintf(path, sizeof path, "%.200s/clsort-tuning-XXXXXX", dir && *dir ? dir : "/tmp");
        const int descriptor = mkstemp(path);
        assert_true(descriptor >= 0);
        close(descriptor);
    }
    remove(path); /* on some file systems, overwriting a file waits for the disk */
    FILE *file = fopen(path, "wbx");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("CLSORT_TUNING", path, 1), 0);
}

void tuning_write_text(const char *text)
{
    tuning_write(text, strlen(text));
}

void tuning_remove(void)
{
    unsetenv("CLSORT_TUNING");
    if (path[0])
        remove(path);
    path[0] = 0;
}

clsort_sorter *tuned_sorter(const fixture *fix, const char *text)
{
    tuning_write_text(text);
    clsort_sorter *sorter = sorter_create(fix);
    tuning_remove();
    return sorter;
}

clsort_sorter *tuned_sorter_as_gpu(const fixture *fix, const char *text)
{
    fixture_limit(fix, "cpu=0");
    clsort_sorter *sorter = tuned_sorter(fix, text);
    fixture_end_limit();
    return sorter;
}
