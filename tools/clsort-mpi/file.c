
#include "job.h"

#include "io/calls.h"
#include "memory/host_memory.h"
#include "io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file_per_rank(const char *name)
{
    return strstr(name, "%r") != NULL;
}

/* Replaces each "%r" by this rank's number and appends `suffix`. Without memory, records that and
 * returns NULL. */
static char *name_of(const char *name, const char *suffix)
{
    char *full = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&full, &size);
    for (const char *mark; file && (mark = strstr(name, "%r")); name = mark + 2)
        fprintf(file, "%.*s%d", (int)(mark - name), name, own_rank);
    if (file)
        fprintf(file, "%s%s", name, suffix);
    if (file && fclose(file) == 0)
        return full;
    free(full);
    wrong("out of memory");
    return NULL;
}

bool share_find(const struct options *options, struct share *share_ret)
{
    const uint64_t size = clsort_type_size(options->type);
    struct stat facts;
    *share_ret = (struct share){.name = name_of(options->input, "")};
    if (!share_ret->name)
        return false;
    if (stat(share_ret->name, &facts))
        return wrong("cannot read '%s': %s", share_ret->name, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return wrong("'%s' is not a regular file; ranks read different parts of it",
                     share_ret->name);
    const uint64_t bytes = (uint64_t)facts.st_size;
    uint64_t count = bytes / size;
    if (options->count <= count)
        count = options->count;
    else if (bytes % size)
        return wrong("the size of '%s' is not a multiple of %d bytes", share_ret->name, (int)size);
    share_ret->count = count;
    if (!is_file_per_rank(options->input)) {
        const uint64_t ranks = (uint64_t)num_ranks, rank = (uint64_t)own_rank;
        const uint64_t rest = count % ranks,
                       before = count / ranks * rank + (rank < rest ? rank : rest);
        share_ret->count = count / ranks + (rank < rest);
        share_ret->offset = before * size;
    }
    return true;
}

/* The ranks of this machine. */
static MPI_Comm machine_open(int *num_ret)
{
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, num_ret);
    return machine;
}

/* Copies of the keys that a rank holds at once: the keys, those sent and those received; and of a
 * device whose memory is the host's, what it sorts in. */
static int num_copies(const struct options *options, const struct share *share)
{
    const clsort_desc desc = {.count = share->count,
                              .type = options->type,
                              .order = options->order,
                              .algorithm = options->algorithm};
    return !options->device && clsort_sorts_on_host(NULL, &desc) ? 3 : 4;
}

bool share_fits(const struct options *options, const struct share *share)
{
    const double size = (double)share->count * (double)clsort_type_size(options->type);
    uint64_t memory = options->memory;
    int num = 1;
    MPI_Comm machine = machine_open(&num);
    MPI_Comm_free(&machine);
    if (!memory)
        memory = host_memory_available() / (uint64_t)num;
    const double needed = num_copies(options, share) * size;
    if (needed <= (double)memory)
        return true;
    return wrong("'%s' is larger than the memory of %s: the %.0f bytes of rank %d need %.0f bytes "
                 "of memory, and it has %.0f; use more machines or ranks",
                 share->name, is_file_per_rank(options->input) ? "its rank" : "all ranks", size,
                 own_rank, needed, (double)memory);
}

void *share_read(const struct options *options, const struct share *share)
{
    const uint64_t size = share->count * clsort_type_size(options->type);
    char *keys = malloc(size ? size : 1);
    const int file = call_open(share->name, O_RDONLY, 0);
    const ssize_t num_read = keys && file >= 0 ? call_read(file, keys, size, share->offset) : -1;
    if (!keys)
        wrong("out of memory");
    else if (num_read < 0)
        wrong("cannot read '%s': %s", share->name, strerror(errno));
    else if ((uint64_t)num_read < size)
        wrong("'%s' became shorter while it was read", share->name);
    if (file >= 0)
        close(file);
    if (keys && num_read == (ssize_t)size)
        return keys;
    free(keys);
    return NULL;
}

/* Creates a new file of its full size, so that a full disk is found before anything is written. If
 * it will replace a file, it is its owner's alone until then. *is_made_ret: there is one, to be
 * named or removed. */
static bool create(const char *name, const char *replaced, uint64_t size, bool *is_made_ret)
{
    const bool is_new = access(replaced, F_OK) != 0;
    const int file =
        open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_new ? 0666 : S_IRUSR | S_IWUSR);
    *is_made_ret = file >= 0;
    if (file < 0 && errno == EEXIST)
        return wrong(
            "'%s' is there already, of a sort that runs or was killed, or a file of yours; "
            "remove it, or name another output",
            name);
    if (file < 0)
        return wrong("cannot write '%s': %s", name, strerror(errno));
    int code = size ? posix_fallocate(file, 0, (off_t)size) : 0;
    if (code == EOPNOTSUPP || code == EINVAL)
        code = ftruncate(file, (off_t)size) ? errno : 0;
    if (close(file) && !code)
        code = errno;
    return !code || wrong("cannot write '%s': %s", name, strerror(code));
}

