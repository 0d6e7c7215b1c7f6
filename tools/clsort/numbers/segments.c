#include "numbers/segments.h"

#include "numbers/input.h"
#include "cli/message.h"
#include "io/paths.h"

#include <inttypes.h>

bool segments_read(struct segments *segments, const char *keys_path)
{
    struct elements numbers = elements_of_type(CLSORT_U64);
    numbers.about = "offsets";
    if (path_is_standard(segments->path) && path_is_standard(keys_path)) {
        message("keys and the offsets of --segments cannot both be read from standard input; give "
                "one as a file");
        return false;
    }
    if (!input_read_all(segments->path, &numbers, &segments->offsets))
        return false;
    if (segments->offsets.size == 0) {
        message("%s: has no offsets; one more than there are segments is needed", segments->path);
        return false;
    }
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
