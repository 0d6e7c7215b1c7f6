#include "external/pieces_job.h"

#include "numbers/key.h"
#include "cli/message.h"
#include "numbers/verify.h"

#include <inttypes.h>

static uint64_t hash(const struct pieces *pieces, const struct piece *piece)
{
    return multiset_hash(piece->keys, pieces->runs.keys.size, piece->values,
                         pieces->desc.value_size, piece->count);
}

void pieces_check_input(struct pieces *pieces, const struct piece *piece)
{
    if (pieces->options->is_verified)
        pieces->job->input_hash += hash(pieces, piece);
}

static bool is_in_order(struct pieces *pieces, const struct piece *piece)
{
    const bool is_descending = pieces->desc.order == CLSORT_DESCENDING;
    const size_t value_size = pieces->runs.value_size;
    for (uint64_t i = 0; i < piece->count; i++) {
        const uint64_t rank = element_rank(&pieces->runs.keys, piece->keys, i);
        const uint64_t value = value_size ? key_load(value_size, piece->values, i) : 0;
        const bool is_first = piece->first + i == 0;
        const bool is_wrong = is_descending ? rank > pieces->last_rank : rank < pieces->last_rank;
        const bool is_swapped =
            value_size && rank == pieces->last_rank && value <= pieces->last_value;
        if (!is_first && (is_wrong || is_swapped)) {
            message("verification failed: the output is out of order at key %" PRIu64 "; %s",
                    piece->first + i, output_verdict(pieces->output));
            return false;
        }
        pieces->last_rank = rank;
        pieces->last_value = value;
    }
    return true;
}

bool pieces_check_part(struct pieces *pieces, const struct piece *piece)
{
    if (!pieces->options->is_verified)
        return true;
    const double start = seconds_now();
    const bool ok = is_in_order(pieces, piece);
    pieces->output_hash += hash(pieces, piece);
    pieces->job->seconds[STAGE_CHECKING] += seconds_now() - start;
    return ok;
}

bool pieces_check_end(const struct pieces *pieces)
{
    if (!pieces->options->is_verified || pieces->output_hash == pieces->job->input_hash)
        return true;
    message("verification failed: the output is not a permutation of the input; %s",
            output_verdict(pieces->output));
    return false;
}
