#include "numbers/segments.h"

#include "numbers/input.h"
#include "cli/message.h"
#include "io/paths.h"

#include <inttypes.h>

static bool read_offsets(struct segments *segments)
{
    struct elements numbers = elements_of_type(CLSORT_U64);
    numbers.about = "offsets";
    const bool ok = input_read_all(segments->path, &numbers, &segments->offsets);
    if (ok && segments->offsets.size == 0)
        message("%s: has no offsets; one more than there are segments is needed", segments->path);
    return ok && segments->offsets.size > 0;
}

bool segments_read(struct segments *segments, const char *keys_path)
{
    if (path_is_standard(segments->path) && path_is_standard(keys_path)) {
        message("keys and the offsets of --segments cannot both be read from standard input; give "
                "one as a file");
        return false;
    }
    if (!read_offsets(segments))
        return false;
    const uint64_t *offsets = segments->offsets.data;
    segments->num = segments->offsets.size / sizeof(*offsets) - 1;
    for (uint64_t i = 1; i <= segments->num; i++) {
        if (offsets[i] < offsets[i - 1]) {
            message("%s: offset %" PRIu64 " (counted from 0) is %" PRIu64
                    ", less than the one before it, %" PRIu64,
                    segments->path, i, offsets[i], offsets[i - 1]);
            return false;
        }
    }
    return true;
}

bool segments_are_within(const struct segments *segments, uint64_t num_keys)
{
    const uint64_t *offsets = segments->offsets.data;
    const uint64_t end = segments->path ? offsets[segments->num] : 0;
    if (end > num_keys)
        message("%s: the last offset is %" PRIu64 ", and there are %" PRIu64 " keys",
                segments->path, end, num_keys);
    return end <= num_keys;
}

void segments_describe(const struct segments *segments, clsort_desc *desc)
{
    desc->num_segments = segments->num;
    desc->offset_size = sizeof(uint64_t);
}
