/* limits.c: lowers a device's facts by the words of CLSORT_LIMIT. */
#include "device/device.h"

#include "base/environment.h"
#include "base/math.h"
#include "tuning/words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* How a fact is lowered: to the number; to a power of two; to a multiple of 64, at least one; or
 * to 0. */
enum kind { SIZE, POWER, BYTES, CHUNK, IS_THERE };

/* A word's name, and the fact: a uint32_t, or of bytes a uint64_t, or an int. */
struct limit {
    const char *name;
    enum kind kind;
    size_t at;
};

#define AT(fact) offsetof(struct device_facts, fact)
/* clang-format off */
static const struct limit limits[] = {
    {"subgroup", SIZE, AT(subgroup_size)},
    {"group", POWER, AT(max_group_size)},
    {"local", BYTES, AT(local_size)},
    {"vector", SIZE, AT(vector_bytes)},
    {"cache", BYTES, AT(cache_size)},
    {"memory", BYTES, AT(memory)},
    {"alloc", BYTES, AT(max_alloc)},
    {"host", BYTES, AT(host_limit)},
    {"chunk", CHUNK, AT(chunk_limit)},
    {"cpu", IS_THERE, AT(cpu_kernels)},
    {"unified", IS_THERE, AT(unified_memory)},
};
/* clang-format on */
#undef AT
enum { NUM_LIMITS = sizeof limits / sizeof *limits };

static void apply(const struct limit *limit, uint64_t value, struct device_facts *facts)
{
    void *const fact = (char *)facts + limit->at;
    uint32_t *const size = fact;
    uint64_t *const bytes = fact;
    int *const is_there = fact;
    if (limit->kind == POWER)
        value = device_floor_power(value);
    else if (limit->kind == CHUNK && value <= UINT64_MAX - 63)
        value = ceil_div(larger(value, 1), 64) * 64;
    if (limit->kind == IS_THERE)
        *is_there = *is_there && value;
    else if (limit->kind == BYTES || limit->kind == CHUNK)
        *bytes = smaller(*bytes, value);
    else
        *size = (uint32_t)smaller(*size, value);
}

/* Applies a word name=value. */
static clsort_status read_word(struct device_facts *facts, const char *word, int length,
                               char *sentence, size_t size)
{
    const char *equals = memchr(word, '=', (size_t)length);
    const int name = equals ? (int)(equals - word) : 0;
    const char *new_name = tuning_new_name(word, (size_t)name);
    const struct limit *limit = limits, *const end = limits + NUM_LIMITS;
    uint64_t value = 0;
    while (limit < end &&
           (strlen(limit->name) != (size_t)name || memcmp(limit->name, word, (size_t)name) != 0))
        ++limit;
    if (!equals)
        snprintf(sentence, size, "CLSORT_LIMIT: '%.*s' is not of the form name=value", length,
                 word);
    else if (new_name)
        snprintf(sentence, size, "CLSORT_LIMIT: '%.*s' is called '%s' now", name, word, new_name);
    else if (limit == end)
        snprintf(sentence, size, "CLSORT_LIMIT: there is no limit '%.*s'", name, word);
    else if (!tuning_read_number(equals + 1, (size_t)(length - name - 1), &value))
        snprintf(sentence, size, "CLSORT_LIMIT: %s is a number, such as 96 or 2^20, not '%.*s'",
                 limit->name, length - name - 1, equals + 1);
    else {
        apply(limit, value, facts);
        return CLSORT_OK;
    }
    return CLSORT_ERROR_TUNING;
}

clsort_status device_apply_limits(struct device_facts *facts, char *sentence, size_t size)
{
    const char *word = environment_get("CLSORT_LIMIT");
    clsort_status status = CLSORT_OK;
    while (word && !status) {
        const size_t length = strcspn(word, ",");
        status = read_word(facts, word, (int)length, sentence, size);
        word = word[length] ? word + length + 1 : NULL;
    }
    return status;
}
