/* lib/memory/csv.c - buffers as MiniMalloc's CSV has them.
 *
 * The text is cut into lines and those into fields in place. Whatever would be
 * misuse of rm_memory_place is refused here, with its line; sizes and offsets
 * are kept small enough that no sum of them overflows. */
#include "memory/csv.h"

#include "support/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ID, LOWER, UPPER, SIZE, ALIGNMENT, OFFSET, GAPS, NUM_COLUMNS };
enum { MOST_FIELDS = 16 };

static const char *const column_names[NUM_COLUMNS] = {
    "id", "lower", "upper", "size", "alignment", "offset", "gaps"};

static const int64_t most_bytes = INT64_MAX / 8; /* of all buffers together */

typedef struct Table {
  RmPool *pool;
  RM_VEC(RmBuffer) buffers;
  RM_VEC(const char *) ids;
  RM_VEC(RmHole) holes;
  char *gaps;               /* of the row at hand */
  int columns[MOST_FIELDS]; /* by field: which column, or -1 */
  int num_fields;
  int line;
  int64_t bytes; /* an arena for all of them side by side */
  const char *error;
} Table;

static bool fail(Table *t, const char *what, const char *word) {
  if (!t->error)
    t->error = rm_pool_printf(t->pool, "line %d: %s '%s'", t->line, what, word);
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
  if (column == GAPS)
    return t->gaps = word, true;
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

static bool read_row(Table *t, char *line) {
  int64_t row[NUM_COLUMNS] = {[OFFSET] = -1};
  int field = 0;
  t->gaps = NULL;
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
  return read_gaps(t, &buffer, t->gaps) && add_buffer(t, &buffer);
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
  *error = t.error;
  *instance =
      (RmInstance){t.buffers.items, t.ids.items, (int32_t)t.buffers.count,
                   t.holes.items, (int32_t)t.holes.count};
  return right;
}
