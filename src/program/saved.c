/* saved.c: compiled programs as one block of bytes, which the caller keeps.
 *
 * A block is a head, and for each program its key, the size of its binary, and the binary up to a
 * multiple of 8 bytes. Numbers are the machine's own: on another kind of machine the head is wrong,
 * as it is if a byte has changed. Hashes: G. Fowler, L. Noll, K.-P. Vo, FNV-1a of 64 bits. They
 * find accidents; a block must come from a source that the program trusts, as a program does. */
#include "program/saved.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x315f74726f736c63) /* "clsort_1" */

struct head {
    uint64_t magic;
    uint64_t hash; /* of everything behind it */
    uint64_t device_key;
    uint64_t num; /* programs */
};

struct entry {
    uint64_t key;
    uint64_t size; /* of the binary */
};

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

uint64_t saved_key(const char *source, const char *options)
{
    const uint64_t hash = hash_bytes(HASH_BEGIN, source, strlen(source) + 1);
    return hash_bytes(hash, options, strlen(options));
}

uint64_t saved_device_key(cl_device_id device)
{
    static const cl_device_info infos[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                           CL_DRIVER_VERSION};
    uint64_t hash = hash_bytes(HASH_BEGIN, clsort_version(), strlen(clsort_version()) + 1);
    for (size_t i = 0; i < sizeof infos / sizeof *infos; ++i) {
        char text[1024] = "";
        clGetDeviceInfo(device, infos[i], sizeof text - 1, text, NULL);
        hash = hash_bytes(hash, text, strlen(text) + 1);
    }
    return hash;
}

static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

size_t saved_write(const struct program_entry *programs, size_t num, uint64_t device_key,
                   unsigned char *bytes, size_t capacity, cl_int *code_ret)
{
    size_t at = sizeof(struct head);
    for (size_t i = 0; i < num; ++i) {
        struct entry entry = {programs[i].key, 0};
        const cl_program program = programs[i].program;
        size_t size = 0;
        *code_ret = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
        if (*code_ret)
            return 0;
        entry.size = size;
        const size_t end = at + sizeof entry + padded(size);
        if (end <= capacity) {
            unsigned char *binary = bytes + at + sizeof entry;
            memcpy(bytes + at, &entry, sizeof entry);
            memset(binary, 0, padded(size));
            *code_ret =
                clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
            if (*code_ret)
                return 0;
        }
        at = end;
    }
    if (at <= capacity) {
        struct head head = {MAGIC, 0, device_key, num};
        memcpy(bytes, &head, sizeof head);
        const size_t first = offsetof(struct head, device_key);
        head.hash = hash_bytes(HASH_BEGIN, bytes + first, at - first);
        memcpy(bytes, &head, sizeof head);
    }
    return at;
}

int saved_read(const void *bytes, size_t size, uint64_t device_key,
               struct saved_programs *saved_ret)
{
    struct head head;
    const size_t first = offsetof(struct head, device_key);
    *saved_ret = (struct saved_programs){0};
    if (size < sizeof head)
        return 1;
    memcpy(&head, bytes, sizeof head);
    if (head.magic != MAGIC || head.device_key != device_key ||
        head.hash != hash_bytes(HASH_BEGIN, (const char *)bytes + first, size - first))
        return 1;
    unsigned char *copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, bytes, size);
    *saved_ret = (struct saved_programs){copy, size, head.num};
    return 1;
}

const unsigned char *saved_find(const struct saved_programs *saved, uint64_t key, size_t *size_ret)
{
    size_t at = sizeof(struct head);
    for (uint64_t i = 0; i < saved->num; ++i) {
        struct entry entry;
        if (saved->size - at < sizeof entry)
            return NULL;
        memcpy(&entry, saved->bytes + at, sizeof entry);
        at += sizeof entry;
        if (saved->size - at < entry.size)
            return NULL;
        if (entry.key == key) {
            *size_ret = (size_t)entry.size;
            return saved->bytes + at;
        }
        at += padded((size_t)entry.size);
    }
    return NULL;
}
