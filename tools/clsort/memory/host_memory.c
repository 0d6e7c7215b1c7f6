/* host_memory.c: the memory that is left, by /proc/meminfo, the control groups' files and the
 * process's limits. */
#include "memory/host_memory.h"

#include "cli/message.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEAST = 64 << 10,    /* bytes that pieces may take anyway */
    ASIDE = 112 << 20,   /* of limits: for what files are moved through, parts and stacks */
    A_STACK = 512 << 10, /* of a thread, below a limit */
};

/* Where each version of control groups is mounted, and its files. */
static const struct group_kind {
    const char *mount;
    const char *limits[2];
    const char *usage;
    const char *reclaimable; /* the line of memory.stat: pages of files that can be dropped */
} group_kinds[] = {
    {"/sys/fs/cgroup", {"memory.max", "memory.high"}, "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/memory",
     {"memory.limit_in_bytes", "memory.soft_limit_in_bytes"},
     "memory.usage_in_bytes",
     "total_inactive_file"},
};

/* The number behind a word at the begin of a line of a file ("" for the file's first number). */
static bool read_number(const char *dir, const char *name, const char *word, uint64_t *number_ret)
{
    char path[2 * PATH_MAX], line[128];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
        return false;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t length = strlen(word);
    bool is_found = false;
    while (!is_found && fgets(line, sizeof(line), file))
        is_found = strncmp(line, word, length) == 0 &&
                   (length == 0 || strchr(" :", line[length])) &&
                   sscanf(line + length, length ? "%*[: ]%" SCNu64 : "%" SCNu64, number_ret) == 1;
    fclose(file);
    return is_found;
}

/* What one group leaves; "max", and no file, are no limit. */
static uint64_t left_in_group(const struct group_kind *kind, const char *dir)
{
    uint64_t limit = UINT64_MAX, usage = 0, reclaimable = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t number;
        if (read_number(dir, kind->limits[i], "", &number) && number < limit)
            limit = number;
    }
    if (limit == UINT64_MAX || !read_number(dir, kind->usage, "", &usage))
        return limit;
    read_number(dir, "memory.stat", kind->reclaimable, &reclaimable);
    usage -= reclaimable < usage ? reclaimable : usage;
    return limit > usage ? limit - usage : 0;
}

/* The least that a group and those above it leave. In a container the path may be the host's;
 * then the mount's own files are the container's. */
static uint64_t left_in_groups(const struct group_kind *kind, const char *root, const char *path)
{
    char dir[PATH_MAX];
    uint64_t left = UINT64_MAX;
    const int mount_length = snprintf(dir, sizeof(dir), "%s%s", root, kind->mount);
    if (mount_length + (int)strlen(path) >= PATH_MAX)
        return left;
    strcpy(dir + mount_length, path);
    for (;;) {
        const uint64_t here = left_in_group(kind, dir);
        left = here < left ? here : left;
        char *slash = strrchr(dir + mount_length, '/');
        if (!slash)
            return left;
        *slash = '\0';
    }
}

/* A line of /proc/self/cgroup: number:controllers:path, without controllers for v2. */
static uint64_t left_by_line(const char *root, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return UINT64_MAX;
    *controllers++ = '\0';
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (*controllers == '\0')
        return left_in_groups(&group_kinds[0], root, path);
    for (char *name = strtok(controllers, ","); name; name = strtok(NULL, ",")) {
        if (strcmp(name, "memory") == 0)
            return left_in_groups(&group_kinds[1], root, path);
    }
    return UINT64_MAX;
}

/* A line of /proc/self/status, in bytes; 0 where there is none. */
static uint64_t status_size(const char *root, const char *word)
{
    uint64_t kibibytes = 0;
    read_number(root, "proc/self/status", word, &kibibytes);
    return kibibytes * 1024;
}

uint64_t host_memory_room_below(const char *root)
{
    static const struct {
        const char *limit, *usage; /* lines of /proc/self/limits, and of status */
    } kinds[] = {{"Max address space", "VmSize"}, {"Max data size", "VmData"}};
    uint64_t room = UINT64_MAX;
    for (int i = 0; i < 2; i++) {
        uint64_t limit;
        if (!read_number(root, "proc/self/limits", kinds[i].limit, &limit))
            continue;
        const uint64_t usage = status_size(root, kinds[i].usage);
        const uint64_t left = limit > usage ? limit - usage : 0;
        room = left < room ? left : room;
    }
    return room;
}

uint64_t host_memory_room(void)
{
    return host_memory_room_below("");
}

uint64_t host_memory_resident(void)
{
    return status_size("", "VmRSS");
}

void host_memory_obey_limits(void)
{
#ifdef __GLIBC__
    pthread_attr_t attributes;
    if (host_memory_room() == UINT64_MAX || pthread_attr_init(&attributes) != 0)
        return;
    mallopt(M_ARENA_MAX, 1);
    if (pthread_attr_setstacksize(&attributes, A_STACK) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
#endif
}

uint64_t host_memory_below(const char *root)
{
    char path[PATH_MAX], line[PATH_MAX + 64];
    uint64_t kibibytes, left = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (read_number(root, "proc/meminfo", "MemAvailable", &kibibytes))
        left = kibibytes * 1024;
    snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
        const uint64_t here = left_by_line(root, line);
        left = here < left ? here : left;
    }
    if (file)
        fclose(file);
    /* What arrays may take of the room below limits: room that is not used yet counts as well. */
    const uint64_t room = host_memory_room_below(root), aside = ASIDE;
    const uint64_t by_limits = (room > 2 * aside ? room - aside : room / 2) / 2;
    return room == UINT64_MAX || left < by_limits ? left : by_limits;
}

uint64_t host_memory_available(void)
{
    return host_memory_below("");
}

uint64_t host_memory_share(uint64_t asked, uint64_t available)
{
    const uint64_t most = asked ? asked : available / 2;
    const uint64_t share = most < available ? most : available;
    return share > LEAST ? share : LEAST;
}

bool parse_memory(const char *text, uint64_t *size_ret)
{
    static const char units[] = "bKMGTPE"; /* powers of 1024 */
    char *end;
    errno = 0;
    const uint64_t number = strtoull(text, &end, 10);
    bool ok = errno == 0 && *text >= '0' && *text <= '9';
    const char unit = *end == '\0'                                               ? 'K'
                      : *end == 'k' || *end == 'm' || *end == 'g' || *end == 't' ? (char)(*end - 32)
                                                                                 : *end;
    ok = ok && (*end == '\0' || end[1] == '\0');
    const char *power = strchr(units, unit);
    if (ok && unit == '%')
        *size_ret = (uint64_t)((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) /
                               100 * (double)(number > 100 ? 100 : number));
    else if (ok && power)
        *size_ret = number > UINT64_MAX >> (10 * (power - units))
                        ? UINT64_MAX
                        : number << (10 * (power - units));
    else
        message("'%s' is not a size of memory; write it as sort(1) has it: 512M, 4G or 50%%", text);
    ok = ok && (unit == '%' || power);
    if (ok && *size_ret < LEAST)
        *size_ret = LEAST;
    return ok;
}
