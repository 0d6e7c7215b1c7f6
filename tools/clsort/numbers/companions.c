#include "numbers/companions.h"

#include "numbers/input.h"
#include "cli/message.h"
#include "io/paths.h"

#include <inttypes.h>

void segments_read(struct segments *segments, const char *keys_path)
{
    struct elements numbers = elements_of_type(CLSORT_U64);
    numbers.about = "offsets";
    if (path_is_standard(segments->path) && path_is_standard(keys_path))
        die("keys and the offsets of --segments cannot both be read from standard input; give one "
            "as a file");
    input_read_all(segments->path, &numbers, &segments->offsets);
    if (segments->offsets.size == 0)
        die("%s: has no offsets; one more than there are segments is needed", segments->path);
    const uint64_t *offsets = segments->offsets.data;
    segments->num = segments->offsets.size / sizeof(*offsets) - 1;
    for (uint64_t i = 1; i <= segments->num; i++) {
        if (offsets[i] < offsets[i - 1])
            die("%s: offset %" PRIu64 " (counted from 0) is %" PRIu64
                ", less than the one before it, %" PRIu64,
                segments->path, i, offsets[i], offsets[i - 1]);
    }
}

void segments_check_end(const struct segments *segments, uint64_t num_keys)
{
    const uint64_t *offsets = segments->offsets.data;
    const uint64_t end = segments->path ? offsets[segments->num] : 0;
    if (end > num_keys)
        die("%s: the last offset is %" PRIu64 ", and there are %" PRIu64 " keys", segments->path,
            end, num_keys);
}

void value_files_add(struct value_paths *paths, const char *option, const char *path)
{
    if (paths->num == MAX_VALUE_FILES)
        die("--%s %s: at most %d files of values move with the keys", option, path,
            (int)MAX_VALUE_FILES);
    paths->all[paths->num++] = path;
}

void value_files_check(const struct value_files *files, const char *input, const char *segments,
                       const char *output)
{
    uint32_t num_standard = path_is_standard(input) + (segments && path_is_standard(segments));
    for (uint32_t i = 0; i < files->paths.num; i++)
        num_standard += path_is_standard(files->paths.all[i]);
    if (files->paths.num && num_standard > 1)
        die("keys, values and offsets cannot all be read from standard input; give them as files");
    if (files->paths.num != files->output_paths.num)
        die("there are %" PRIu32 " --values and %" PRIu32
            " --values-output; each file of values needs its output, in the same order",
            files->paths.num, files->output_paths.num);
    for (uint32_t i = 0; i < files->paths.num; i++) {
        const char *path = files->output_paths.all[i];
        bool is_same = path_is_same_output(path, output);
        for (uint32_t j = 0; j < i; j++)
            is_same = is_same || path_is_same_output(path, files->output_paths.all[j]);
        if (is_same)
            die("--values-output %s: another output is the same file; each needs its own", path);
    }
}

/* The size of a value follows from that of the file. */
static void set_size(struct value_files *files, uint32_t i, uint64_t num_keys)
{
    const uint64_t size = files->bytes[i].size;
    const char *name =
        path_is_standard(files->paths.all[i]) ? "standard input" : files->paths.all[i];
    if (num_keys == 0 && size == 0)
        return;
    if (num_keys == 0 || size == 0 || size % num_keys != 0 || size / num_keys > UINT32_MAX)
        die("%s: %" PRIu64 " bytes are not a value of the same size for each of %" PRIu64 " keys",
            name, size, num_keys);
    files->sizes[i] = (uint32_t)(size / num_keys);
    files->data[i] = files->bytes[i].data;
}

void value_files_read(struct value_files *files, uint64_t num_keys)
{
    const struct elements bytes = elements_of_type(CLSORT_U8);
    for (uint32_t i = 0; i < files->paths.num; i++) {
        input_read_all(files->paths.all[i], &bytes, &files->bytes[i]);
        set_size(files, i, num_keys);
    }
}

void value_files_open_outputs(struct value_files *files)
{
    for (uint32_t i = 0; i < files->paths.num; i++) {
        output_refuse_terminal(files->output_paths.all[i]);
        output_open(&files->outputs[i], files->output_paths.all[i]);
    }
}

void value_files_finish(struct value_files *files, struct output *keys)
{
    struct output *outputs[1 + MAX_VALUE_FILES] = {keys};
    for (uint32_t i = 0; i < files->paths.num; i++)
        outputs[1 + i] = &files->outputs[i];
    output_finish_all(outputs, 1 + files->paths.num);
}

void value_files_close(struct value_files *files)
{
    for (uint32_t i = 0; i < files->paths.num; i++) {
        output_abandon(&files->outputs[i]);
        bytes_free(&files->bytes[i]);
    }
}
