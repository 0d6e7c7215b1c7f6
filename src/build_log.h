/* build_log.h: a compiler's messages by the names and lines of the texts that a source is joined of. */
#ifndef BUILD_LOG_H
#define BUILD_LOG_H

/* NVIDIA's compiler ignores #line: it names the whole source "<kernel>" and counts its lines. Every
 * "<kernel>:LINE" in the log becomes "NAME:LINE" as the #line marks of the source say; what other
 * compilers write stays. Takes the log over and returns it or the new one, for the caller to free; the
 * old one where memory is out. NULL for NULL. */
char *build_log_by_marks(char *log, const char *source);

#endif
