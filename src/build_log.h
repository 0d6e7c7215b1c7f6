/* build_log.h: a compiler's messages by the names and lines of the texts that a source is joined of. */
#ifndef BUILD_LOG_H
#define BUILD_LOG_H

/* Some compilers ignore #line: NVIDIA's names the whole source "<kernel>" and counts its lines, Oclgrind's
 * names it "input.cl". Every "<kernel>:LINE" and "input.cl:LINE" in the log becomes "NAME:LINE" as the
 * #line marks of the source say; compilers that follow the marks name no such text. Takes the log over and returns it or the new one, for the caller to free; the
 * old one where memory is out. NULL for NULL. */
char *build_log_by_marks(char *log, const char *source);

#endif
