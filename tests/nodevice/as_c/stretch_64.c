/* stretch_64.c: keys of 64 bits. */
#define KEY_BITS 64
#define STRETCH_FORM stretch_form_64
#include "stretch_case.h"
