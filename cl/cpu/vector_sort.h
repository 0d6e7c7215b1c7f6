/* vector_sort.h: quicksort of numbers by vectors of 64 bytes (AVX-512) or 32 (AVX2), in the way of
 * vqsort (M. Blacher, J. Giesen, P. Sanders, J. Wassenberg: "Vectorized and performance-portable
 * quicksort", 2022). CPUs' kernels include it by vectors.h; as C it sorts on the calling thread
 * (src/host/alone/vectors.h).
 *
 * A partition reads a vector at a time and moves the numbers below the pivot to the left end of the
 * array, and the others to its right end. Up to MAX_LEAF numbers are sorted in registers, as
 * a matrix: first each column, then bitonic merges join neighbouring columns until one is left. No
 * branch depends on a single number. If pivots turn out bad, heapsort goes on. Everything is in
 * place.
 *
 * Before including it, define these. Vectors and masks are private, arrays global.
 *
 *   lane_t, vector_t                    a number, and VECTOR_LANES of them: 8 or 16
 *   LARGEST_NUMBER                      of all numbers
 *   VECTOR_INLINE, VECTOR_CALLED        in front of functions that are copied, or are not
 *   SET(x)                              x in all lanes
 *   LOAD(p), STORE(p, v)                at any address of numbers
 *   LOAD_FEW(p, n), STORE_FEW(p, n, v)  the first n lanes alone; the others become the largest
 *   LOAD_PRIVATE(p)                     of a private array
 *   MIN(a, b), LARGER(a, b, min)        the smaller one of a and b, and the other one
 *   EXCHANGE(v, flip)                   lane i takes what lane i ^ flip has
 *   MIN_MAX(v, w, bit)                  the larger one in lanes whose number has this bit
 *   FIRST_NUMBER(v), MIDDLE_NUMBER(v)   lanes 0 and VECTOR_LANES / 2
 *   SPLIT(v, pivots, left, right)       writes the lanes where v is less at `left`, and the others
 *                                       before `right`; returns how many are less. It may write
 *                                       VECTOR_LANES numbers at both */
#ifndef CLSORT_VECTOR_SORT_H
#define CLSORT_VECTOR_SORT_H

/* None of these is tuning: they size private arrays, and the host has no rows of tuning. */
#define MAX_ROWS 16
#define STEP 4 /* vectors; 2^14 numbers of 32 bits: 571 million a second, 504 with 2, 545 with 8 */
#define MAX_LEAF (MAX_ROWS * VECTOR_LANES)
#define MAX_WAITING 32 /* parts; what goes on is at most half of what was split */
#define MANY 4096      /* keys, whose pivot is the median of a larger sample */

/* ---- A leaf in registers --------------------------------------------------------------------- */
VECTOR_INLINE void order(vector_t *a, vector_t *b)
{
    const vector_t smaller = MIN(*a, *b);
    *b = LARGER(*a, *b, smaller);
    *a = smaller;
}

/* Lanes i and i ^ flip: the smaller key to the lane whose bit `upper` is 0. */
VECTOR_INLINE vector_t order_lanes(vector_t v, uint flip, uint upper)
{
    return MIN_MAX(v, EXCHANGE(v, flip), upper);
}

/* DO(0), DO(1), ... DO(num - 1): num is a power of two up to 16, or 0. A loop would do, but PoCL's
 * compiler does not unroll all of them, and an array of vectors whose indices are no numbers lies
 * in memory: 2^24 keys took 1.3 times as long. */
#define EACH_OF_2(i, DO) DO(i) DO((i) + 1)
#define EACH_OF_4(i, DO) EACH_OF_2(i, DO) EACH_OF_2((i) + 2, DO)
#define EACH_OF_8(i, DO) EACH_OF_4(i, DO) EACH_OF_4((i) + 4, DO)
#define EACH(num, DO)    \
    if ((num) > 0) {     \
        DO(0)            \
    }                    \
    if ((num) > 1) {     \
        DO(1)            \
    }                    \
    if ((num) > 2) {     \
        EACH_OF_2(2, DO) \
    }                    \
    if ((num) > 4) {     \
        EACH_OF_4(4, DO) \
    }                    \
    if ((num) > 8) {     \
        EACH_OF_8(8, DO) \
    }

