#include "cli/message.h"

#include "cli/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *program = "clsort";

void message_set_program(const char *name)
{
    program = name;
}

const char *message_program(void)
{
    return program;
}

void message_list(const char *format, va_list arguments)
{
    if (!program)
        return;
    char *text = NULL;
    const int length = vasprintf(&text, format, arguments);
    progress_clear();
    fprintf(stderr, "%s: %s\n", program, length < 0 ? format : text);
    if (length >= 0)
        free(text);
}

void message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_list(format, arguments);
    va_end(arguments);
}

const char *size_text(uint64_t size, char text[SIZE_TEXT])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double scaled = (double)size / 1024;
    int unit = 0;
    for (; scaled >= 1024 && unit < 5; unit++)
        scaled /= 1024;
    if (size < 1024)
        snprintf(text, SIZE_TEXT, "%d byte%s", (int)size, size == 1 ? "" : "s");
    else
        snprintf(text, SIZE_TEXT, "%.1f %s", scaled, units[unit]);
    return text;
}

const char *rate_text(uint64_t count, double seconds, char text[SIZE_TEXT])
{
    const double rate = seconds > 0 ? (double)count / seconds : 0;
    const bool is_giga = rate >= 1e9;
    if (seconds > 0)
        snprintf(text, SIZE_TEXT, "%.3g %ckeys/s", rate / (is_giga ? 1e9 : 1e6),
                 is_giga ? 'G' : 'M');
    else
        snprintf(text, SIZE_TEXT, "-");
    return text;
}

double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
