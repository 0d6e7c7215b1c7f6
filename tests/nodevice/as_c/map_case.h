/* map_case.h: cl/base/float_scale.h and cl/sorts/msd/map.h as C, for each order, which test_map.c
 * looks at. map_up.c and map_down.c compile them: before they include this file, they define
 * KEY_DESCENDING and MAP_FORM, the name of their functions. */
#ifndef TESTS_MAP_CASE_H
#define TESTS_MAP_CASE_H

#include <stddef.h>
#include <stdint.h>

#ifndef MAP_FORM /* who compiles the kernels' headers reads it there */
#include "base/params.h"
#endif
struct key_stretch;
struct float_map;

/* The functions of one order; keys are ordered. */
struct map_form {
    uint32_t is_descending;
    uint32_t below, even, above; /* exponents */
    uint64_t (*encode)(uint64_t bits);
    uint32_t (*exponent)(uint64_t key);
    int (*fits)(uint32_t top);
    int (*is_off_scale)(uint64_t key, uint32_t top);
    uint64_t (*number)(uint64_t key, uint32_t top);
    uint64_t (*order)(uint64_t number, uint32_t top);
    uint64_t (*inverse)(uint32_t step);
    int (*is_beyond)(const struct key_stretch *stretch, uint64_t key);
    uint64_t (*map)(const struct key_stretch *stretch, const struct float_map *map, uint64_t key);
    /* from: a mapped key before, or the same; any: of a number that need not be a mapped key */
    uint64_t (*back)(const struct key_stretch *stretch, const struct float_map *map, uint64_t from,
                     uint64_t mapped);
    uint64_t (*any)(const struct key_stretch *stretch, const struct float_map *map, uint64_t from,
                    uint64_t mapped);
};

extern const struct map_form map_form_up, map_form_down;

#ifdef MAP_FORM
#define KEY_BITS 64
#define KEY_MANTISSA 52
#include "arithmetic_as_c.h"

#include "sorts/msd/stretch.h"

static uint64_t form_encode(uint64_t bits)
{
    return KEY_ENCODE(bits);
}

static uint32_t form_exponent(uint64_t key)
{
    return SCALE_EXPONENT(key);
}

static int form_fits(uint32_t top)
{
    return SCALE_FITS(top);
}

static int form_is_off_scale(uint64_t key, uint32_t top)
{
    return scale_is_beyond(key, top) != 0;
}

static uint64_t form_number(uint64_t key, uint32_t top)
{
    return scale_number(key, top);
}

static uint64_t form_order(uint64_t number, uint32_t top)
{
    return scale_order(number, top);
}

static uint64_t form_inverse(uint32_t step)
{
    return map_inverse(step);
}

static int form_is_beyond(const struct key_stretch *stretch, uint64_t key)
{
    return STRETCH_IS_BEYOND(stretch, key);
}

static uint64_t form_map(const struct key_stretch *stretch, const struct float_map *map,
                         uint64_t key)
{
    return msd_stretch(stretch, map, key);
}

static uint64_t form_back(const struct key_stretch *stretch, const struct float_map *map,
                          uint64_t from, uint64_t mapped)
{
    return msd_shrink(stretch, stretch_find(map, from), mapped);
}

static uint64_t form_any(const struct key_stretch *stretch, const struct float_map *map,
                         uint64_t from, uint64_t mapped)
{
    return msd_shrink_any(stretch, stretch_find(map, from), mapped);
}

const struct map_form MAP_FORM = {
    KEY_DESCENDING, SCALE_BELOW,    SCALE_EVEN,        SCALE_ABOVE, form_encode,
    form_exponent,  form_fits,      form_is_off_scale, form_number, form_order,
    form_inverse,   form_is_beyond, form_map,          form_back,   form_any,
};
#endif

#endif