/* Every column is put in order by the odd-even merges of K. Batcher ("Sorting networks and their
 * applications", 1968): 63 comparisons of 16 rows, where bitonic merges take 80. Comparisons of a
 * line are independent. */
#define C(a, b) order(&v[a], &v[b]);
/* clang-format off */
VECTOR_INLINE void sort_columns_4(vector_t *v)
{
    C(0, 1) C(2, 3)
    C(0, 2) C(1, 3)
    C(1, 2)
}

VECTOR_INLINE void sort_columns_8(vector_t *v)
{
    sort_columns_4(v);
    sort_columns_4(v + 4);
    C(0, 4) C(1, 5) C(2, 6) C(3, 7)
    C(2, 4) C(3, 5)
    C(1, 2) C(3, 4) C(5, 6)
}

VECTOR_INLINE void sort_columns_16(vector_t *v)
{
    sort_columns_8(v);
    sort_columns_8(v + 8);
    C(0, 8) C(1, 9) C(2, 10) C(3, 11) C(4, 12) C(5, 13) C(6, 14) C(7, 15)
    C(4, 8) C(5, 9) C(6, 10) C(7, 11)
    C(2, 4) C(3, 5) C(6, 8) C(7, 9) C(10, 12) C(11, 13)
    C(1, 2) C(3, 4) C(5, 6) C(7, 8) C(9, 10) C(11, 12) C(13, 14)
}
/* clang-format on */
#undef C

/* The pair-th of the numbers whose bit `step` is 0. */
VECTOR_INLINE uint without_bit(uint pair, uint step)
{
    return 2 * pair - (pair & (step - 1));
}

/* Row i and the last one of its part, i ^ (size - 1), in which columns are exchanged. */
VECTOR_INLINE void order_reversed(vector_t *v, uint rows, uint size, uint flip){
#define ORDER(pair)                                 \
    {                                               \
        const uint i = without_bit(pair, size / 2); \
        vector_t *last = &v[i ^ (size - 1)];        \
        *last = EXCHANGE(*last, flip);              \
        order(&v[i], last);                         \
    }
    EACH(size <= rows ? rows / 2 : 0, ORDER)
#undef ORDER
}

/* Neighbouring columns of width / 2 lanes, each in order row by row, become one of `width` lanes.
 * With one of the two reversed, they are a bitonic sequence. */
VECTOR_INLINE void merge_columns(vector_t *v, uint rows, uint width)
{
    order_reversed(v, rows, 16, width - 1);
    order_reversed(v, rows, 8, width - 1);
    order_reversed(v, rows, 4, width - 1);
    order_reversed(v, rows, 2, width - 1);
#define ORDER(i)                                        \
    v[i] = order_lanes(v[i], width - 1, width / 2);     \
    v[i] = width < 16 ? v[i] : order_lanes(v[i], 4, 4); \
    v[i] = width < 8 ? v[i] : order_lanes(v[i], 2, 2);  \
    v[i] = width < 4 ? v[i] : order_lanes(v[i], 1, 1);
    EACH(rows, ORDER)
#undef ORDER
}

/* 1, 4, 8 or 16 rows. */
VECTOR_INLINE void sort_matrix(vector_t *v, uint rows)
{
    if (rows == 16)
        sort_columns_16(v);
    else if (rows == 8)
        sort_columns_8(v);
    else if (rows == 4)
        sort_columns_4(v);
    merge_columns(v, rows, 2);
    merge_columns(v, rows, 4);
    merge_columns(v, rows, 8);
    if (VECTOR_LANES == 16)
        merge_columns(v, rows, 16);
}

