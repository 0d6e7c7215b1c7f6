/* source.h: joins a kernel file and the files that it includes to one text. */
#ifndef SOURCE_H
#define SOURCE_H

/* The text of an embedded file with everything it includes, each file once. #line marks make
 * compilers name cl/file:line, for the public headers too. record, if not NULL, replaces
 * record_source.h. The caller frees the text. NULL if there is no memory or no such file. */
char *source_join(const char *name, const char *record);

#endif
