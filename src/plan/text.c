/* text.c: a plan as text: a title, a line for each step, the sums. */
#include "plan/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that may be too short; length is that of the whole. */
struct text {
    char *chars;
    size_t size, length;
};

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static void
add(struct text *text, const char *format, ...)
{
    const int has_room = text->length < text->size;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(has_room ? text->chars + text->length : NULL,
                                 has_room ? text->size - text->length : 0, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

static void add_title(struct text *text, const struct plan *plan, const struct problem *problem)
{
    add(text, "%s: %llu x %llu ", clsort_algorithm_name(plan->algorithm),
        (unsigned long long)problem->num_arrays, (unsigned long long)problem->count);
    if (problem->is_strings)
        add(text, "strings of %llu B in all", (unsigned long long)problem->strings.num_bytes);
    else if (problem->num_columns)
        add(text, "rows of %u columns", (unsigned)problem->num_columns);
    else if (problem->record_size)
        add(text, "records of %u B", (unsigned)problem->record_size);
    else
        add(text, "%s", problem->type->name);
    add(text, ", %s, %s%s\n", problem->descending ? "descending" : "ascending",
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

/* Kernels of one sort have names that begin alike. */
static int family_length(const char *name)
{
    return (int)strcspn(name, "_");
}

/* Names the main sort, and each fallback once: the steps of one follow one another. */
static void add_sorts(struct text *text, const struct plan *plan)
{
    const char *before = kernel_name(find_role(plan, CLSORT_ROLE_MAIN)->kernel);
    const char *separator = "; fallback: ";
    add(text, "main sort: %.*s", family_length(before), before);
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        const char *name = kernel_name(plan->steps[i].kernel);
        const int length = family_length(name);
        if (plan->steps[i].role != CLSORT_ROLE_FALLBACK || !strncmp(before, name, (size_t)length))
            continue;
        add(text, "%s%.*s", separator, length, name);
        separator = " or ";
        before = name;
    }
    add(text, ", for keys that a sample shows to be skewed. The launches of\n"
              "the sort that is not needed do nothing.\n");
}

static void add_step(struct text *text, uint32_t number, const struct step *step)
{
    static const char *const roles[] = {"", "  main", "  fallback"};
    add(text, "%4u  %-14s %12llu x %-5u %10u %20llu %20llu %16llu %16llu%s%s%s\n", (unsigned)number,
        kernel_name(step->kernel), (unsigned long long)step->num_groups,
        (unsigned)step->variant.group_size, (unsigned)step->local_size,
        (unsigned long long)step->compares, (unsigned long long)step->exchanges,
        (unsigned long long)step->bytes_read, (unsigned long long)step->bytes_written,
        roles[step->role], step->work ? "  " : "", step->work ? step->work : "");
}

size_t plan_text(const struct plan *plan, const struct problem *problem, char *chars, size_t size)
{
    struct text text = {chars, size, 0};
    const struct step *fallback = find_role(plan, CLSORT_ROLE_FALLBACK);
    clsort_plan sums;
    plan_sums(plan, &sums);
    add_title(&text, plan, problem);
    if (fallback)
        add_sorts(&text, plan);
    add(&text, "%4s  %-14s %12s x %-5s %10s %20s %20s %16s %16s%s\n", "step", "kernel", "groups",
        "size", "local B", "compares", "exchanges", "read B", "written B",
        fallback ? "  sort" : "");
    for (uint32_t i = 0; i < plan->num_steps; ++i)
        add_step(&text, i + 1, &plan->steps[i]);
    add(&text,
        "launches %u, compares %llu, exchanges at most %llu, read %llu B, written %llu B, "
        "scratch %llu B\n",
        (unsigned)sums.num_steps, (unsigned long long)sums.compares,
        (unsigned long long)sums.exchanges, (unsigned long long)sums.bytes_read,
        (unsigned long long)sums.bytes_written, (unsigned long long)sums.scratch_size);
    return text.length;
}
