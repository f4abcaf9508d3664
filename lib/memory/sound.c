/* lib/memory/sound.c - misuse of rm_memory_place ends the process.
 *
 * A problem that has no placement is none: that is an answer. */

#include "memory/packing.h"

#include "support/require.h"

static bool is_power_or_zero(int64_t n) { return n >= 0 && !(n & (n - 1)); }

static void require_buffer(const RmMemoryProblem *m, int32_t i) {
  const RmBuffer *b = &m->buffers[i];
  rm_require(b->lower < b->upper, "lower < upper");
  rm_require(b->size >= 0, "a size of 0 or more");
  rm_require(is_power_or_zero(b->alignment),
             "an alignment that is a power of two");
  rm_require(b->fixed >= -1, "a fixed offset of 0 or more, or -1");
  rm_require(!m->banks || m->banks[i] >= -1, "a bank of 0 or more, or -1");
}

static void require_pairs(const RmMemoryProblem *m, const RmBufferPair *pairs,
                          int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    rm_require(pairs[i].a >= 0 && pairs[i].a < m->count && pairs[i].b >= 0 &&
                   pairs[i].b < m->count && pairs[i].a != pairs[i].b,
               "pairs of two buffers of the problem");
}

void rm_memory_require_sound(const RmMemoryProblem *m) {
  rm_require(m->capacity >= 0, "a capacity of 0 or more");
  rm_require(m->bank_bytes >= 0 && (m->bank_bytes || !m->banks),
             "banks that have bytes");
  rm_require(is_power_or_zero(m->arena_alignment),
             "an arena alignment that is a power of two");
  for (int32_t i = 0; i < m->count; ++i)
    require_buffer(m, i);
  for (int32_t i = 0; i < m->num_holes; ++i) {
    const RmHole *h = &m->holes[i];
    rm_require(h->buffer >= 0 && h->buffer < m->count && h->lower < h->upper,
               "holes of buffers of the problem");
    const RmBuffer *b = &m->buffers[h->buffer];
    rm_require(b->lower < h->lower && h->upper < b->upper,
               "holes inside of lives");
  }
  for (int32_t i = 0; i < m->num_reserved; ++i)
    rm_require(m->reserved[i].begin >= 0 &&
                   m->reserved[i].begin < m->reserved[i].end,
               "reserved bytes with begin < end");
  require_pairs(m, m->together, m->num_together);
  require_pairs(m, m->apart, m->num_apart);
}
