/* job.h: what 'clsort sort' with sort(1)'s options works on: lines of one or more files, in
 * the order of their keys. Pieces that fit into the memory are read, sorted and, if there are
 * several, written to a temporary file and merged. What fails dies. */
#ifndef CLSORT_TOOL_TEXT_JOB_H
#define CLSORT_TOOL_TEXT_JOB_H

#include "cli/options.h"
#include "io/output.h"
#include "io/source.h"
#include "memory/parallel.h"
#include "numbers/sort_job.h"
#include "numbers/text.h"
#include "external/spill.h"
#include "text/code.h"
#include "text/order.h"

#include <stdatomic.h>

/* stream.c: the lines of a file, or of a run in the temporary file, from the first to the last. */
struct text_stream {
    struct source source;            /* a file, or */
    const struct spill *spill;       /* a run, which is not NULL and has */
    uint64_t at, left;               /* bytes */
    char end;                        /* of a line */
    const struct elements *elements; /* instead of lines; or NULL */
    size_t head_size;                /* bytes in front of each line of a run, of any value */
    bool has_ended;                  /* all is in the block */
    size_t block_size;               /* bytes read at once */
    struct bytes block;
    size_t next;      /* where the next line begins in the block */
    const char *line; /* the line read last, without its end, until the next is read */
    size_t size;
    uint64_t number; /* of that line, counted from 1 */
};

/* Opens a file, or standard input where path is NULL or "-". */
void text_stream_open(struct text_stream *stream, const char *path, const struct text_order *order,
                      size_t block_size);

/* Passes over a byte order mark at a file's begin, of which nothing has been read; true if there is
 * one. */
bool text_stream_skip_mark(struct text_stream *stream);

/* Reads a line; false at the end. */
bool text_stream_read(struct text_stream *stream);

/* Reads bytes of a file, whatever lines they are of: `size` of them, or less at the end or behind
 * what has been read as lines. Returns how many. */
size_t text_stream_take(struct text_stream *stream, void *to, size_t size);

/* Fine for one that is zero. */
void text_stream_close(struct text_stream *stream);

enum { TEXT_MAX_THREADS = 16 };

/* Where the lines of a file begin among all that are sorted, counted from 0. */
struct text_input {
    const char *path;
    uint64_t first_line;
};

/* A piece: a text, and where its lines begin. */
struct lines {
    struct bytes text;    /* every line with its end, also the last one */
    struct bytes starts;  /* count + 1 offsets */
    uint32_t offset_size; /* of one: 4 or 8 bytes */
    uint64_t count;
};

struct text_run {
    uint64_t at, size; /* bytes of the temporary file */
};

struct text_job {
    struct text_order order;
    struct sort_settings options;
    bool notes_zeros; /* no option says that the file holds lines */
    int num_inputs;
    uint64_t batch_size; /* files that are merged at once, at most; 0: as many as can be open */
    clsort_algorithm algorithm;
    struct output output;
    bool has_mark;       /* the first file begins with a byte order mark, and so does the output */
    struct bytes header; /* the first lines of the first file, with their ends */

    bool tells_two; /* lines in disorder, with the one before */

    struct lines lines;   /* the piece */
    uint64_t num_taken;   /* lines of it that text_numbers_read() has given away */
    struct sort_job sort; /* its order in the indices, the codes' begins in the keys; the device */
    struct text_stream stream; /* the file that is read */
    int num_opened;            /* files */
    uint64_t text_read;        /* bytes in the text's buffer: the piece, and what lies behind it */
    uint64_t num_lines;        /* of the pieces before */
    uint64_t hash;             /* of the lines of all runs, where they are checked */
    size_t shared;             /* bytes that all codes of the piece begin with */
    atomic_bool has_long;      /* codes may have more behind their prefixes */
    bool has_ended;            /* all files */
    bool is_short;             /* there is no memory for more of the text */
    uint64_t block;            /* bytes to read at once; 0: as the memory allows */
    bool has_looked;           /* for a device, and */
    bool is_alone;             /* there is none: the host sorts by itself */
    bool is_opening;           /* the device, by a thread */
    bool has_opened;
    pthread_t opener;
    uint64_t expected_size; /* bytes of all regular files */

