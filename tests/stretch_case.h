/* stretch_case.h: cl/msd_stretch.h as C, for keys of 32 and of 64 bits, which test_stretch.c looks
 * at. stretch_32.c and stretch_64.c compile it for one width each: before they include this file,
 * they define KEY_BITS and STRETCH_FORM, the name of their functions. */
#ifndef TESTS_STRETCH_CASE_H
#define TESTS_STRETCH_CASE_H

#include <stdint.h>

#ifndef KEY_BITS /* who compiles the kernels' headers reads it there */
#include "params.h"
#endif
struct part_stretch;

/* The functions of one width; keys are ordered. */
struct stretch_form {
    uint32_t bits;
    struct part_stretch (*between)(uint64_t first, uint64_t last, uint64_t least);
    uint64_t (*stretch)(const struct part_stretch *stretch, uint64_t key);
    uint64_t (*shrink)(const struct part_stretch *stretch, uint64_t stretched);
    int (*is_beyond)(const struct part_stretch *stretch, uint64_t key);
};

extern const struct stretch_form stretch_form_32, stretch_form_64;

#ifdef KEY_BITS
#include "opencl_as_c.h"

#define key_t stretch_key /* POSIX has a type of this name */

#define RECORD_SIZE 0
#define KEY_SIGNED 0
#define KEY_MANTISSA 0
#define KEY_DESCENDING 0
#define KEY_FIRST_BIT 0
#define KEY_NUM_BITS KEY_BITS
#define PAYLOAD_SIZE 0
#define PAYLOAD_INDEX 0
#define GROUP_SIZE 1
#define ITEMS 1
#define LANES 1
#define TILE_BITS 0
#define BANKS 0
#define CLSORT_SUBGROUP 0
#define MOVE_UNIT 1
#define RADIX_BITS 8

#if KEY_BITS == 64
/* The upper half of a product, from products of halves. */
static inline uint64_t mul_hi(uint64_t a, uint64_t b)
{
    const uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
    const uint64_t middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    const uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
#else
static inline uint32_t mul_hi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
#endif
#define add_sat(a, b) ((key_t)((a) + (b)) < (a) ? ~(key_t)0 : (key_t)((a) + (b)))

#include "msd_stretch.h"

static struct part_stretch form_between(uint64_t first, uint64_t last, uint64_t least)
{
    const key_t ends[2] = {(key_t)first, (key_t)last};
    return stretch_between(ends, least);
}

static uint64_t form_stretch(const struct part_stretch *stretch, uint64_t key)
{
    return msd_stretch(stretch, (key_t)key);
}

static uint64_t form_shrink(const struct part_stretch *stretch, uint64_t stretched)
{
    return msd_shrink(stretch, (key_t)stretched);
}

static int form_is_beyond(const struct part_stretch *stretch, uint64_t key)
{
    return STRETCH_IS_BEYOND(stretch, (key_t)key);
}

const struct stretch_form STRETCH_FORM = {KEY_BITS, form_between, form_stretch, form_shrink,
                                          form_is_beyond};
#endif

#endif
