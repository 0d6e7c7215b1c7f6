/* streams.c: sorts from file to file, without an array of all keys in this program. The library
 * asks for ranges of the source and gives ranges to the sink, in any order.
 * Output: 100000 keys are in order */
#include <clsort/clsort.h>
#include <stdio.h>

enum { COUNT = 100000 };

static int read_range(void *context, void *bytes, uint64_t offset, size_t size)
{
    FILE *file = (FILE *)context;
    return fseek(file, (long)offset, SEEK_SET) || fread(bytes, 1, size, file) != size;
}

static int write_range(void *context, void *bytes, uint64_t offset, size_t size)
{
    FILE *file = (FILE *)context;
    return fseek(file, (long)offset, SEEK_SET) || fwrite(bytes, 1, size, file) != size;
}

int main(void)
{
    FILE *in = tmpfile(), *out = tmpfile();
    if (!in || !out)
        return 1;
    for (uint32_t i = 0; i < COUNT; ++i) {
        uint32_t key = i * 2654435761u;
        if (fwrite(&key, sizeof key, 1, in) != 1)
            return 1;
    }

    clsort_desc desc = CLSORT_ZERO; /* u32 keys, ascending */
    desc.count = COUNT;
    const clsort_stream source = {read_range, in}, sink = {write_range, out};
    clsort_status status = clsort_sort_through(NULL, &desc, &source, &sink);
    if (status) { /* ERROR_STREAM: a function of ours did not return 0 */
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }

    uint32_t last = 0, key = 0;
    rewind(out);
    for (int i = 0; i < COUNT; ++i, last = key)
        if (fread(&key, sizeof key, 1, out) != 1 || key < last)
            return 1;
    printf("%d keys are in order\n", COUNT);
    fclose(in);
    fclose(out);
    return 0;
}
