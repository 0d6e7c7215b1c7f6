/* build_log.h: makes a compiler's messages name the texts that a source was joined from. */
#ifndef BUILD_LOG_H
#define BUILD_LOG_H

/* Some compilers ignore #line and count the lines of the whole source: NVIDIA's names it
 * "<kernel>", Oclgrind's "input.cl". This replaces every "<kernel>:LINE" and "input.cl:LINE" in the
 * log by "NAME:LINE", as the source's #line marks say. Compilers that follow the marks never write
 * these names.
 *
 * Takes ownership of the log and returns the new one for free(), or the old one if there is no
 * memory. NULL gives NULL. */
char *build_log_by_marks(char *log, const char *source);

#endif
