/* environment.h: environment variables, which programs that run with another user's rights must not
 * read. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* The variable's value. NULL if it is unset or empty, or if the program runs setuid or setgid. */
const char *environment_get(const char *name);

#endif
