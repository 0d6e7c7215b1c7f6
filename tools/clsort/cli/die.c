/* die.c: a message, and the end of the process with the status of trouble. */
#include "cli/message.h"

#include "cli/command.h"
#include "cli/progress.h"
#include "io/output.h"
#include "io/temp.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

/* Lets the first thread go on that comes here; the others wait for the end. */
static void be_the_first(void)
{
    static atomic_flag is_dying = ATOMIC_FLAG_INIT;
    static _Thread_local bool is_mine;
    while (!is_mine && atomic_flag_test_and_set(&is_dying))
        pause();
    is_mine = true;
}

void die(const char *format, ...)
{
    va_list arguments;
    be_the_first();
    va_start(arguments, format);
    message_list(format, arguments);
    va_end(arguments);
    die_told();
}

/* Other threads may be at work, also a driver's, whose destructors must not run below them. */
void die_told(void)
{
    be_the_first();
    progress_hide();
    temp_remove_all();
    output_close_stdout();
    _exit(EXIT_TROUBLE);
}