static bool fill(const char *name, const void *keys, uint64_t size, uint64_t offset)
{
    const int file = open(name, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return wrong("cannot write '%s': %s", name, strerror(errno));
    bool is_right =
        (call_write(file, keys, size, offset) && (call_sync(file) || errno == EINVAL)) ||
        wrong("cannot write '%s': %s", name, strerror(errno));
    if (close(file) && is_right)
        is_right = wrong("cannot write '%s': %s", name, strerror(errno));
    return is_right;
}

/* Whether a file that is there may be replaced. */
static bool is_replaceable(const char *name, const struct stat *facts)
{
    if (!S_ISREG(facts->st_mode))
        return wrong("cannot write '%s': it is there, and is not a regular file", name);
    char *target = access(name, W_OK) ? NULL : realpath(name, NULL);
    if (!target)
        return wrong("cannot write '%s': %s", name, strerror(errno));
    const char *refusal = replace_refusal(target);
    free(target);
    return !refusal || wrong("cannot replace '%s': %s", name, refusal);
}

/* Makes the file that the result will be written to, and removes it again. */
static bool is_creatable(const char *name, uint64_t size)
{
    bool is_made = false, is_right = create(name, "", 0, &is_made);
    const int file = is_right ? open(name, O_WRONLY | O_CLOEXEC) : -1;
    if (is_right && (file < 0 || !call_has_room(file, size)))
        is_right = wrong("cannot write '%s': %s", name, strerror(errno));
    if (file >= 0)
        close(file);
    if (is_made)
        unlink(name);
    return is_right;
}

/* Bytes that the ranks of this machine want on the disk of this rank's file. All ranks call it. */
static uint64_t size_on_disk(const char *name, uint64_t size)
{
    const char *end = name ? strrchr(name, '/') : NULL;
    char *folder = end ? strndup(name, (size_t)(end - name) + 1) : NULL;
    struct stat facts = {0};
    if (stat(end && folder ? folder : ".", &facts))
        facts.st_dev = 0;
    free(folder);
    int num = 1;
    MPI_Comm machine = machine_open(&num), disk = MPI_COMM_NULL;
    MPI_Comm_split(machine, (int)(facts.st_dev & INT_MAX), 0, &disk);
    MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_UINT64_T, MPI_SUM, disk);
    MPI_Comm_free(&disk);
    MPI_Comm_free(&machine);
    return size;
}

bool result_is_possible(const struct options *options, uint64_t count, uint64_t total)
{
    const bool own_file = is_file_per_rank(options->output);
    uint64_t size = (own_file ? count : total) * clsort_type_size(options->type);
    if (!own_file && own_rank)
        return true;
    char *name = name_of(options->output, ""), *part = name_of(options->output, ".part");
    if (own_file)
        size = size_on_disk(name, size);
    struct stat facts;
    bool is_right = name && part;
    if (is_right && lstat(name, &facts) == 0)
        is_right = is_replaceable(name, &facts);
    is_right = is_right && is_creatable(part, size);
    free(name);
    free(part);
    return is_right;
}

/* Gives the complete file its name. */
static bool name_result(const char *part, const char *name)
{
    bool is_narrower = false;
    const int file = open(part, O_WRONLY | O_CLOEXEC);
    const bool is_kept = (file >= 0 && replace_keep_access(file, name, &is_narrower)) ||
                         wrong("cannot set the mode of '%s': %s", name, strerror(errno));
    if (file >= 0)
        close(file);
    if (is_narrower)
        fprintf(stderr, "clsort-mpi: '%s': " REPLACE_NARROWED "\n", name);
    return is_kept && (rename(part, name) == 0 ||
                       wrong("cannot name the result '%s': %s", name, strerror(errno)));
}

bool result_write(const struct options *options, const void *keys, uint64_t count, uint64_t before,
                  uint64_t total)
{
    const uint64_t size = clsort_type_size(options->type);
    const bool own_file = is_file_per_rank(options->output), is_maker = own_file || own_rank == 0;
    char *name = name_of(options->output, ""), *part = name_of(options->output, ".part");
    bool is_made = false, is_named = false;
    bool is_right =
        all_right(name && part &&
                  (!is_maker || create(part, name, (own_file ? count : total) * size, &is_made))) &&
        all_right(fill(part, keys, count * size, own_file ? 0 : before * size));
    if (is_right && is_maker)
        is_named = name_result(part, name);
    if (is_made && !is_named)
        unlink(part);
    is_right = is_right && all_right(is_named || !is_maker);
    free(name);
    free(part);
    return is_right;
}
