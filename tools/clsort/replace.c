#include "replace.h"

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
