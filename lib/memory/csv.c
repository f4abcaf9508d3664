/* lib/memory/csv.c - buffers as MiniMalloc's CSV has them.
 *
 * The text is cut into lines and those into fields in place. Whatever would be
 * misuse of rm_memory_place is refused here, with its line; sizes and offsets
 * are kept small enough that no sum of them overflows. */
#include "memory/csv.h"

#include "support/map.h"
#include "support/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  ID,
  LOWER,
  UPPER,
  SIZE,
  ALIGNMENT,
  OFFSET,
  BANK,
  GAPS, /* words from here on */
  TOGETHER,
  APART,
  NUM_COLUMNS
};
enum { MOST_FIELDS = 16, MOST_BANK = 1 << 20 };

static const char *const column_names[NUM_COLUMNS] = {
    "id",     "lower", "upper", "size",     "alignment",
    "offset", "bank",  "gaps",  "together", "apart"};

static const int64_t most_bytes = INT64_MAX / 8; /* of all buffers together */

typedef RM_VEC(RmBufferPair) Pairs;

typedef struct Named { /* other buffers that a row names */
  int32_t buffer;
  int line;
  char *ids;
  Pairs *pairs;
} Named;

typedef struct Table {
  RmPool *pool;
  RM_VEC(RmBuffer) buffers;
  RM_VEC(const char *) ids;
  RM_VEC(RmHole) holes;
  RmIntVec banks;
  RM_VEC(Named) named;
  Pairs together, apart;
  char *words[NUM_COLUMNS]; /* of the row at hand */
  int columns[MOST_FIELDS]; /* by field: which column, or -1 */
  int num_fields;
  bool has_banks;
  int line;
  int64_t bytes; /* an arena for all of them side by side */
  const char *error;
} Table;

static bool fail(Table *t, const char *what, const char *word) {
  if (!t->error && t->line)
    t->error = rm_pool_printf(t->pool, "line %d: %s '%s'", t->line, what, word);
  else if (!t->error)
    t->error = rm_pool_printf(t->pool, "%s '%s'", what, word);
  return false;
}

/* The next piece of `*text` up to `end`, which is moved behind it. */
static char *cut(char **text, char end) {
  char *piece = *text, *at = strchr(piece, end);
  if (at)
    *at = 0;
  *text = at ? at + 1 : NULL;
  return piece;
}

static char *trim(char *word) {
  word += strspn(word, " \t");
  size_t length = strlen(word);
  while (length && strchr(" \t\r", word[length - 1]))
    word[--length] = 0;
  return word;
}

static int find_column(const char *name) {
  for (int i = 0; i < NUM_COLUMNS; ++i)
    if (!strcmp(name, column_names[i]))
      return i;
  return -1;
}

static bool is_read_over(const char *name) { return !strcmp(name, "hint"); }

static bool read_header(Table *t, char *line) {
  unsigned seen = 0;
  while (line) {
    char *name = trim(cut(&line, ','));
    int column = find_column(name);
    if (column < 0 && !is_read_over(name))
      return fail(t, "unknown column", name);
    if (t->num_fields == MOST_FIELDS || (column >= 0 && seen & 1u << column))
      return fail(t, "a column twice:", name);
    if (column >= 0)
      seen |= 1u << column;
    t->columns[t->num_fields++] = column;
  }
  t->has_banks = seen & 1u << BANK;
  for (int i = ID; i <= SIZE; ++i)
    if (!(seen & 1u << i))
      return fail(t, "no column", column_names[i]);
  return true;
}

static bool read_number(Table *t, const char *word, int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(word, &end, 10);
  if (errno || end == word || *end || value > most_bytes || value < -most_bytes)
    return fail(t, "not a number, or too large:", word);
  *number = value;
  return true;
}

/* Of buffer `b`, the next one to be added; destroys the text. */
static bool read_gaps(Table *t, const RmBuffer *b, char *text) {
  while (text) {
    char *gap = trim(cut(&text, ' ')), *rest = gap;
    bool is_of_part = strchr(gap, '@');
    RmHole hole = {.buffer = (int32_t)t->buffers.count};
    if (!*gap || is_of_part)
      continue;
    if (!read_number(t, cut(&rest, '-'), &hole.lower))
      return false;
    if (!rest || !read_number(t, rest, &hole.upper))
      return fail(t, "a gap that is none:", gap);
    if (hole.lower <= b->lower || hole.upper >= b->upper ||
        hole.lower >= hole.upper)
      return fail(t, "a gap that is not inside of the life of buffer",
                  t->ids.items[t->ids.count - 1]);
    rm_vec_push(t->pool, &t->holes, hole);
  }
  return true;
}

/* An empty field of a column that may be missing is as good as none. */
static bool read_field(Table *t, int column, char *word, int64_t *row) {
  if (column < 0 || (column > SIZE && !*word))
    return true;
  if (column >= GAPS)
    return t->words[column] = word, true;
  if (column != ID)
    return read_number(t, word, &row[column]);
  rm_vec_push(t->pool, &t->ids, word);
  return true;
}

