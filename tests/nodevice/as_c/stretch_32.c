/* stretch_32.c: keys of 32 bits. */
#define KEY_BITS 32
#define STRETCH_FORM stretch_form_32
#include "stretch_case.h"
