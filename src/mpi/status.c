/* status.c: a sentence for each status. */
#include "clsort/clsort_mpi.h"

/* The list has each enumerator once, in its place. */
#define PLACE(name, text) PLACE_##name,
#define IS_PLACED(name, text)                                                               \
    _Static_assert((int)PLACE_##name == CLSORT_##name - CLSORT_MPI_STATUS_BEFORE_FIRST - 1, \
                   "clsort_mpi.h and its list differ");
enum { CLSORT_MPI_STATUS_LIST(PLACE) NUM_LISTED };
CLSORT_MPI_STATUS_LIST(IS_PLACED)
_Static_assert((int)NUM_LISTED ==
                   CLSORT_MPI_STATUS_BEHIND_LAST - CLSORT_MPI_STATUS_BEFORE_FIRST - 1,
               "all are listed");

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