    struct text_coder coders[TEXT_MAX_THREADS]; /* two for a thread that compares */
    struct text_coder others[TEXT_MAX_THREADS];
    struct bytes groups[TEXT_MAX_THREADS]; /* lines of equal prefixes, and their codes */
    struct bytes tails[TEXT_MAX_THREADS];
    struct spill spill;
    struct bytes runs; /* struct text_run */
    struct text_input inputs[];
};

/* What is written for a line that -u leaves out, in the order of a piece. */
#define TEXT_DROPPED UINT32_MAX

/* Where line i of a piece begins; i may be the count. */
static inline uint64_t lines_start(const struct lines *lines, uint64_t i)
{
    return lines->offset_size == 4 ? ((const uint32_t *)lines->starts.data)[i]
                                   : ((const uint64_t *)lines->starts.data)[i];
}

/* Line i of the piece, without its end. */
static inline const char *text_line(const struct text_job *job, uint64_t i, size_t *size_ret)
{
    const uint64_t start = lines_start(&job->lines, i);
    *size_ret = (size_t)(lines_start(&job->lines, i + 1) - start - 1);
    return (const char *)job->lines.text.data + start;
}

/* A job of files, or if there are none of standard input; one of a file with a number on each line.
 * To be freed. */
struct text_job *text_make_job(int num_files, const char *const *files);
struct text_job *text_make_typed_job(const char *path, clsort_type type);

/* --text: sorts the lines of a file by the number that each holds; lines of equal numbers keep
 * their order. desc has type, order, algorithm and index size. */
void text_sort_numbers(const char *path, const clsort_desc *desc,
                       const struct sort_settings *options);

/* Sorts, or of mode 'm' merges sorted files. */
void text_run(struct text_job *job);

/* Checks a file; returns the exit status. */
int text_check_file(struct text_job *job, bool is_quiet);

/* 'clsort check' of lines by their bytes: *line_ret is the one that it tells of. */
int text_check_lines(const char *path, clsort_order order, bool notes_zeros, uint64_t *line_ret);

/* The sort of a piece's prefixes, or of its numbers. */
static inline clsort_desc text_prefix_desc(const struct text_job *job, uint64_t count)
{
    const bool is_typed = text_is_typed(&job->order);
    return (clsort_desc){.count = count,
                         .type = is_typed ? job->order.type : CLSORT_U64,
                         .order = is_typed && job->order.keys[0].flags.is_reversed,
                         .algorithm = job->algorithm,
                         .value_size = sizeof(uint32_t),
                         .stable = 1};
}

/* Whether lines are ordered by their bytes alone. */
static inline bool text_is_whole(const struct text_order *order)
{
    return order->num_keys == 0 && !order->is_strict && !order->is_csv;
}

/* Whether lines of equal keys are ordered by their bytes. */
static inline bool text_has_last(const struct text_order *order)
{
    return !order->is_stable && order->num_keys > 0;
}

/* The sort of lines by their bytes; strings has where they lie. */
static inline clsort_desc text_whole_desc(const struct text_job *job, uint64_t count,
                                          const clsort_strings *strings)
{
    return (clsort_desc){.count = count,
                         .order =
                             job->order.flags.is_reversed ? CLSORT_DESCENDING : CLSORT_ASCENDING,
                         .algorithm = job->algorithm,
                         .index_size = sizeof(uint32_t),
                         .strings = strings};
}

/* Takes what stands before a file's rows. It is kept if the file is the first: it is written when
 * all files are known to be no output. */
void text_take_header(struct text_job *job, struct text_stream *stream, bool is_kept);

/* Reads a piece: as many lines as fit, at least one, into job->lines. The first header is in
 * job->header then. True: nothing is left. */
bool text_read_piece(struct text_job *job);

/* Lets go of the piece; the lines behind it are the next one's. */
void text_drop_piece(struct text_job *job);

/* Sorts the piece: job->sort.indices names its lines in order, of which count are left. */
void text_sort_piece(struct text_job *job);

