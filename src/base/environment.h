/* environment.h: reads environment variables, except for programs with another user's rights. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* The variable's value. NULL if it is unset or empty, or if the program runs setuid or setgid. */
const char *environment_get(const char *name);

#endif
