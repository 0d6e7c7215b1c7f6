/* progress.h: one line on standard error that says what the tool is doing, drawn by a thread of its
 * own, only where standard error is a terminal and the work has taken more than a second. */
#ifndef CLSORT_TOOL_PROGRESS_H
#define CLSORT_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins a stage, ending the one before. stage is static text; total 0: there is no knowing how
 * much work it is, and what is done counts as bytes. Does nothing more where standard error is no
 * terminal. */
void progress_stage(const char *stage, uint64_t total);

/* Begins a stage that takes this number of seconds at most: its share is the clock's. */
void progress_stage_of_seconds(const char *stage, double seconds);

/* Shows nothing from now on: the user types at the terminal. */
void progress_hide(void);

/* How much of the stage's total is done; that so much more is, from any thread. */
void progress_done(uint64_t done);
void progress_add(uint64_t more);

/* Takes the line away until it is drawn next, so that other text can be printed. */
void progress_clear(void);

/* Ends the thread and takes the line away. */
void progress_end(void);

#endif
