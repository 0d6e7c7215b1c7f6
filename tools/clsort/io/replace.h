/* replace.h: checks whether an existing file can be replaced, before the work that replaces it, and
 * keeps who may read it. */
#ifndef CLSORT_TOOL_REPLACE_H
#define CLSORT_TOOL_REPLACE_H

#include <stdbool.h>

/* What to do about a file that can be written, but not replaced. Not '>', which would empty a file
 * that is an input as well. */
#define REPLACE_BY_COPY \
    "write to a file in another folder, then copy that file over this one with cp"

/* Why the system will refuse to rename another file over this one, and what to do: the text that
 * follows the file's name in a message. NULL if no reason is found. The path is absolute and no
 * link. */
const char *replace_refusal(const char *target);

/* Gives a new file, which its owner alone may read yet, what the file has that it will replace: the
 * owner and the group, the list of access, the security label, users' attributes, and the mode. At
 * no time does it let in a user whom that file keeps out. If something cannot be kept the mode is
 * cut, and *is_narrower_ret becomes true. False, with errno: the mode cannot be set. Fine where
 * there is no such file. */
bool replace_keep_access(int fd, const char *target, bool *is_narrower_ret);

/* What is said about a file whose mode was cut. */
#define REPLACE_NARROWED \
    "fewer users may read it than before, since its group, access list or label cannot be kept"

#endif