static bool add_buffer(Table *t, const RmBuffer *b) {
  const char *id = t->ids.items[t->ids.count - 1];
  if (b->lower >= b->upper)
    return fail(t, "lower is not below upper in buffer", id);
  if (b->size < 0)
    return fail(t, "a negative size in buffer", id);
  if (b->alignment < 0 || b->alignment & (b->alignment - 1))
    return fail(t, "an alignment that is no power of two in buffer", id);
  if (b->fixed < -1)
    return fail(t, "a negative offset in buffer", id);
  if (b->size > most_bytes - t->bytes ||
      b->alignment > most_bytes - t->bytes - b->size ||
      b->fixed > most_bytes - t->bytes - b->size - b->alignment)
    return fail(t, "too many bytes in all, with buffer", id);
  t->bytes += b->size + b->alignment + (b->fixed > 0 ? b->fixed : 0);
  rm_vec_push(t->pool, &t->buffers, *b);
  return true;
}

static void name_others(Table *t, int column, Pairs *pairs) {
  Named named = {(int32_t)t->buffers.count, t->line, t->words[column], pairs};
  if (named.ids)
    rm_vec_push(t->pool, &t->named, named);
}

static bool add_bank(Table *t, int64_t bank) {
  if (bank < -1 || bank > MOST_BANK)
    return fail(t, "a bank that is none of buffer",
                t->ids.items[t->ids.count - 1]);
  rm_vec_push(t->pool, &t->banks, (int32_t)bank);
  return true;
}

static bool read_row(Table *t, char *line) {
  int64_t row[NUM_COLUMNS] = {[OFFSET] = -1, [BANK] = -1};
  int field = 0;
  memset(t->words, 0, sizeof t->words);
  for (; line; ++field) {
    char *word = trim(cut(&line, ','));
    if (field == t->num_fields)
      return fail(t, "more fields than columns, from", word);
    if (!read_field(t, t->columns[field], word, row))
      return false;
  }
  if (field < t->num_fields)
    return fail(t, "fewer fields than columns in buffer",
                t->ids.count ? t->ids.items[t->ids.count - 1] : "");
  RmBuffer buffer = {.lower = row[LOWER],
                     .upper = row[UPPER],
                     .size = row[SIZE],
                     .alignment = row[ALIGNMENT],
                     .fixed = row[OFFSET]};
  name_others(t, TOGETHER, &t->together);
  name_others(t, APART, &t->apart);
  return read_gaps(t, &buffer, t->words[GAPS]) && add_bank(t, row[BANK]) &&
         add_buffer(t, &buffer);
}

/*===-- Buffers that others name ------------------------------------------===*/

static uint64_t hash_of(const char *id) {
  return rm_hash_bytes(id, strlen(id), 0);
}

static bool add_pairs(Table *t, const RmMap *numbers, const Named *named) {
  char *text = named->ids;
  while (text) {
    char *id = trim(cut(&text, ' '));
    int64_t other = rm_map_or(numbers, hash_of(id), -1);
    if (!*id)
      continue;
    t->line = named->line;
    if (other < 0 || strcmp(t->ids.items[other], id))
      return fail(t, "no buffer has the id", id);
    if (other == named->buffer)
      return fail(t, "a buffer that names itself:", id);
    RmBufferPair pair = {named->buffer, (int32_t)other};
    rm_vec_push(t->pool, named->pairs, pair);
  }
  return true;
}

/* Of equal ids the first one is meant. */
static bool find_others(Table *t) {
  RmMap numbers = rm_map_create(t->pool);
  for (size_t i = t->named.count ? t->ids.count : 0; i--;)
    rm_map_set(&numbers, hash_of(t->ids.items[i]), (int64_t)i);
  for (size_t i = 0; i < t->named.count; ++i)
    if (!add_pairs(t, &numbers, &t->named.items[i]))
      return false;
  return true;
}

bool rm_instance_from_csv(char *text, RmInstance *instance, RmPool *pool,
                          const char **error) {
  Table t = {.pool = pool};
  bool right = true;
  while (text && right) {
    char *line = trim(cut(&text, '\n'));
    ++t.line;
    if (!t.num_fields)
      right = read_header(&t, line);
    else if (*line)
      right = read_row(&t, line);
  }
  right = right && find_others(&t);
  *error = t.error;
  *instance = (RmInstance){.buffers = t.buffers.items,
                           .ids = t.ids.items,
                           .count = (int32_t)t.buffers.count,
                           .holes = t.holes.items,
                           .num_holes = (int32_t)t.holes.count,
                           .banks = t.has_banks ? t.banks.items : NULL,
                           .together = t.together.items,
                           .num_together = (int32_t)t.together.count,
                           .apart = t.apart.items,
                           .num_apart = (int32_t)t.apart.count};
  return right;
}

/*===-- Ranges of bytes ---------------------------------------------------===*/

static bool read_range(Table *t, char *text, RmByteRange *range) {
  const char *word = rm_pool_strdup(t->pool, text);
  const char *begin = trim(cut(&text, '-'));
  if (!text)
    return fail(t, "no range, as 0-4096:", word);
  return read_number(t, begin, &range->begin) &&
         read_number(t, trim(text), &range->end) &&
         ((range->begin >= 0 && range->begin < range->end) ||
          fail(t, "a range without bytes:", word));
}

bool rm_byte_ranges_from_text(const char *text, RmByteRange **ranges,
                              int32_t *count, RmPool *pool,
                              const char **error) {
  Table t = {.pool = pool};
  RM_VEC(RmByteRange) all = {0};
  RmByteRange range;
  bool right = true;
  char *rest = *text ? rm_pool_strdup(pool, text) : NULL;
  while (rest && (right = read_range(&t, cut(&rest, ','), &range)))
    rm_vec_push(pool, &all, range);
  *ranges = all.items, *count = (int32_t)all.count, *error = t.error;
  return right;
}
