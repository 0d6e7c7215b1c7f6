/* record.c: turns a description of records into a comparison in OpenCL C. Fields become ordered
 * bits, as keys do, and are compared one after another. A comparison of the caller's is inserted as
 * it is, under a #line mark of its own, so that compilers count its lines. */
#include "program/record.h"

#include "base/names.h"
#include "base/type.h"

#include <inttypes.h>
#include <string.h>

#define MAX_SIZE 256
#define MAX_FIELDS 16
#define MAX_ALIGNMENT 16
#define MAX_WORD 8 /* bytes */

uint32_t record_alignment(uint32_t size)
{
    uint32_t alignment = 1;
    while (alignment < MAX_ALIGNMENT && size % (2 * alignment) == 0)
        alignment *= 2;
    return alignment;
}

static int has_text(const char *text)
{
    return text && *text;
}

/* Kernels hold a record in registers up to these limits: its words, the cost of a comparison, and
 * the bytes of a caller's text. Above them compiling takes long, and sorting the slots that records
 * lie in (cl/group/merge_slots.h) is faster for most records, too. The limits are no tuning: the
 * time to compile, which no row knows, decides as much as the speed. 2^22 records of 33 bytes by a
 * u32 take an H200 12 s to compile and 16 ms to sort in registers, 1 s and 4.6 ms by slots. */
#define NARROW_WORDS 4
#define SHORT_COST 4
#define ACROSS_WORDS (SHORT_COST + 1)
#define SHORT_TEXT 256
#define TABLE_READS 16 /* above this, fields become a table instead of code (record_table.h) */

static struct refusal check_fields(const clsort_record *record)
{
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const clsort_field *field = &record->fields[i];
        const struct key_type *type = key_type_of(field->type);
        if (!type)
            return refuse(CLSORT_ERROR_TYPE, check_part_name(FIELD_TYPE, i));
        if (field->order != CLSORT_ASCENDING && field->order != CLSORT_DESCENDING)
            return refuse(CLSORT_ERROR_ORDER, check_part_name(FIELD_ORDER, i));
        if (field->offset > record->size || type->bits / 8 > record->size - field->offset)
            return refuse(CLSORT_ERROR_RECORD, check_part_name(FIELD_OFFSET, i));
    }
    return accepted();
}

struct refusal record_check(const clsort_record *record)
{
    const int has_source = has_text(record->type) || has_text(record->declarations) ||
                           has_text(record->less) || has_text(record->less_body);
    const int has_one_less = has_text(record->less) != has_text(record->less_body);
    const struct mistake wrong[] = {
        {record->size < 1 || record->size > MAX_SIZE, CLSORT_ERROR_RECORD, "desc.record.size"},
        {record->num_fields > MAX_FIELDS, CLSORT_ERROR_RECORD, "desc.record.num_fields"},
        {(record->num_fields != 0) == has_source, CLSORT_ERROR_RECORD, "desc.record.num_fields"},
        {record->num_fields && !record->fields, CLSORT_ERROR_RECORD, "desc.record.fields"},
        {has_source && !has_text(record->type), CLSORT_ERROR_RECORD, "desc.record.type"},
        {has_source && !has_one_less, CLSORT_ERROR_RECORD, "desc.record.less"},
        {check_reserved(record->reserved, sizeof record->reserved / sizeof *record->reserved),
         CLSORT_ERROR_RESERVED, "desc.record.reserved"},
    };
    const struct refusal refusal = check_mistakes(wrong, sizeof wrong / sizeof *wrong);
    return refusal.status ? refusal : check_fields(record);
}

/* Bytes of the words from which fields are assembled. */
static uint32_t word_size(const clsort_record *record)
{
    const uint32_t alignment = record_alignment(record->size);
    return alignment < MAX_WORD ? alignment : MAX_WORD;
}

/* The number of words in which a field lies. */
static uint32_t field_words(const clsort_field *field, uint32_t word)
{
    const uint32_t end = field->offset + key_type_of(field->type)->bits / 8;
    return (end - 1) / word - field->offset / word + 1;
}

/* The number of words that a comparison of all fields reads from one record. */
static uint32_t num_reads(const clsort_record *record)
{
    uint32_t reads = 0;
    for (uint32_t i = 0; i < record->num_fields; ++i)
        reads += field_words(&record->fields[i], word_size(record));
    return reads;
}

/* The approximate cost of comparing all fields: 1 for a word of an aligned integer, 2 for another
 * field inside a word. A field across words exceeds the limit. */
static uint32_t compare_cost(const clsort_record *record)
{
    const uint32_t word = word_size(record);
    uint32_t cost = 0;
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const clsort_field *field = &record->fields[i];
        const struct key_type *type = key_type_of(field->type);
        const int is_plain =
            word >= 4 && field->offset % 4 == 0 && type->bits >= 32 && type->mantissa_bits == 0;
        const uint32_t words = field_words(field, word);
        cost += is_plain ? words : words > 1 ? ACROSS_WORDS : 2;
    }
    return cost;
}

/* Whether a caller's text may be long when compiled. Drivers may unroll its loops. */
static int is_long_text(const char *text)
{
    return text && (strlen(text) > SHORT_TEXT || strstr(text, "for") || strstr(text, "while"));
}