/* Writes eight bytes of each line's code behind the shared ones to job->sort.keys, or its number of
 * --text, and the lines' places to indices. */
void text_make_prefixes(struct text_job *job);

/* The numbers of --text in lines `first` to first + num of the piece, as raw keys. */
void text_parse_lines(struct text_job *job, uint64_t first, uint64_t num, void *keys);

/* Says what is wrong with a line of the piece: in which file, and where. */
void text_refuse_line(struct text_job *job, uint64_t i);

/* Whether no device is asked for and there is none. Pieces are then what the host sorts alone. */
bool text_is_alone(struct text_job *job);

/* Opens the device in the background; waits for that thread; opens the device, or has it open. */
void text_begin_device(struct text_job *job);
void text_end_opening(struct text_job *job);
void text_open_device(struct text_job *job);

/* Puts lines of equal prefixes in order and marks what -u drops. The prefixes are sorted, and the
 * lines of equal ones in the order of the input. */
void text_order_ties(struct text_job *job);

/* Sorts the piece on the device: by whole codes, or if lines are ordered by their bytes alone, by
 * these. False: they do not fit into the memory. */
bool text_sort_codes(struct text_job *job);
bool text_sort_whole(struct text_job *job);

/* --verify: the order of the piece has to be right. */
void text_check_piece(struct text_job *job);

/* How two lines compare by their bytes, the other way with -r. */
int text_compare_lines(const struct text_order *order, const char *a, size_t a_size, const char *b,
                       size_t b_size);

/* Prints a note if the begin of a regular file has zero bytes, as raw keys have. */
void text_note_zeros_of(const struct source *source);

/* Writes the next bytes of the output, or with is_run of the last run in the temporary file. */
void text_put(struct text_job *job, bool is_run, const void *data, size_t size);

/* Writes the lines of the piece in their order; -u has left fewer. In a run each has its number in
 * front where positions are asked for. */
enum { TEXT_HEAD = sizeof(uint64_t) };
void text_write_piece(struct text_job *job, bool is_run);

/* Writes what stands before all lines of an output, if the lines are written. */
void text_write_header(struct text_job *job);

/* Writes the positions of the piece's lines in their order, instead of these. */
void text_write_positions(struct text_job *job);

/* Opens the temporary file, with room for the text of all regular files. */
void text_open_spill(struct text_job *job);

/* Begins a run behind those in the temporary file; ends it, when all of it is written. */
void text_begin_run(struct text_job *job);
void text_end_run(struct text_job *job);

/* Writes the piece to the temporary file; merges what is there into the output. */
void text_write_run(struct text_job *job);
void text_merge_runs(struct text_job *job);

/* Gives back the memory of the piece. */
void text_free_piece(struct text_job *job);

/* Merges `num` streams from number `first` on, equal lines in the order of the streams. What is
 * written to a run has the lines' heads; an output has their positions instead of the lines where
 * these are asked for. */
typedef void text_open_stream(struct text_job *job, struct text_stream *stream, uint64_t i,
                              size_t block);
void text_merge(struct text_job *job, text_open_stream *open, uint64_t first, uint64_t num,
                bool is_run);

/* The position of a line as it is written; returns how many bytes that takes. */
enum { TEXT_POSITION = KEY_TEXT + 1 };
size_t text_put_position(const struct text_job *job, uint64_t position, char to[TEXT_POSITION]);

/* The name of the file that a line of all is of, for messages; *first_ret is its first line. */
const char *text_file_of(const struct text_job *job, uint64_t line, uint64_t *first_ret);

/* Refuses a line for want of a number, or for a quote that is open, if it is to be refused. Without
 * a file's name it returns false instead. */
bool text_accept(const struct text_order *order, const char *name, uint64_t number,
                 const char *line, size_t size, struct text_coder *coder);

/* Takes a line that was read from a file: learns the columns from the first one, and accepts it. */
void text_admit(struct text_order *order, const struct text_stream *stream,
                struct text_coder *coder);

/* Whether lines have to be looked at by text_accept(). */
static inline bool text_is_picky(const struct text_order *order)
{
    return order->is_strict || order->is_csv;
}

#endif
