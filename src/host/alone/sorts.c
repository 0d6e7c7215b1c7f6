/* sorts.c: the table of processors and their sorts. */
#include "host/alone/items.h"

static const struct host_sorts sorts[] = {
#if HOST_HAS_X86
    {"avx512", &host_vectors_32, &host_vectors_64, &host_order, host_items_sort_64_avx2,
     host_items_sort_pairs_avx2},
    {"avx2", &host_vectors_32_avx2, NULL, NULL, host_items_sort_64_avx2,
     host_items_sort_pairs_avx2},
#endif
    {"plain", NULL, NULL, NULL, host_items_sort_64, host_items_sort_pairs},
};
enum { num_sorts = sizeof sorts / sizeof *sorts };

int host_sorts_list(const struct host_sorts **list_ret)
{
    int first = 0;
#if HOST_HAS_X86
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    first = !has_avx2 ? 2 : !__builtin_cpu_supports("avx512f");
#endif
    *list_ret = sorts + first;
    return num_sorts - first;
}

const struct host_sorts *host_sorts_best(void)
{
    const struct host_sorts *list;
    host_sorts_list(&list);
    return list;
}
