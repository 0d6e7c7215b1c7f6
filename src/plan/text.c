/* text.c: a plan as text: a title, a line for each step, the sums. */
#include "plan/plan.h"

#include "base/writer.h"

#include <stdio.h>
#include <string.h>

static void add_title(struct writer *text, const struct plan *plan, const struct problem *problem)
{
    writer_add(text, "%s: %llu x %llu ", clsort_algorithm_name(plan->algorithm),
               (unsigned long long)problem->num_arrays, (unsigned long long)problem->count);
    if (problem->is_strings)
        writer_add(text, "strings of %llu B in all",
                   (unsigned long long)problem->strings.num_bytes);
    else if (problem->num_columns)
        writer_add(text, "rows of %u columns", (unsigned)problem->num_columns);
    else if (problem->record_size)
        writer_add(text, "records of %u B", (unsigned)problem->record_size);
    else
        writer_add(text, "%s", problem->type->name);
    writer_add(text, ", %s, %s%s\n", problem->descending ? "descending" : "ascending",
               plan->stable ? "stable" : "not stable", problem->in_place ? "" : ", out of place");
}

/* The first step of a role; NULL if there is none. */
static const struct step *find_role(const struct plan *plan, clsort_role role)
{
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        if (plan->steps[i].role == role)
            return &plan->steps[i];
    }
    return NULL;
}

/* Names the main sort and the fallback by how the names of their kernels begin. */
static void add_sorts(struct writer *text, const struct step *main, const struct step *fallback)
{
    const char *const names[] = {kernel_name(main->kernel), kernel_name(fallback->kernel)};
    writer_add(
        text,
        "main sort: %.*s; fallback: %.*s, for keys that a sample shows to be skewed. The launches "
        "of\nthe sort that is not needed do nothing.\n",
        (int)strcspn(names[0], "_"), names[0], (int)strcspn(names[1], "_"), names[1]);
}

/* A number with three digits and a unit; what has no more than four digits is itself. */
enum { UNIT_TEXT = 16 };
static const char *short_number(uint64_t number, uint64_t base, const char *unit,
                                char chars[UNIT_TEXT])
{
    static const char scales[] = "\0kMGTPE";
    double rest = (double)number;
    int scale = 0;
    while (number > 9999 && rest >= 999.5 && scales[scale + 1]) {
        rest /= (double)base;
        ++scale;
    }
    if (scale == 0)
        snprintf(chars, UNIT_TEXT, "%llu%s%s", (unsigned long long)number, *unit ? " " : "", unit);
    else
        snprintf(chars, UNIT_TEXT, "%.*f %c%s%s",
                 rest < 9.995   ? 2
                 : rest < 99.95 ? 1
                                : 0,
                 rest, base == 1024 && scales[scale] == 'k' ? 'K' : scales[scale],
                 base == 1024 ? "i" : "", unit);
    return chars;
}

static const char *short_count(uint64_t count, char chars[UNIT_TEXT])
{
    return short_number(count, 1000, "", chars);
}

static const char *short_bytes(uint64_t bytes, char chars[UNIT_TEXT])
{
    return short_number(bytes, 1024, "B", chars);
}

/* A step's line is at most 100 columns wide with its role; its work comes behind. */
#define COLUMNS "  %-18s %7s x %-5"
#define NUMBERS " %8s %9s %9s %9s %9s"
#define LINE "%4u" COLUMNS "u" NUMBERS
#define HEAD "%4s" COLUMNS "s" NUMBERS "%s\n"

static void add_step(struct writer *text, uint32_t number, const struct step *step)
{
    static const char *const roles[] = {"", "  main", "  fallback"};
    char groups[UNIT_TEXT], local[UNIT_TEXT], compares[UNIT_TEXT], exchanges[UNIT_TEXT];
    char read[UNIT_TEXT], written[UNIT_TEXT];
    writer_add(text, LINE "%s%s%s\n", (unsigned)number, kernel_name(step->kernel),
               short_count(step->num_groups, groups), (unsigned)step->variant.group_size,
               short_bytes(step->local_size, local), short_count(step->compares, compares),
               short_count(step->exchanges, exchanges), short_bytes(step->bytes_read, read),
               short_bytes(step->bytes_written, written), roles[step->role], step->work ? "  " : "",
               step->work ? step->work : "");
}

size_t plan_text(const struct plan *plan, const struct problem *problem, char *chars, size_t size)
{
    struct writer text = {.bytes = chars, .capacity = size};
    const struct step *fallback = find_role(plan, CLSORT_ROLE_FALLBACK);
    char numbers[5][UNIT_TEXT];
    clsort_plan sums;
    plan_sums(plan, &sums);
    add_title(&text, plan, problem);
    if (fallback)
        add_sorts(&text, find_role(plan, CLSORT_ROLE_MAIN), fallback);
    writer_add(&text, HEAD, "step", "kernel", "groups", "size", "local", "compares", "exchanges",
               "read", "written", fallback ? "  sort" : "");
    for (uint32_t i = 0; i < plan->num_steps; ++i)
        add_step(&text, i + 1, &plan->steps[i]);
    writer_add(&text,
               "launches %u, compares %s, exchanges at most %s, read %s, written %s, scratch %s\n",
               (unsigned)sums.num_steps, short_count(sums.compares, numbers[0]),
               short_count(sums.exchanges, numbers[1]), short_bytes(sums.bytes_read, numbers[2]),
               short_bytes(sums.bytes_written, numbers[3]),
               short_bytes(sums.scratch_size, numbers[4]));
    return text.size;
}
