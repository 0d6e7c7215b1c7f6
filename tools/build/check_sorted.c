/* check_sorted INPUT OUTPUT: is OUTPUT the u32 keys of INPUT, sorted?
 *
 * Sorts the input again by the C library's qsort() and compares every byte, which shows order and
 * permutation at once. Shares no code with clsort, on purpose. Exits 0 if it is, 1 if not, 2 on
 * trouble. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *read_keys(const char *name, size_t *count_ret)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(name);
        exit(2);
    }
    const long size = ftell(file);
    uint32_t *keys = size < 0 ? NULL : malloc((size_t)size + 1); /* + 1: malloc(0) may be NULL */
    rewind(file);
    if (!keys || fread(keys, 1, (size_t)size, file) != (size_t)size) {
        perror(name);
        exit(2);
    }
    if (size % 4) {
        fprintf(stderr, "%s: the size is not a multiple of 4 bytes\n", name);
        exit(2);
    }
    fclose(file);
    *count_ret = (size_t)size / 4;
    return keys;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: check_sorted INPUT OUTPUT\n");
        return 2;
    }
    size_t num_expected, num_keys;
    uint32_t *expected = read_keys(argv[1], &num_expected);
    uint32_t *keys = read_keys(argv[2], &num_keys);
    if (num_keys != num_expected) {
        printf("WRONG: %zu keys went in, %zu came out\n", num_expected, num_keys);
        return 1;
    }
    qsort(expected, num_expected, sizeof *expected, compare);
    for (size_t i = 0; i < num_keys; ++i) {
        if (keys[i] != expected[i]) {
            printf("WRONG: key %zu is %lu, qsort() says %lu\n", i, (unsigned long)keys[i],
                   (unsigned long)expected[i]);
            return 1;
        }
    }
    printf("right: %zu keys, the same as qsort() gives\n", num_keys);
    free(expected);
    free(keys);
    return 0;
}
