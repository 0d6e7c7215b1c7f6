#include "io/replace.h"

#include "io/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef STATX_ATTR_MOUNT_ROOT
/* What a file, or its folder, can be. An immutable one cannot be written at all. */
static const struct {
    bool is_of_folder;
    uint64_t attribute;
    const char *refusal;
} hindrances[] = {
    {false, STATX_ATTR_MOUNT_ROOT, "it is a mount point; " REPLACE_BY_COPY},
    {false, STATX_ATTR_APPEND, "it can only grow (chattr +a); write to another file"},
    {true, STATX_ATTR_APPEND, "its folder can only grow (chattr +a); " REPLACE_BY_COPY},
};
enum { NUM_HINDRANCES = sizeof(hindrances) / sizeof(hindrances[0]) };

/* 0 where the system, or the file system, does not tell. */
static uint64_t attributes_of(const char *path)
{
    struct statx status;
    return statx(AT_FDCWD, path, 0, 0, &status) == 0
               ? status.stx_attributes & status.stx_attributes_mask
               : 0;
}

static const char *attribute_refusal(const char *target, const char *folder)
{
    const uint64_t attributes[] = {attributes_of(target), attributes_of(folder)};
    for (int i = 0; i < NUM_HINDRANCES; i++) {
        if (attributes[hindrances[i].is_of_folder] & hindrances[i].attribute)
            return hindrances[i].refusal;
    }
    return NULL;
}
#else
static const char *attribute_refusal(const char *target, const char *folder)
{
    (void)target;
    (void)folder;
    return NULL;
}
#endif

/* Whether the folder is sticky, and neither it nor the file belongs to the caller. */
static bool is_kept_by_folder(const char *target, const char *folder)
{
    struct stat status;
    if (stat(folder, &status) != 0 || !(status.st_mode & S_ISVTX) || status.st_uid == geteuid())
        return false;
    /* O_NOATIME needs the same right: it is for the file's owner, and for root where root has power
     * over that owner's files. */
    const int fd = call_open(target, O_WRONLY | O_NOATIME, 0);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == EPERM;
}

const char *replace_refusal(const char *target)
{
    char *folder = strndup(target, (size_t)(strrchr(target, '/') - target) + 1);
    if (!folder)
        return NULL;
    const char *refusal = attribute_refusal(target, folder);
    if (!refusal && is_kept_by_folder(target, folder))
        refusal = "only its owner may, since its folder is sticky; " REPLACE_BY_COPY;
    free(folder);
    return refusal;
}

/* The owner and the group, or the group alone if the caller may give no file away. False: the new
 * file has another group. */
static bool keep_owner(int fd, const struct stat *replaced)
{
    struct stat made;
    return fchown(fd, replaced->st_uid, replaced->st_gid) == 0 ||
           fchown(fd, (uid_t)-1, replaced->st_gid) == 0 ||
           (fstat(fd, &made) == 0 && made.st_gid == replaced->st_gid);
}

static bool is_absent(int error)
{
    return error == ENODATA || error == ENOTSUP;
}

/* An attribute by which the system decides who may read. False: the new file has another one. */
static bool keep_attribute(int fd, const char *target, const char *name)
{
    char wanted[XATTR_SIZE_MAX], made[XATTR_SIZE_MAX];
    const ssize_t size = getxattr(target, name, wanted, sizeof(wanted));
    if (size < 0 && !is_absent(errno))
        return false;
    if (size >= 0 ? fsetxattr(fd, name, wanted, (size_t)size, 0) == 0 : fremovexattr(fd, name) == 0)
        return true;
    const ssize_t made_size = fgetxattr(fd, name, made, sizeof(made));
    return made_size < 0 ? size < 0 && is_absent(errno)
                         : made_size == size && memcmp(made, wanted, (size_t)size) == 0;
}

static bool has_attribute(const char *target, const char *name)
{
    return getxattr(target, name, NULL, 0) >= 0 || !is_absent(errno);
}

/* The list of access. It names the owning group, so it is of no use for another one. Where the
 * replaced file has none, the new file loses what its folder gave it. */
static bool keep_list(int fd, const char *target, bool has_group)
{
    static const char name[] = "system.posix_acl_access";
    return (has_group || !has_attribute(target, name)) && keep_attribute(fd, target, name);
}

/* A security module's label. Where the replaced file has none, that of a new file is right, and a
 * file without one is open to fewer, or no such module is at work. */
static bool keep_label(int fd, const char *target)
{
    static const char name[] = "security.selinux";
    return !has_attribute(target, name) || keep_attribute(fd, target, name) ||
           (fgetxattr(fd, name, NULL, 0) < 0 && is_absent(errno));
}

/* What users have written about the file, as far as the caller may read it. */
static void keep_notes(int fd, const char *target)
{
    static const char prefix[] = "user.";
    char names[XATTR_LIST_MAX], value[XATTR_SIZE_MAX];
    const ssize_t end = listxattr(target, names, sizeof(names));
    for (ssize_t at = 0; at < end; at += (ssize_t)strlen(names + at) + 1) {
        const bool is_note = strncmp(names + at, prefix, sizeof(prefix) - 1) == 0;
        const ssize_t size = is_note ? getxattr(target, names + at, value, sizeof(value)) : -1;
        if (size >= 0)
            fsetxattr(fd, names + at, value, (size_t)size, 0);
    }
}
/* What the owner may, and what both the group and all others may. */
static mode_t for_another_group(mode_t mode)
{
    const mode_t all = (mode >> 3) & mode & 07;
    return (mode & 0700) | all << 3 | all;
}

/* The mode lets in most, and so it comes last. It comes behind the owner also because a change of
 * owner clears bits of it, and behind the list because that sets the group's bits. */
bool replace_keep_access(int fd, const char *target, bool *is_narrower_ret)
{
    struct stat replaced, made;
    *is_narrower_ret = false;
    if (stat(target, &replaced) != 0)
        return errno == ENOENT;
    keep_notes(fd, target);
    const bool has_label = keep_label(fd, target), has_group = keep_owner(fd, &replaced);
    const bool has_list = keep_list(fd, target, has_group);
    if (fstat(fd, &made) != 0)
        return false;
    const mode_t wanted = replaced.st_mode & 07777;
    mode_t mode = made.st_uid == replaced.st_uid && has_group ? wanted : wanted & 01777;
    if (!has_list || !has_label)
        mode &= 01700;
    else if (!has_group)
        mode = for_another_group(mode);
    *is_narrower_ret = (mode & 0777) != (wanted & 0777);
    return fchmod(fd, mode) == 0;
}
