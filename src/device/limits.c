/* limits.c: lowers a device's facts by the words of CLSORT_LIMIT. */
#include "device/limits.h"

#include "base/environment.h"
#include "tuning/words.h"

#include <stdio.h>
#include <string.h>

/* A word's name and the fact that it lowers, which is one of the pointers. */
struct limit {
    const char *name;
    uint32_t *size;
    uint32_t *power; /* of two */
    uint64_t *bytes;
    uint64_t *chunk; /* bytes in units of 64, at least one */
    int *is_there;
};

static void lower(uint64_t *fact, uint64_t value)
{
    if (value < *fact)
        *fact = value;
}

static void lower_size(uint32_t *fact, uint64_t value)
{
    if (value < *fact)
        *fact = (uint32_t)value;
}

static void apply(const struct limit *limit, uint64_t value)
{
    if (limit->size)
        lower_size(limit->size, value);
    else if (limit->power)
        lower_size(limit->power, device_floor_power(value));
    else if (limit->bytes)
        lower(limit->bytes, value);
    else if (limit->chunk)
        lower(limit->chunk, value > UINT64_MAX - 63 ? value
                            : value > 64            ? (value + 63) / 64 * 64
                                                    : 64);
    else
        *limit->is_there = *limit->is_there && value;
}

/* The limits of facts. The last has no name. */
#define NUM_LIMITS 11
static void list_limits(struct device_facts *facts, struct limit limits[NUM_LIMITS + 1])
{
    /* clang-format off */
    const struct limit all[NUM_LIMITS + 1] = {
        {"subgroup", .size = &facts->subgroup_size},
        {"group", .power = &facts->max_group_size},
        {"local", .bytes = &facts->local_size},
        {"vector", .size = &facts->vector_bytes},
        {"cache", .bytes = &facts->cache_size},
        {"memory", .bytes = &facts->memory},
        {"alloc", .bytes = &facts->max_alloc},
        {"host", .bytes = &facts->host_limit},
        {"chunk", .chunk = &facts->chunk_limit},
        {"cpu", .is_there = &facts->cpu_kernels},
        {"unified", .is_there = &facts->unified_memory},
        {.name = NULL},
    };
    /* clang-format on */
    memcpy(limits, all, sizeof all);
}

/* Applies a word name=value. */
static clsort_status read_word(const struct limit *limit, const char *word, int length,
                               char *sentence, size_t size)
{
    const char *equals = memchr(word, '=', (size_t)length);
    const int name = equals ? (int)(equals - word) : 0;
    const char *new_name = tuning_new_name(word, (size_t)name);
    uint64_t value = 0;
    while (limit->name &&
           (strlen(limit->name) != (size_t)name || memcmp(limit->name, word, (size_t)name) != 0))
        ++limit;
    if (!equals)
        snprintf(sentence, size, "CLSORT_LIMIT: '%.*s' is not of the form name=value", length,
                 word);
    else if (new_name)
        snprintf(sentence, size, "CLSORT_LIMIT: '%.*s' is called '%s' now", name, word, new_name);
    else if (!limit->name)
        snprintf(sentence, size, "CLSORT_LIMIT: there is no limit '%.*s'", name, word);
    else if (!tuning_read_number(equals + 1, (size_t)(length - name - 1), &value))
        snprintf(sentence, size, "CLSORT_LIMIT: %s is a number, such as 96 or 2^20, not '%.*s'",
                 limit->name, length - name - 1, equals + 1);
    else {
        apply(limit, value);
        return CLSORT_OK;
    }
    return CLSORT_ERROR_TUNING;
}

clsort_status device_apply_limits(struct device_facts *facts, char *sentence, size_t size)
{
    struct limit limits[NUM_LIMITS + 1];
    const char *word = environment_get("CLSORT_LIMIT");
    clsort_status status = CLSORT_OK;
    list_limits(facts, limits);
    while (word && !status) {
        const size_t length = strcspn(word, ",");
        status = read_word(limits, word, (int)length, sentence, size);
        word = word[length] ? word + length + 1 : NULL;
    }
    return status;
}