/* Sorts 1 to rows * VECTOR_LANES keys. */
VECTOR_INLINE void sort_few(__global lane_t *keys, uint count, uint rows)
{
    vector_t v[MAX_ROWS];
#define READ(i)                                                                                 \
    v[i] = ((i) + 1) * VECTOR_LANES <= count ? LOAD(keys + (i)*VECTOR_LANES)                    \
           : (i)*VECTOR_LANES < count ? LOAD_FEW(keys + (i)*VECTOR_LANES, count % VECTOR_LANES) \
                                      : SET(LARGEST_NUMBER);
#define WRITE(i)                              \
    if (((i) + 1) * VECTOR_LANES <= count)    \
        STORE(keys + (i)*VECTOR_LANES, v[i]); \
    else if ((i)*VECTOR_LANES < count)        \
        STORE_FEW(keys + (i)*VECTOR_LANES, count % VECTOR_LANES, v[i]);
    EACH(rows, READ)
    sort_matrix(v, rows);
    EACH(rows, WRITE)
#undef READ
#undef WRITE
}

VECTOR_CALLED void sort_leaf(__global lane_t *keys, uint count)
{
    if (count <= VECTOR_LANES)
        sort_few(keys, count, 1);
    else if (count <= 4 * VECTOR_LANES)
        sort_few(keys, count, 4);
    else if (count <= 8 * VECTOR_LANES)
        sort_few(keys, count, 8);
    else
        sort_few(keys, count, MAX_ROWS);
}

/* ---- Partitions ------------------------------------------------------------------------------ */
/* The median of one key from each of `rows`, 1 or 4, times VECTOR_LANES equal parts. */
VECTOR_INLINE lane_t median_of_sample(__global const lane_t *keys, ulong count, uint rows)
{
    lane_t sample[4 * VECTOR_LANES];
    vector_t v[4];
    const ulong part = count / (rows * VECTOR_LANES);
    uint random = (uint)count;
    for (uint i = 0; i < rows * VECTOR_LANES; ++i) {
        random = random * 747796405u + 2891336453u;
        sample[i] = keys[i * part + ((ulong)random * part >> 32)];
    }
    v[0] = LOAD_PRIVATE(sample);
    if (rows == 1) {
        sort_matrix(v, 1);
        return MIDDLE_NUMBER(v[0]);
    }
    v[1] = LOAD_PRIVATE(sample + VECTOR_LANES);
    v[2] = LOAD_PRIVATE(sample + 2 * VECTOR_LANES);
    v[3] = LOAD_PRIVATE(sample + 3 * VECTOR_LANES);
    sort_matrix(v, 4);
    return FIRST_NUMBER(v[2]);
}

VECTOR_CALLED lane_t choose_pivot(__global const lane_t *keys, ulong count)
{
    return median_of_sample(keys, count, count < MANY ? 1 : 4);
}

/* The ends of the keys that are done, between which there is room. */
struct ends {
    __global lane_t *left, *right;
};

/* Moves the keys of a vector that are below the pivots to the left, the others to the right. */
VECTOR_INLINE void split_vector(struct ends *ends, vector_t v, vector_t pivots)
{
    const uint num = SPLIT(v, pivots, ends->left, ends->right);
    ends->left += num;
    ends->right -= VECTOR_LANES - num;
}

/* The same for few keys, one by one. */
VECTOR_INLINE void split_few(struct ends *ends, const lane_t *keys, uint count, lane_t pivot)
{
    for (uint i = 0; i < count; ++i) {
        const int is_below = keys[i] < pivot;
        *ends->left = *(ends->right - 1) = keys[i];
        ends->left += is_below;
        ends->right -= !is_below;
    }
}

/* Moves keys below the pivot to the front, and returns how many there are. The keys of STEP vectors
 * of each end are set aside, so that there is room for 2 * STEP vectors. What is read next is of
 * the end with less room: then both have room for a step. The last of the vectors set aside has
 * exactly its own room. */
