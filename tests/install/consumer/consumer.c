/* A user's program: the header and the library have the same version, the library sorts, and
 * linking it also links OpenCL, which users call themselves. */
#include <clsort/clsort.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", CLSORT_VERSION_MAJOR, CLSORT_VERSION_MINOR,
             CLSORT_VERSION_PATCH);
    if (strcmp(version, clsort_version()) != 0) {
        printf("the header is of version %s, the library %s\n", version, clsort_version());
        return 1;
    }

    cl_uint num_platforms = 0;
    clGetPlatformIDs(0, NULL, &num_platforms);
    if (num_platforms == 0) {
        printf("version %s; not run, there is no OpenCL platform\n", version);
        return 0;
    }

    uint32_t keys[] = {5, 3, 4, 1, 2};
    /* A named algorithm always runs on the device. */
    const clsort_desc desc = {.count = 5, .algorithm = CLSORT_BITONIC};
    const clsort_arrays arrays = {.keys = keys};
    const clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        printf("%s\n", clsort_status_text(status));
        return 1;
    }
    for (uint32_t i = 0; i < 5; ++i) {
        if (keys[i] != i + 1) {
            printf("key %d is %d\n", (int)i, (int)keys[i]);
            return 1;
        }
    }
    printf("version %s sorts\n", version);
    return 0;
}
