/* replace.h: checks whether an existing file can be replaced, before the work that replaces it. */
#ifndef CLSORT_TOOL_REPLACE_H
#define CLSORT_TOOL_REPLACE_H

/* What to do about a file that can be written, but not replaced. Not '>', which would empty a file
 * that is an input as well. */
#define REPLACE_BY_COPY \
    "write to a file in another folder, then copy that file over this one with cp"

/* Why the system will refuse to rename another file over this one, and what to do: the text that
 * follows the file's name in a message. NULL if no reason is found. The path is absolute and no
 * link. */
const char *replace_refusal(const char *target);

#endif
