/* A user's program of one rank: header and library are of the same flavour, and the library
 * sorts. */
#include <clsort/clsort_mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    unsigned keys[] = {5, 3, 4, 1, 2};
    clsort_desc desc = CLSORT_ZERO;
    clsort_arrays arrays = CLSORT_ZERO;
    int status = 0, wrong = 0, i = 0;
    MPI_Init(&argc, &argv);
    desc.count = 5;
    arrays.keys = keys;
    status = clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
    for (i = 0; i < 5; ++i)
        wrong |= keys[i] != (unsigned)i + 1;
    printf("%s: %s\n", clsort_mpi_flavour(), clsort_mpi_status_text(status));
    MPI_Finalize();
    return status || wrong;
}
