#include "numbers/companions.h"

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

bool value_files_add(struct value_paths *paths, const char *option, const char *path)
{
    if (paths->num == MAX_VALUE_FILES) {
        message("--%s %s: at most %d files of values move with the keys", option, path,
                (int)MAX_VALUE_FILES);
        return false;
    }
    paths->all[paths->num++] = path;
    return true;
}

bool value_files_go_together(const struct value_files *files, const char *input,
                             const char *segments, const char *output)
{
    uint32_t num_standard = path_is_standard(input) + (segments && path_is_standard(segments));
    for (uint32_t i = 0; i < files->paths.num; i++)
        num_standard += path_is_standard(files->paths.all[i]);
    if (files->paths.num && num_standard > 1) {
        message(
            "keys, values and offsets cannot all be read from standard input; give them as files");
        return false;
    }
    if (files->paths.num != files->output_paths.num) {
        message("there are %" PRIu32 " --values and %" PRIu32
                " --values-output; each file of values needs its output, in the same order",
                files->paths.num, files->output_paths.num);
        return false;
    }
    for (uint32_t i = 0; i < files->paths.num; i++) {
        const char *path = files->output_paths.all[i];
        bool is_same = path_is_same_output(path, output);
        for (uint32_t j = 0; j < i; j++)
            is_same = is_same || path_is_same_output(path, files->output_paths.all[j]);
        if (is_same) {
            message("--values-output %s: another output is the same file; each needs its own",
                    path);
            return false;
        }
    }
    return true;
}

/* The size of a value follows from that of the file. */
static bool set_size(struct value_files *files, uint32_t i, uint64_t num_keys)
{
    const uint64_t size = files->bytes[i].size;
    const char *name =
        path_is_standard(files->paths.all[i]) ? "standard input" : files->paths.all[i];
    if (num_keys > 0 && size > 0 && size % num_keys == 0 && size / num_keys <= UINT32_MAX) {
        files->sizes[i] = (uint32_t)(size / num_keys);
        files->data[i] = files->bytes[i].data;
        return true;
    }
    if (num_keys == 0 && size == 0)
        return true;
    message("%s: %" PRIu64 " bytes are not a value of the same size for each of %" PRIu64 " keys",
            name, size, num_keys);
    return false;
}

bool value_files_read(struct value_files *files, uint64_t num_keys)
{
    const struct elements bytes = elements_of_type(CLSORT_U8);
    for (uint32_t i = 0; i < files->paths.num; i++) {
        if (!input_read_all(files->paths.all[i], &bytes, &files->bytes[i]) ||
            !set_size(files, i, num_keys))
            return false;
    }
    return true;
}

bool value_files_open_outputs(struct value_files *files)
{
    for (uint32_t i = 0; i < files->paths.num; i++) {
        if (!output_takes_bytes(files->output_paths.all[i]) ||
            !output_open(&files->outputs[i], files->output_paths.all[i]))
            return false;
    }
    return true;
}

bool value_files_finish(struct value_files *files, struct output *keys)
{
    struct output *outputs[1 + MAX_VALUE_FILES] = {keys};
    for (uint32_t i = 0; i < files->paths.num; i++)
        outputs[1 + i] = &files->outputs[i];
    return output_finish_all(outputs, 1 + files->paths.num);
}

void value_files_close(struct value_files *files)
{
    for (uint32_t i = 0; i < files->paths.num; i++) {
        output_abandon(&files->outputs[i]);
        bytes_free(&files->bytes[i]);
    }
}
