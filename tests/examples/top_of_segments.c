/* top_of_segments.c: the two best scores of each of four games, with the numbers of the players who
 * have them. Each game has two places in the outputs. The second game has no player, and the third
 * one alone.
 * Output: 9 of 1, 7 of 0 | | 2 of 0 | 6 of 2, 6 of 3 */
#include <clsort/clsort.h>
#include <stdio.h>

enum { GAMES = 4, BEST = 2, SCORES = 8 };

int main(void)
{
    float scores[SCORES] = {7, 9, 3, 2, 5, 1, 6, 6};
    uint32_t offsets[GAMES + 1] = {0, 3, 3, 4, 8}; /* game i is offsets[i] up to offsets[i + 1] */
    float best[GAMES * BEST];
    uint32_t players[GAMES * BEST]; /* counted in each game */

    clsort_desc desc = CLSORT_ZERO;
    desc.count = SCORES;
    desc.num_segments = GAMES;
    desc.offset_size = sizeof offsets[0];
    desc.type = CLSORT_F32;
    desc.order = CLSORT_DESCENDING;
    desc.index_size = sizeof players[0];
    desc.out_of_place = 1; /* the keys, too */
    desc.limit = BEST;
    clsort_arrays arrays = CLSORT_ZERO;
    arrays.keys = scores;
    arrays.offsets = offsets;
    arrays.keys_out = best;
    arrays.indices = players;
    clsort_status status = clsort_sort(NULL, &desc, &arrays);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_text(status));
        return 1;
    }
    for (int game = 0; game < GAMES; ++game) {
        /* Places that a short game leaves are as they were. */
        const uint32_t size = offsets[game + 1] - offsets[game];
        printf("%s", game ? " | " : "");
        for (uint32_t i = 0; i < BEST && i < size; ++i)
            printf("%s%g of %u", i ? ", " : "", best[game * BEST + i],
                   (unsigned)players[game * BEST + i]);
    }
    printf("\n");
    return 0;
}