VECTOR_CALLED ulong partition(__global lane_t *keys, ulong count, lane_t pivot)
{
    const vector_t pivots = SET(pivot);
    const uint rest = (uint)(count % (STEP * VECTOR_LANES));
    lane_t aside[STEP * VECTOR_LANES];
    vector_t first[STEP], last[STEP], v[STEP];
    struct ends ends = {keys, keys + count};
    __global lane_t *begin = keys, *end = keys + (count - rest);
    for (uint i = 0; i < rest; ++i)
        aside[i] = end[i];
    end -= STEP * VECTOR_LANES;
#define READ_ENDS(i)                           \
    first[i] = LOAD(begin + (i)*VECTOR_LANES); \
    last[i] = LOAD(end + (i)*VECTOR_LANES);
#define READ(i) v[i] = LOAD(from + (i)*VECTOR_LANES);
#define SPLIT_ROW(i) split_vector(&ends, v[i], pivots);
#define SPLIT_FIRST(i) split_vector(&ends, first[i], pivots);
#define SPLIT_LAST(i) split_vector(&ends, last[i], pivots);
    EACH(STEP, READ_ENDS)
    begin += STEP * VECTOR_LANES;
    split_few(&ends, aside, rest, pivot);
    while (begin < end) {
        __global lane_t *from;
        if (begin - ends.left <= ends.right - end) {
            from = begin;
            begin += STEP * VECTOR_LANES;
        } else {
            from = end -= STEP * VECTOR_LANES;
        }
        EACH(STEP, READ)
        EACH(STEP, SPLIT_ROW)
    }
    EACH(STEP, SPLIT_FIRST)
    EACH(STEP, SPLIT_LAST)
    return (ulong)(ends.left - keys);
}

/* ---- Heapsort, where pivots are bad ---------------------------------------------------------- */
VECTOR_INLINE void sift_down(__global lane_t *keys, ulong root, ulong count)
{
    const lane_t key = keys[root];
    for (ulong child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && keys[child] < keys[child + 1])
            ++child;
        if (keys[child] <= key)
            break;
        keys[root] = keys[child];
    }
    keys[root] = key;
}

VECTOR_CALLED void sort_heap(__global lane_t *keys, ulong count)
{
    for (ulong root = count / 2; root-- > 0;)
        sift_down(keys, root, count);
    for (ulong last = count; last-- > 1;) {
        const lane_t largest = keys[0];
        keys[0] = keys[last];
        keys[last] = largest;
        sift_down(keys, 0, last);
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */
struct part {
    __global lane_t *keys;
    ulong count;
    int levels; /* that are left before heapsort */
};

/* Splits a part of more than MAX_LEAF keys. What is in order then is taken away. Returns whether
 * there is another part. */
VECTOR_INLINE int split_part(struct part *part, struct part *other)
{
    const lane_t pivot = choose_pivot(part->keys, part->count);
    ulong below = partition(part->keys, part->count, pivot);
    other->keys = part->keys + below;
    other->count = part->count - below;
    other->levels = part->levels;
    if (below) {
        part->count = below;
        return 1;
    }
    /* The pivot is the smallest key: all that are equal to it are in order. */
    below = pivot == LARGEST_NUMBER ? part->count : partition(part->keys, part->count, pivot + 1);
    part->keys += below;
    part->count -= below;
    return 0;
}

/* Sorts numbers. The larger one of two parts waits. */
VECTOR_CALLED void sort_parts(__global lane_t *keys, ulong count, int levels)
{
    struct part waiting[MAX_WAITING], other, part;
    uint num = 0;
    part.keys = keys;
    part.count = count;
    part.levels = levels;
    for (;;) {
        while (part.count > MAX_LEAF && part.levels-- > 0) {
            if (!split_part(&part, &other))
                continue;
            const int first_waits = part.count > other.count;
            waiting[num++] = first_waits ? part : other;
            if (first_waits)
                part = other;
        }
        if (part.count > MAX_LEAF)
            sort_heap(part.keys, part.count);
        else if (part.count)
            sort_leaf(part.keys, (uint)part.count);
        if (num == 0)
            return;
        part = waiting[--num];
    }
}

VECTOR_INLINE void sort_numbers(__global lane_t *keys, ulong count)
{
    int levels = 2; /* twice those that good pivots need */
    for (ulong left = count; left > 0; left /= 2)
        levels += 2;
    sort_parts(keys, count, levels);
}

#endif
