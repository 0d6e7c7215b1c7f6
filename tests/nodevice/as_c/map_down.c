/* map_down.c: the largest floats first. */
#define KEY_DESCENDING 1
#define MAP_FORM map_form_down
#include "map_case.h"
