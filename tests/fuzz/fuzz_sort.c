/* Any sort of a few thousand keys, with the checks of case.c. An input is a head of HEAD bytes that
 * chooses the sort, and the keys' bytes, repeated. Values are chosen from lists, so that most
 * inputs are valid and a few hundred kernels suffice for all. */
#include <stdlib.h>

#include "support/case.h"

enum { HEAD = 10, MAX_KEYS = 6000 };

/* Values, indices. */
static const uint32_t payloads[][2] = {{0, 0}, {4, 0}, {0, 4}, {12, 0}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fixture *fix;
    if (!fix && !(fix = fixture_open()))
        exit(77);
    if (size <= HEAD)
        return -1;
    const clsort_type type = (clsort_type)(data[0] % CLSORT_NUM_TYPES);
    const uint32_t bits = type_infos[type].bits;
    const uint32_t ranges[][2] = {{bits / 2, bits / 2 + 3}, {bits - 1, bits}, {0, 7}, {0, 0}};
    const uint32_t *payload = payloads[data[1] % (sizeof payloads / sizeof *payloads)];
    const uint32_t *range = ranges[data[2] % 2 ? type % 3 : 3];
    const uint64_t num_arrays = data[3] % 4 ? 1 : 1 + data[4];
    clsort_desc desc = {
        .count = ((uint64_t)data[5] << 8 | data[6]) % (MAX_KEYS / num_arrays),
        .num_arrays = num_arrays,
        .type = type,
        .order = data[7] & 1 ? CLSORT_DESCENDING : CLSORT_ASCENDING,
        .first_bit = range[0],
        .end_bit = range[1],
        .algorithm = (clsort_algorithm)(data[8] % CLSORT_NUM_ALGORITHMS),
        .stable = data[7] >> 1 & 1,
        .value_size = payload[0],
        .index_size = payload[1],
        .out_of_place = (data[7] >> 2 & 1) && !payload[1],
    };
    /* The seed also shifts the buffers' offsets. */
    const sort_case c = {.desc = desc,
                         .seed = data[9],
                         .own_scratch = data[7] >> 3 & 1,
                         .bytes = data + HEAD,
                         .num_bytes = size - HEAD};
    case_run(fix, &c);
    return 0;
}
