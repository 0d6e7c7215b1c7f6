#include "job.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

int own_rank, num_ranks;

static char note[1024];

bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!*note)
        vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    return false;
}

bool all_right(bool is_right)
{
    int first = is_right && !*note ? num_ranks : own_rank;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == own_rank)
        fprintf(stderr, "clsort-mpi: %s\n", note);
    return first == num_ranks;
}

uint64_t sum_of(uint64_t number)
{
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return number;
}

uint64_t sum_before(uint64_t number)
{
    uint64_t sum = 0;
    MPI_Exscan(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return own_rank ? sum : 0;
}

double largest_of(double number)
{
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return number;
}
