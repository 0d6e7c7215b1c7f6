/* map_up.c: the smallest floats first. */
#define KEY_DESCENDING 0
#define MAP_FORM map_form_up
#include "map_case.h"
