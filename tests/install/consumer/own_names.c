/* Functions of a user's program that have the names of internal functions of the library. The
 * library must not define these names, and must not call these functions. */
#include <stdio.h>
#include <stdlib.h>

#define OWN(name)                                                 \
    int name(void);                                               \
    int name(void)                                                \
    {                                                             \
        printf("the library calls %s() of the program\n", #name); \
        abort();                                                  \
    }

OWN(check_desc)
OWN(device_best)
OWN(device_open)
OWN(plan_add)
OWN(pool_release)
OWN(program_build)
OWN(tuning_find)
OWN(wire_open)
