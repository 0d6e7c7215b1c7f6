/* start.h: what a program of the tool does before and after its work: streams, limits, signals. */
#ifndef CLSORT_TOOL_START_H
#define CLSORT_TOOL_START_H

/* Returns the program's exit status: that of run(), or trouble where its output is lost. */
int start(int argc, char **argv, int (*run)(int argc, char **argv));

/* PoCL 3.1 ends the process if the name of its cache's folder is empty. */
void forget_empty_cache(void);

#endif
