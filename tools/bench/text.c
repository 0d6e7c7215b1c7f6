/* text.c: how the tables write numbers, names and lines. */
#include "bench/bench.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *bench_cell(double number, int num_digits, char text[BENCH_CELL])
{
    int decimals = number < 0.1 ? num_digits : num_digits - 1;
    for (double power = 10; power <= number && decimals > 0; power *= 10)
        decimals--;
    if (number > 0)
        snprintf(text, BENCH_CELL, "%.*f", decimals, number);
    else
        snprintf(text, BENCH_CELL, "-");
    return text;
}

/* How often a number is divided by another until 1 is left; 0 where something else is left. */
static int power_of(uint64_t number, uint64_t base)
{
    int power = 0;
    for (; number > 1 && number % base == 0; number /= base)
        power++;
    return number == 1 ? power : 0;
}

const char *bench_keys_text(uint64_t count, bool is_markdown, char text[BENCH_CELL])
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int of_two = power_of(count, 2), of_ten = power_of(count, 10);
    const int power = of_two >= 10 ? of_two : of_ten >= 3 ? of_ten : 0;
    if (is_markdown && power > 0)
        snprintf(text, BENCH_CELL, "%d%s%s", of_two >= 10 ? 2 : 10,
                 power >= 10 ? digits[power / 10] : "", digits[power % 10]);
    else
        snprintf(text, BENCH_CELL, "%" PRIu64, count);
    return text;
}

const char *bench_sort_text(const struct bench *bench, const struct bench_row *row,
                            char text[BENCH_CELL])
{
    const bool is_named = !row->library || (bench->old.sorter && !row->library->is_own);
    const bool has_choice = *row->chosen && strcmp(row->algorithm, row->chosen) != 0;
    snprintf(text, BENCH_CELL, "%s%s%s%s%s", is_named ? row->opponent->name : "",
             is_named && row->library ? " " : "", row->algorithm, has_choice ? ":" : "",
             has_choice ? row->chosen : "");
    return text;
}

double bench_rate(const struct bench_row *row, enum bench_clock clock)
{
    const double seconds = row->times[clock].median;
    const struct bench_input *input = &row->keys->input;
    const uint64_t count = input->num_queries ? input->num_queries : input->count;
    return seconds > 0 ? (double)count / seconds : 0;
}

void bench_print_wrapped(const char *text, int first_indent, int indent)
{
    enum { WIDTH = 100 };
    for (int blanks = first_indent; *text; blanks = indent) {
        const int room = WIDTH - 1 - blanks;
        int end = (int)strlen(text);
        if (end > room) {
            for (end = room; end > 0 && text[end] != ' '; end--)
                continue;
            end = end > 0 ? end : (int)strlen(text);
        }
        printf("#%*s%.*s\n", blanks, "", end, text);
        text += end + (text[end] == ' ');
    }
}

void bench_print_fact(const struct bench *bench, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (bench->options.is_markdown)
        printf("- %s\n", text);
    else
        bench_print_wrapped(text, 1, 4);
}
