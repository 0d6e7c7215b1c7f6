/* options.h: the command line of clsort-mpi. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <clsort/clsort_mpi.h>
#include <stdbool.h>

struct options {
    const char *input; /* "%r" in it stands for the rank */
    const char *output;
    const char *device; /* NULL: the library chooses */
    clsort_type type;
    clsort_order order;
    clsort_algorithm algorithm;
    uint64_t count;  /* keys to read from each file; UINT64_MAX: all */
    uint64_t memory; /* bytes that a rank may use; 0: its share of the machine's available memory */
    bool verify;
    bool stats;
    bool json;
};

/* Returns false if the program must end with *exit_ret. Only the rank that `speaks` prints. */
bool options_read(int argc, char **argv, bool speaks, struct options *options_ret, int *exit_ret);

#endif
