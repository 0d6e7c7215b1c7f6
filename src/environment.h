/* environment.h: environment variables, not for programs that run with another's rights. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* The variable's value, or NULL if it is unset, empty, or the program runs setuid or setgid. */
const char *environment_get(const char *name);

#endif
