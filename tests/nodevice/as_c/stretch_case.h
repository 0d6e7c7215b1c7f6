/* stretch_case.h: cl/sorts/msd/stretch.h as C, for keys of 32 and of 64 bits, which test_stretch.c
 * looks at. stretch_32.c and stretch_64.c compile it for one width each: before they include this
 * file, they define KEY_BITS and STRETCH_FORM, the name of their functions. */
#ifndef TESTS_STRETCH_CASE_H
#define TESTS_STRETCH_CASE_H

#include <stddef.h>
#include <stdint.h>

#ifndef KEY_BITS /* who compiles the kernels' headers reads it there */
#include "base/params.h"
#endif
struct key_stretch;

/* The functions of one width; keys are ordered. */
struct stretch_form {
    uint32_t bits;
    struct key_stretch (*between)(uint64_t first, uint64_t last, uint64_t least);
    uint64_t (*stretch)(const struct key_stretch *stretch, uint64_t key);
    uint64_t (*shrink)(const struct key_stretch *stretch, uint64_t stretched);
    int (*is_beyond)(const struct key_stretch *stretch, uint64_t key);
};

extern const struct stretch_form stretch_form_32, stretch_form_64;

#ifdef KEY_BITS
#include "arithmetic_as_c.h"

#include "sorts/msd/stretch.h"

static struct key_stretch form_between(uint64_t first, uint64_t last, uint64_t least)
{
    const key_t ends[2] = {(key_t)first, (key_t)last};
    return stretch_between(ends, least);
}

static uint64_t form_stretch(const struct key_stretch *stretch, uint64_t key)
{
    return msd_stretch(stretch, NULL, (key_t)key);
}

static uint64_t form_shrink(const struct key_stretch *stretch, uint64_t stretched)
{
    return msd_shrink(stretch, stretch_find(NULL, 0), (key_t)stretched);
}

static int form_is_beyond(const struct key_stretch *stretch, uint64_t key)
{
    return STRETCH_IS_BEYOND(stretch, (key_t)key);
}

const struct stretch_form STRETCH_FORM = {KEY_BITS, form_between, form_stretch, form_shrink,
                                          form_is_beyond};
#endif

#endif
