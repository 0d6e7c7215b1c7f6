/* sort_lines.c: 'clsort sort' of lines. */
#include "commands/sort.h"

#include "cli/command.h"
#include "cli/message.h"
#include "memory/host_memory.h"

#include <stdlib.h>

/* Refuses files, up to a NULL, that sort(1) takes for keys, such as +1. */
static bool refuse_old_keys(char **files)
{
    for (; *files; files++) {
        const char *const file = *files;
        if (file[0] == '+' && file[1] >= '0' && file[1] <= '9') {
            message("'%s' is a key in the old form of sort(1), which counts fields from 0; write "
                    "-k %lu for it, or ./%s for a file",
                    file, strtoul(file + 1, NULL, 10) + 1, file);
            return false;
        }
    }
    return true;
}

/* What lines do not have is refused, with what takes its place; of -a, --lines has some. */
static bool has_options_of_lines(const struct sort_request *request)
{
    const clsort_algorithm algorithm = request->job.desc.algorithm;
    const char *instead = input_job_elements();
    if (!instead)
        return true;
    if (!request->input.is_lines)
        message("%s", instead);
    else if (algorithm == CLSORT_AUTO || algorithm == CLSORT_RADIX)
        return true;
    else
        message("-a %s: lines are sorted by radix alone; give auto or radix",
                clsort_algorithm_name(algorithm));
    return false;
}

int sort_lines(struct sort_request *request, int num_files, char **files)
{
    struct text_order *order = &request->order;
    order->end = request->is_zero ? '\0' : '\n';
    order->is_table = request->is_csv || request->is_tsv;
    order->format = request->is_csv ? TEXT_CSV : TEXT_PLAIN;
    order->separator = request->is_tsv ? '\t' : order->separator;
    if (!has_options_of_lines(request) || !refuse_old_keys(files) || !text_complete_order(order))
        return EXIT_TROUBLE;
    struct text_job *job = text_make_job(num_files, (const char *const *)files);
    if (!job)
        return EXIT_TROUBLE;
    job->order = *order;
    job->options = request->settings;
    job->options.memory = host_memory_share(job->options.memory, host_memory_available());
    job->batch_size = request->batch_size;
    job->algorithm = request->job.desc.algorithm;
    job->notes_zeros = !request->input.is_lines && job->order.end == '\n' &&
                       (job->order.num_keys == 0 || job->order.is_table);
    const int mode = job->options.mode;
    const bool is_check = mode == 'c' || mode == 'C';
    const int status = is_check ? text_check_file(job, mode == 'C') : text_run(job);
    free(job);
    return status;
}
