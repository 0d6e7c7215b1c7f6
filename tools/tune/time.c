/* time.c: how the parts of the work share its time. A compiler decides how long a candidate
 * takes, so no share is right from the start: parts that were cut short have further turns, with
 * what the others did not need. */
#include "tune/tune.h"

#include "cli/message.h"

enum { MAX_PARTS = 64 };

static double elapsed(const struct tune *tune)
{
    return seconds_now() - tune->start;
}

bool tune_has_time(struct tune *tune)
{
    if (elapsed(tune) > tune->until)
        tune->is_cut = true;
    return !tune->is_cut;
}

/* Measures the parts that are left, and leaves those that were cut short. */
static bool take_turn(struct tune *tune, tune_part *measure, int parts[MAX_PARTS], int *num_parts,
                      struct bench_type type, double end)
{
    const int num = *num_parts;
    int num_cut = 0;
    for (int i = 0; i < num; i++) {
        const double now = elapsed(tune);
        tune->until = now + (end - now) / (num - i);
        tune->is_cut = false;
        if (!measure(tune, parts[i], type))
            return false;
        if (tune->is_cut)
            parts[num_cut++] = parts[i];
    }
    *num_parts = num_cut;
    return true;
}

bool tune_all_parts(struct tune *tune, tune_part *measure, int num_parts, struct bench_type type,
                    double end)
{
    int parts[MAX_PARTS];
    int num = num_parts < MAX_PARTS ? num_parts : MAX_PARTS;
    for (int i = 0; i < num; i++)
        parts[i] = i;
    do {
        if (!take_turn(tune, measure, parts, &num, type, end))
            return false;
    } while (num > 0 && elapsed(tune) < end);
    tune->is_over = tune->is_over || num > 0;
    return true;
}
