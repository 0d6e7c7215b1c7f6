#include "io/open_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

/* Descriptors below the limit that are free, at most `most`: some may be inherited. */
static uint64_t count_free(rlim_t limit, uint64_t most)
{
    uint64_t num = 0;
    for (rlim_t fd = 0; fd < limit && num < most; fd++)
        num += fcntl((int)fd, F_GETFD) < 0 && errno == EBADF;
    return num;
}

uint64_t open_files_allow(uint64_t num)
{
    enum { OWN = 2 }; /* the temporary file, once more past the cache */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return num;
    uint64_t num_free = count_free(limit.rlim_cur, num + OWN);
    const rlim_t before = limit.rlim_cur, missing = num + OWN - num_free;
    if (missing > 0 && limit.rlim_max > before) {
        limit.rlim_cur = limit.rlim_max - before < missing ? limit.rlim_max : before + missing;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            num_free = count_free(limit.rlim_cur, num + OWN);
    }
    return num_free > OWN ? num_free - OWN : 0;
}
