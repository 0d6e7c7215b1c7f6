/* attributes.c: an extended attribute of a file, in hexadecimal digits, for access.sh.
 *
 *     attributes set FILE NAME DIGITS    exit status 77: the file system has none of that kind
 *     attributes get FILE NAME           prints the digits, or "none"
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

enum { MOST = 4096 };

static int set(const char *path, const char *name, const char *digits)
{
    unsigned char value[MOST];
    size_t size = 0;
    unsigned int byte;
    for (; size < MOST && sscanf(digits, "%2x", &byte) == 1; digits += 2)
        value[size++] = (unsigned char)byte;
    if (setxattr(path, name, value, size, 0) == 0)
        return 0;
    perror(name);
    return errno == ENOTSUP || errno == EPERM ? 77 : 1;
}

static int get(const char *path, const char *name)
{
    unsigned char value[MOST];
    const ssize_t size = getxattr(path, name, value, sizeof(value));
    if (size < 0 && errno != ENODATA && errno != ENOTSUP) {
        perror(name);
        return 1;
    }
    for (ssize_t i = 0; i < size; i++)
        printf("%02x", value[i]);
    puts(size < 0 ? "none" : "");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "set") == 0)
        return set(argv[2], argv[3], argv[4]);
    if (argc == 4 && strcmp(argv[1], "get") == 0)
        return get(argv[2], argv[3]);
    fputs("usage: attributes set FILE NAME DIGITS | get FILE NAME\n", stderr);
    return 2;
}
