/* words.c: reads the words of a text. */
#include "tuning/words.h"

#include <string.h>

#define RENAMED(old, now) {#old, #now},
static const struct {
    const char *old, *now;
} renamed[] = {
#include "tuning/fields.h"
};

int tuning_read_number(const char *text, size_t length, uint64_t *number_ret)
{
    const int is_power = length > 2 && text[0] == '2' && text[1] == '^';
    uint64_t number = 0;
    for (size_t i = is_power ? 2 : 0; i < length; ++i) {
        const unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit > 9 || number > (UINT64_MAX - digit) / 10)
            return 0;
        number = 10 * number + digit;
    }
    if (is_power && number > 63)
        return 0;
    *number_ret = is_power ? (uint64_t)1 << number : number;
    return length > 0;
}

const char *tuning_new_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i)
        if (strlen(renamed[i].old) == length && memcmp(renamed[i].old, name, length) == 0)
            return renamed[i].now;
    return NULL;
}
