/* clsort-mpi: sorts files over the ranks of an MPI job. */
#include "job.h"

#include "cli/message.h"
#include "cli/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints --stats: the slowest rank's times, and sums over all ranks. */
static void print_stats(const struct options *options, const clsort_mpi_report *report,
                        double read_seconds, double write_seconds)
{
    const uint64_t total = sum_of(report->count), sent = sum_of(report->bytes_sent);
    const double mean = (double)total / num_ranks;
    const struct {
        const char *name;
        double number;
    } rows[] = {
        {"read_seconds", largest_of(read_seconds)},
        {"sort_seconds", largest_of(report->sort_seconds)},
        {"split_seconds", largest_of(report->split_seconds)},
        {"exchange_seconds", largest_of(report->exchange_seconds)},
        {"merge_seconds", largest_of(report->merge_seconds)},
        {"wait_seconds", largest_of(report->wait_seconds)},
        {"copy_seconds", largest_of(report->copy_seconds)},
        {"total_seconds", largest_of(report->total_seconds)},
        {"write_seconds", largest_of(write_seconds)},
        {"balance", mean > 0 ? largest_of((double)report->count_received) / mean : 1},
    };
    const size_t num_rows = sizeof rows / sizeof *rows;
    if (own_rank)
        return;
    if (options->json) {
        fprintf(stderr, "{\"ranks\":%d,\"type\":\"%s\",\"count\":%" PRIu64 ",\"rounds\":%" PRIu32,
                num_ranks, clsort_type_name(options->type), total, report->num_rounds);
        for (size_t i = 0; i < num_rows; ++i)
            fprintf(stderr, ",\"%s\":%.9g", rows[i].name, rows[i].number);
        fprintf(stderr, ",\"bytes_sent\":%" PRIu64 "}\n", sent);
        return;
    }
    fprintf(stderr,
            "%d ranks, %" PRIu64 " keys of type %s, %" PRIu32 " reductions for the borders\n",
            num_ranks, total, clsort_type_name(options->type), report->num_rounds);
    for (size_t i = 0; i < num_rows; ++i)
        fprintf(stderr, "%-17s %.6g\n", rows[i].name, rows[i].number);
    fprintf(stderr, "%-17s %" PRIu64 "\n", "bytes_sent", sent);
    if (report->total_seconds > 0)
        fprintf(stderr, "%-17s %.4g\n", "keys_per_second", (double)total / report->total_seconds);
}

/* Records a failure of the library's. What is wrong with a tuning file, its check alone tells. */
static void wrong_status(int rank, const char *what, int status)
{
    char text[1024] = "";
    if (status == CLSORT_ERROR_TUNING &&
        clsort_check_tuning(NULL, text, sizeof text, NULL) != CLSORT_OK && *text)
        wrong("%s", text);
    else if (rank >= 0)
        wrong("rank %d: %s%s", rank, what, clsort_mpi_status_text(status));
    else
        wrong("%s%s", what, clsort_mpi_status_text(status));
}

/* Sorts this rank's keys in place. */
static bool sort(const struct options *options, void *keys, uint64_t count,
                 clsort_mpi_report *report)
{
    clsort_sorter *sorter = NULL;
    cl_device_id device = NULL;
    clsort_status found = CLSORT_OK;
    if (options->device)
        found = clsort_find_device(options->device, &device);
    if (options->device && !found)
        found = clsort_create(NULL, device, &sorter);
    if (found) {
        char what[256];
        snprintf(what, sizeof what, "device '%s': ", options->device);
        wrong_status(own_rank, what, found);
    }
    if (!all_right(!found))
        return false;
    const clsort_desc desc = {.count = count,
                              .type = options->type,
                              .order = options->order,
                              .algorithm = options->algorithm};
    const clsort_arrays arrays = {.keys = keys};
    const int status = clsort_mpi_sort(sorter, MPI_COMM_WORLD, &desc, &arrays, report);
    if (status)
        wrong_status(report->failed_rank, "", status);
    clsort_destroy(sorter);
    return all_right(!status);
}

static bool run(const struct options *options)
{
    struct share share;
    clsort_mpi_report report;
    bool is_right = all_right(share_find(options, &share)) &&
                    all_right(result_is_possible(options, share.count, sum_of(share.count))) &&
                    all_right(share_fits(options, &share));
    double since = MPI_Wtime();
    void *keys = is_right ? share_read(options, &share) : NULL;
    const double read_seconds = MPI_Wtime() - since;
    is_right = is_right && all_right(keys != NULL);
    struct proof before = {0};
    if (is_right && options->verify)
        before = proof_record(options->type, keys, share.count);
    is_right = is_right && sort(options, keys, share.count, &report);
    if (is_right && options->verify) {
        is_right =
            all_right(proof_verify(options->type, options->order, &before, keys, share.count));
        if (is_right && own_rank == 0)
            fputs("clsort-mpi: in order over all ranks, and a permutation of the input\n", stderr);
    }
    since = MPI_Wtime();
    if (is_right)
        is_right =
            result_write(options, keys, share.count, sum_before(share.count), sum_of(share.count));
    if (is_right && (options->stats || options->json))
        print_stats(options, &report, read_seconds, MPI_Wtime() - since);
    free(keys);
    free(share.name);
    return is_right;
}

int main(int argc, char **argv)
{
    struct options options;
    int status = 2;
    forget_empty_cache();
    if (MPI_Init(&argc, &argv))
        return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
    if (options_read(argc, argv, own_rank == 0, &options, &status)) {
        message_set_program("clsort-mpi"); /* of every rank */
        status = run(&options) ? 0 : 2;
    }
    MPI_Finalize();
    return status;
}
