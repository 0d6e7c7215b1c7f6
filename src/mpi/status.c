/* status.c: a sentence for each status. */
#include "clsort/clsort_mpi.h"

#define SENTENCE(name, text) text,
static const char *const sentences[] = {CLSORT_MPI_STATUS_LIST(SENTENCE)};
#undef SENTENCE

const char *clsort_mpi_status_text(int status)
{
    if (status > CLSORT_MPI_STATUS_BEFORE_FIRST && status < CLSORT_MPI_STATUS_BEHIND_LAST)
        return sentences[status - CLSORT_MPI_STATUS_BEFORE_FIRST - 1];
    return clsort_status_text((clsort_status)status);
}

const char *clsort_mpi_flavour(void)
{
    return CLSORT_MPI_FLAVOUR;
}
