/* writer.c: texts that are written piece by piece. */
#include "base/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void writer_add(struct writer *writer, const char *format, ...)
{
    while (!writer->failed) {
        const size_t left = writer->size < writer->capacity ? writer->capacity - writer->size : 0;
        va_list arguments;
        va_start(arguments, format);
        const int length =
            vsnprintf(left ? writer->bytes + writer->size : NULL, left, format, arguments);
        va_end(arguments);
        if (length < 0)
            return;
        if ((size_t)length < left || !writer->grows) {
            writer->size += (size_t)length;
            return;
        }
        const size_t capacity = 2 * (writer->capacity + (size_t)length + 1);
        char *grown = realloc(writer->bytes, capacity);
        writer->failed = !grown;
        if (grown) {
            writer->bytes = grown;
            writer->capacity = capacity;
        }
    }
}
