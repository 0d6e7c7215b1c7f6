/* params_strings.h: parameters of the sort of strings; a part of params.h. */
#ifndef CLSORT_PARAMS_STRINGS_H
#define CLSORT_PARAMS_STRINGS_H

/* Strings (clsort.h says what they are). The tables lie in scratch, a kernel's last buffer, at
 * these byte offsets; items at the first multiple of CPU_ALIGNMENT behind theirs. Buckets are
 * what splitters, some of the strings, part them into: bucket 2b has those between splitters b -
 * 1 and b, bucket 2b + 1 those equal to splitter b. */
#define STRING_LEVELS 8       /* chunks of a splitter in tables */
#define STRING_SPLITTERS 4095 /* at most: a key has 13 bits for the bucket */

struct string_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 num_bytes;
    param_u64 chunk_size; /* strings of a work-group, or that it takes at once */
    param_u64 run;        /* merging: strings of a run */
    param_u64 block_size; /* moving: bytes that a work-group writes, at most */
    param_u64 keys;       /* [count] ulong */
    param_u64 taken;      /* uint: chunks that work-groups have taken */
    param_u64 samples;    /* [splitter] ulong: which string it is */
    param_u64 words;      /* [level][splitter] ulong: its first chunks of bytes */
    param_u64 depths;     /* [bucket / 2] ulong: bytes in which all its strings agree */
    param_u64 items;      /* [2][count or splitter] items, behind [work-group][2][room] */
    param_u32 num_splitters;
    param_u32 offset_size; /* bytes; 0: strings of one width */
    param_u32 width;
    param_u32 tail_size;
    param_u32 num_chunks;
    param_u32 room; /* CPUs: items that a work-group has for itself */
    param_u32 num_workers;
    param_u32 flags;
};

#endif
