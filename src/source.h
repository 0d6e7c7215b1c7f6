/* source.h: kernel files as one text each, their #include lines replaced by the files they name. */
#ifndef SOURCE_H
#define SOURCE_H

/* The text of an embedded file with everything it includes, each included file once, and #line
 * marks, so that a compiler's messages name cl/file:line (for the public headers too). record, if not
 * NULL, takes the place of record_source.h. The caller frees the text. NULL when memory is out or
 * no such file is embedded. */
char *source_join(const char *name, const char *record);

#endif
