/* options.h: what clsort-mpi is asked to do. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <clsort/clsort_mpi.h>
#include <stdbool.h>

struct options {
    const char *input; /* with "%r" a file a rank */
    const char *output;
    const char *device; /* NULL: the library chooses */
    clsort_type type;
    clsort_order order;
    clsort_algorithm algorithm;
    uint64_t count;  /* keys to read of a file; UINT64_MAX: all */
    uint64_t memory; /* bytes that a rank may use; 0: its share of what its machine has left */
    bool check;
    bool stats;
    bool json;
};

/* False if the program is to end, with *exit_ret. Only the rank that `speaks` prints. */
bool options_read(int argc, char **argv, bool speaks, struct options *options_ret, int *exit_ret);

#endif