static int compares_long(const clsort_record *record)
{
    return compare_cost(record) > SHORT_COST || is_long_text(record->declarations) ||
           is_long_text(record->less) || is_long_text(record->less_body);
}

int record_is_wide(const clsort_record *record)
{
    const uint32_t alignment = record_alignment(record->size);
    const uint32_t register_size = alignment < 4 ? alignment : 4;
    return record->size / register_size > NARROW_WORDS || compares_long(record);
}

/* Adds an expression that assembles a field from the words in which it lies. */
static void add_field_bits(struct writer *text, const char *name, uint32_t offset, uint32_t size,
                           uint32_t word)
{
    const char *separator = "";
    for (uint32_t at = offset; at < offset + size;) {
        const uint32_t end = (at / word + 1) * word;
        const uint32_t part = (end < offset + size ? end : offset + size) - at;
        const uint64_t mask = part == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * part)) - 1;
        writer_add(text, "%s((ulong)%s.words[%u] >> %u & 0x%" PRIx64 "ul) << %u", separator, name,
                   at / word, at % word * 8, mask, (at - offset) * 8);
        separator = " | ";
        at += part;
    }
}

static void add_table(struct writer *text, const clsort_record *record)
{
    writer_add(text, "#define RECORD_NUM_FIELDS %u\n", record->num_fields);
    writer_add(text, "__constant struct record_field record_fields[] = {\n");
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const clsort_field *field = &record->fields[i];
        const struct key_type *type = key_type_of(field->type);
        writer_add(text, "    {%u, %u, %d, %u, %d},\n", field->offset, type->bits / 8,
                   type->kind == KEY_SIGNED, type->mantissa_bits,
                   field->order == CLSORT_DESCENDING);
    }
    writer_add(text, "};\n");
}

static void add_fields(struct writer *text, const clsort_record *record)
{
    static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    const uint32_t word = word_size(record);
    writer_add(text, "typedef struct {\n    %s words[%u];\n} record_t;\n", words[word],
               record->size / word);
    writer_add(text, "#define RECORD_NUM_WORDS %u\n", record->size / word);
    writer_add(text, "#define RECORD_IS_ORDERED 1\n");
    if (num_reads(record) > TABLE_READS) {
        add_table(text, record);
        return;
    }
    writer_add(text, "RECORD_LESS_BEGIN\n");
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const clsort_field *field = &record->fields[i];
        const struct key_type *type = key_type_of(field->type);
        const int descending = field->order == CLSORT_DESCENDING;
        const char *const names[] = {"a", "b"};
        for (int side = 0; side < 2; ++side) {
            writer_add(text, "    const ulong %s%u = field_ordered(", names[side], i);
            add_field_bits(text, names[side], field->offset, type->bits / 8, word);
            writer_add(text, ", %u, %d, %u, %d);\n", type->bits, type->kind == KEY_SIGNED,
                       type->mantissa_bits, descending);
        }
    }
    writer_add(text, "    return ");
    for (uint32_t i = 0; i + 1 < record->num_fields; ++i)
        writer_add(text, "a%u != b%u ? a%u < b%u : ", i, i, i, i);
    writer_add(text, "a%u < b%u;\n}\n", record->num_fields - 1, record->num_fields - 1);
}

/* Without contraction a comparison of products has one answer. With it, a compiler may fuse a
 * different multiplication with the addition each time that it inlines the comparison. Then a < b
 * and b < a can both be true. */
static void add_source(struct writer *text, const clsort_record *record)
{
    writer_add(text, "#pragma OPENCL FP_CONTRACT OFF\n");
    if (has_text(record->declarations))
        writer_add(text, "#line 1 \"declarations\"\n%s\n", record->declarations);
    writer_add(text, "#line 1 \"type\"\ntypedef %s record_t;\n", record->type);
    writer_add(text, "RECORD_LESS_BEGIN\n");
    if (has_text(record->less))
        writer_add(text, "    return (\n#line 1 \"less\"\n%s\n    ) != 0;\n}\n", record->less);
    else
        writer_add(text, "#line 1 \"less_body\"\n%s\n}\n", record->less_body);
    writer_add(text,
               "#line 1 \"record_size\"\n"
               "typedef char size_of_type_differs_from_size[sizeof(record_t) == %u ? 1 : -1];\n",
               record->size);
    /* A struct's size is a multiple of its alignment, so a byte before the record adds its
     * alignment. */
    writer_add(text,
               "#line 1 \"record_alignment\"\n"
               "typedef struct { char byte; record_t record; } record_behind_byte;\n"
               "typedef char alignment_of_type_is_above_16\n"
               "    [sizeof(record_behind_byte) - sizeof(record_t) <= %u ? 1 : -1];\n",
               MAX_ALIGNMENT);
}

const char *record_write(const clsort_record *record, struct writer *text)
{
    text->size = 0;
    text->failed = 0;
    text->grows = 1;
    writer_add(text, "#include \"base/field.h\"\n");
    writer_add(text, "#define RECORD_IS_WIDE %d\n", record_is_wide(record));
    writer_add(text, "#define RECORD_COMPARES_LONG %d\n", compares_long(record));
    if (record->num_fields)
        add_fields(text, record);
    else
        add_source(text, record);
    return text->failed ? NULL : text->bytes;
}
