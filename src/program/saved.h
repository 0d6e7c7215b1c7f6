/* saved.h: compiled programs as one block of bytes, which the caller keeps. */
#ifndef PROGRAM_SAVED_H
#define PROGRAM_SAVED_H

#include "clsort/clsort.h"
#include "program/variant.h"

/* A kernel file in one form. */
struct program_entry {
    const char *file; /* static text */
    struct variant variant;
    cl_program program; /* NULL: it is not built */
    uint64_t key;       /* saved_key(); 0: it is not built */
};

/* A block of programs. All zeros is an empty one. */
struct saved_programs {
    unsigned char *bytes; /* from malloc() */
    size_t size;
    uint64_t num;
};

/* A number that tells a program from all others: of its source and its build options. */
uint64_t saved_key(const char *source, const char *options);

/* A number that tells a device, its driver and this version of the library from others. */
uint64_t saved_device_key(cl_device_id device);

/* The bytes of a block of these programs for a device. Writes it if capacity is enough. Returns 0,
 * and *code_ret, if the driver gives no binary; 0 programs are a block, too. */
size_t saved_write(const struct program_entry *programs, size_t num, uint64_t device_key,
                   unsigned char *bytes, size_t capacity, cl_int *code_ret);

/* Copies a block if it is whole and for this device, else empties *saved_ret. Returns 0 if there is
 * no memory. */
int saved_read(const void *bytes, size_t size, uint64_t device_key,
               struct saved_programs *saved_ret);

/* The binary of a program; NULL if the block has none. */
const unsigned char *saved_find(const struct saved_programs *saved, uint64_t key, size_t *size_ret);

#endif
