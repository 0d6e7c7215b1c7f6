/* environment.c: reads environment variables, except for programs with another user's rights. */
#if defined(__linux__)
#define _GNU_SOURCE /* secure_getenv */
#endif
#include "base/environment.h"

#include <stdlib.h>

#if !defined(__linux__) && defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

const char *environment_get(const char *name)
{
#if defined(__linux__)
    const char *value = secure_getenv(name); /* glibc and musl */
#elif defined(__unix__) || defined(__APPLE__)
    const char *value =
        geteuid() == getuid() && getegid() == getgid() ? getenv(name) : (const char *)0;
#else
    const char *value = getenv(name);
#endif
    return value && *value ? value : (const char *)0;
}
