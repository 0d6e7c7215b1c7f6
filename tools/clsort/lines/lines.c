#include "lines/lines.h"

#include "cli/message.h"

#include <string.h>
#include <unistd.h>

enum { NOTE_SIZE = 4096 }; /* bytes that are looked at */

void lines_note_zeros(const char *name, const void *text, size_t size)
{
    if (size && memchr(text, '\0', size < NOTE_SIZE ? size : NOTE_SIZE))
        message("note: %s has zero bytes and is taken for lines of text; raw keys need -y TYPE, "
                "lines that end with zero bytes need 'sort -z'; --lines silences this note",
                name);
}

void lines_note_zeros_of(const struct source *source)
{
    char text[NOTE_SIZE];
    const ssize_t size =
        source->size ? pread(source->fd, text, sizeof(text), (off_t)source->start) : 0;
    lines_note_zeros(source->name, text, size > 0 ? (size_t)size : 0);
}
