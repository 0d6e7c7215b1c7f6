#include "io/temp.h"

#include "io/calls.h"
#include "io/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Temporary names that exist, where a signal handler finds them. */
enum { NUM_SLOTS = 20 };                /* outputs of one sort, and one that replaces a file */
enum { OWNER_ALONE = 0600, MARKS = 6 }; /* a mode; what mkstemp() replaces of a name */
static char temp_paths[NUM_SLOTS][PATH_MAX];
static volatile sig_atomic_t temp_exists[NUM_SLOTS];

/* A name is being made or moved, and temp_exists does not yet tell. */
static atomic_int is_naming;

void temp_remove_all(void)
{
    /* Another thread names, which is short: it blocks signals. From then on none does. */
    while (atomic_exchange(&is_naming, 1))
        sched_yield();
    for (int slot = 0; slot < NUM_SLOTS; slot++) {
        if (temp_exists[slot])
            unlink(temp_paths[slot]);
    }
}

const char *temp_dir(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

static void begin_naming(sigset_t *before_ret)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before_ret);
    while (atomic_exchange(&is_naming, 1))
        sched_yield();
}

static void end_naming(const sigset_t *before)
{
    const int error = errno;
    atomic_store(&is_naming, 0);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/* The bytes of a path up to its last slash. */
static int dir_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* A slot for a temporary name beside `target`, or 0. The name's end is to be made by mkstemp(). */
static int take_slot(const char *target)
{
    int slot = 0;
    while (slot < NUM_SLOTS && temp_exists[slot])
        slot++;
    const int length = dir_length(target);
    if (slot == NUM_SLOTS || length + 16 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return 0;
    }
    snprintf(temp_paths[slot], PATH_MAX, "%.*s.clsort.XXXXXX", length, target); /* MARKS of them */
    return slot + 1;
}

enum { PROC_TEXT = 32 };
static const char *proc_path(int fd, char path[PROC_TEXT])
{
    snprintf(path, PROC_TEXT, "/proc/self/fd/%d", fd);
    return path;
}

/* A file without a name, which /proc lets have one later; -1 where there is no such thing. */
static int open_nameless(const char *target, mode_t mode)
{
    char path[PATH_MAX];
    const int length = dir_length(target);
    if (length + 2 > PATH_MAX)
        return -1;
    snprintf(path, sizeof(path), "%.*s.", length, target);
    const int fd = call_open(path, O_TMPFILE | O_RDWR, mode);
    char in_proc[PROC_TEXT];
    if (fd < 0 || access(proc_path(fd, in_proc), F_OK) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The same for a file that has to have a name: mkstemp() finds one that is free. */
static int make_named(char *path, mode_t mode)
{
    char *const end = path + strlen(path) - MARKS;
    int fd;
    do {
        memset(end, 'X', MARKS);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0 && mode != OWNER_ALONE) {
            close(fd);
            unlink(path);
            fd = call_open(path, O_RDWR | O_CREAT | O_EXCL, mode);
        }
    } while (fd < 0 && (errno == EINTR || errno == EEXIST));
    return fd;
}

static int open_named(const char *target, mode_t mode, int *slot_ret)
{
    *slot_ret = take_slot(target);
    if (*slot_ret == 0)
        return -1;
    sigset_t before;
    begin_naming(&before);
    const int fd = make_named(temp_paths[*slot_ret - 1], mode);
    temp_exists[*slot_ret - 1] = fd >= 0;
    end_naming(&before);
    return fd;
}

/* The mode of a new file. A list of access that its folder gives stands for the process's mask,
 * which older systems leave out for a file without a name. */
static mode_t new_mode(const char *target)
{
    char folder[PATH_MAX];
    const mode_t mask = umask(077); /* nor is a file of another thread open to all meanwhile */
    umask(mask);
    snprintf(folder, sizeof(folder), "%.*s.", dir_length(target), target);
    if (getxattr(folder, "system.posix_acl_default", NULL, 0) > 0)
        return 0666;
    return 0666 & ~mask;
}

bool temp_open(struct temp *temp, const char *target, bool is_new)
{
    const mode_t mode = is_new ? new_mode(target) : OWNER_ALONE;
    signals_catch();
    *temp = (struct temp){.fd = open_nameless(target, mode)};
    if (temp->fd < 0)
        temp->fd = open_named(target, mode, &temp->slot);
    return temp->fd >= 0;
}

int temp_open_nameless(const char *dir)
{
    char target[PATH_MAX];
    struct temp temp;
    if ((size_t)snprintf(target, sizeof(target), "%s/temp", dir) >= sizeof(target)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!temp_open(&temp, target, false))
        return -1;
    if (temp.slot) {
        unlink(temp_paths[temp.slot - 1]);
        temp_exists[temp.slot - 1] = 0;
    }
    return temp.fd;
}

/* Gives a file without a name the name of another one, by a temporary name. */
static bool replace_by_nameless(int fd, const char *target)
{
    char in_proc[PROC_TEXT];
    const int slot = take_slot(target);
    if (slot == 0)
        return false;
    char *path = temp_paths[slot - 1];
    /* mkstemp() finds a name that is free; the file takes its place. */
    const int placeholder = mkostemp(path, O_CLOEXEC);
    if (placeholder < 0)
        return false;
    close(placeholder);
    bool ok = unlink(path) == 0 &&
              linkat(AT_FDCWD, proc_path(fd, in_proc), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
    ok = ok && rename(path, target) == 0;
    const int error = errno;
    if (!ok)
        unlink(path);
    errno = error;
    return ok;
}

bool temp_name(struct temp *temp, const char *target)
{
    char in_proc[PROC_TEXT];
    sigset_t before;
    begin_naming(&before);
    bool ok;
    if (temp->slot) {
        ok = rename(temp_paths[temp->slot - 1], target) == 0;
        temp_exists[temp->slot - 1] = !ok;
    } else {
        ok = linkat(AT_FDCWD, proc_path(temp->fd, in_proc), AT_FDCWD, target, AT_SYMLINK_FOLLOW) ==
             0;
        if (!ok && errno == EEXIST)
            ok = replace_by_nameless(temp->fd, target);
    }
    end_naming(&before);
    return ok;
}

void temp_close(struct temp *temp)
{
    if (temp->fd >= 0)
        close(temp->fd);
    if (temp->slot && temp_exists[temp->slot - 1])
        unlink(temp_paths[temp->slot - 1]);
    if (temp->slot)
        temp_exists[temp->slot - 1] = 0;
    *temp = (struct temp){.fd = -1};
}
