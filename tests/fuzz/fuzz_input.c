/* The tool's reader of keys, binary and text. Any file is either read or refused, and a number that
 * was read prints so that it reads back as the same bits. An input is the type, text or binary, and
 * the file. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/message.h"
#include "numbers/input.h"
#include "numbers/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition) ((condition) ? (void)0 : abort())

/* What stands for the tool's end of the process: the file is refused. */
static jmp_buf refused;

void die_told(void)
{
    longjmp(refused, 1);
}

void die(const char *format, ...)
{
    (void)format;
    die_told();
}

static void check_text(clsort_type type, uint64_t bits)
{
    char text[KEY_TEXT + 1];
    uint64_t again = 0;
    const size_t length = text_print(type, bits, text);
    EXPECT(length <= KEY_TEXT);
    text[length] = '\0';
    EXPECT(text_parse(type, text, strlen(text), &again) == TEXT_OK);
    EXPECT(again == bits || strstr(text, "nan"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    static struct input input;
    static struct bytes keys;
    if (size < 2)
        return -1;
    const clsort_type type = (clsort_type)(data[0] % CLSORT_NUM_TYPES);
    const struct elements elements = elements_of_type(type);
    const int file = memfd_create("fuzz", 0);
    EXPECT(file >= 0 && write(file, data + 2, size - 2) == (ssize_t)(size - 2));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (setjmp(refused) == 0) {
        const size_t key_size = clsort_type_size(type);
        input_open(&input, path, data[1] & 1, &elements);
        input_read_up_to(&input, 1 << 20, &keys);
        EXPECT(keys.size % key_size == 0);
        EXPECT(data[1] & 1 || (keys.size == size - 2 && !memcmp(keys.data, data + 2, size - 2)));
        for (size_t i = 0; i < keys.size / key_size; ++i)
            check_text(type, key_load(key_size, keys.data, i));
    }
    input_close(&input);
    bytes_free(&keys);
    close(file);
    return 0;
}
