/* tools/remat-run/inputs.c - inputs that are the same on every machine.
 *
 * SplitMix64, one stream an argument. Every number drawn is a multiple of a
 * power of two and small enough to be exact in its type, so that no rounding
 * mode or library enters. */
#include "run.h"

#include <string.h>

static uint64_t draw(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* `steps` steps of 2^-10: exact in f16 from 0 to 2. */
static uint16_t half_of(unsigned steps) {
  if (!steps)
    return 0;
  int top = 0;
  while (steps >> (top + 1))
    ++top;
  unsigned exponent = (unsigned)(top - 10 + 15);
  return (uint16_t)(exponent << 10 | ((steps << (10 - top)) & 0x3ff));
}

static void write_float(Element element, uint64_t bits, char *to) {
  float f = (float)(bits >> 42) * 0x1p-24f; /* 22 bits: below 0.25 */
  double d = (double)(bits >> 14) * 0x1p-52;
  uint16_t h = half_of((unsigned)(bits >> 56));
  uint32_t word;
  switch (element) {
  case ELEMENT_F64:
    memcpy(to, &d, sizeof d);
    break;
  case ELEMENT_F32:
    memcpy(to, &f, sizeof f);
    break;
  case ELEMENT_F16:
    memcpy(to, &h, sizeof h);
    break;
  default: /* bf16 is the upper half of an f32 */
    memcpy(&word, &f, sizeof word);
    h = (uint16_t)(word >> 16);
    memcpy(to, &h, sizeof h);
  }
}

static void write_integer(const ElementInfo *info, uint64_t value, char *to) {
  for (size_t i = 0; i < info->bytes; ++i)
    to[i] = (char)(value >> (8 * i));
}

static void fill(const Slot *slot, uint64_t state, char *to) {
  const ElementInfo *info = &elements[slot->element];
  uint64_t mask = slot->element == ELEMENT_I1 ? 1 : 7;
  for (int64_t i = 0; i < slot->count; ++i, to += info->bytes) {
    uint64_t bits = draw(&state);
    if (info->is_float)
      write_float(slot->element, bits, to);
    else
      write_integer(info, bits & mask, to);
  }
}

void inputs_generate(const Signature *signature, uint64_t seed,
                     void **buffers) {
  for (int i = 0; i < signature->num_arguments; ++i) {
    uint64_t state = seed ^ ((uint64_t)i << 32);
    state = draw(&state);
    fill(&signature->arguments[i], state, buffers[i]);
  }
}
