/* replace.h: whether a file that is there may be replaced, asked before work whose result does it.
 */
#ifndef CLSORT_TOOL_REPLACE_H
#define CLSORT_TOOL_REPLACE_H

/* What to do about a file that can be written, but not replaced. Not '>', which would empty a file
 * that is an input as well. */
#define REPLACE_BY_COPY "write to a file in another folder, and copy that onto it with cp"

/* Why the system will refuse to rename another file over this one, and what to do, for a sentence
 * behind its name; NULL: nothing is seen that speaks against it. The path is absolute and no link.
 */
const char *replace_refusal(const char *target);

#endif
