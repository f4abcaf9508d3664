/* tools/remat-run/compare.c - are two sets of values the same bits? */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static double half_value(uint16_t h) {
  int exponent = h >> 10 & 31, sign = h >> 15;
  double mantissa = h & 1023, value;
  if (exponent == 31) {
    uint64_t bits = mantissa ? 0x7ff8000000000000u : 0x7ff0000000000000u;
    memcpy(&value, &bits, sizeof value);
  } else {
    value = exponent ? (mantissa + 1024) * 0x1p-25 : mantissa * 0x1p-24;
    for (int i = 0; i < exponent; ++i)
      value *= 2;
  }
  return sign ? -value : value;
}

static uint64_t bits_of(Element element, const char *at) {
  uint64_t bits = 0;
  for (size_t i = 0; i < elements[element].bytes; ++i)
    bits |= (uint64_t)(unsigned char)at[i] << (8 * i);
  return bits;
}

static double value_of(Element element, uint64_t bits) {
  double d;
  float f;
  uint32_t word = (uint32_t)bits;
  switch (element) {
  case ELEMENT_F64:
    memcpy(&d, &bits, sizeof d);
    return d;
  case ELEMENT_F16:
    return half_value((uint16_t)bits);
  case ELEMENT_BF16:
    word <<= 16;
    break;
  default:
    break;
  }
  memcpy(&f, &word, sizeof f);
  return f;
}

static void print_value(Element element, const char *at, char *out,
                        size_t room) {
  uint64_t bits = bits_of(element, at);
  int shift = 64 - 8 * (int)elements[element].bytes;
  if (elements[element].is_float)
    snprintf(out, room, "%.9g (0x%0*" PRIx64 ")", value_of(element, bits),
             2 * (int)elements[element].bytes, bits);
  else
    snprintf(out, room, "%" PRId64, (int64_t)(bits << shift) >> shift);
}

static void compare_slot(const Slot *slot, int number, const char *a,
                         const char *b, Difference *difference) {
  size_t size = elements[slot->element].bytes;
  for (int64_t i = 0; i < slot->count; ++i, a += size, b += size) {
    if (!memcmp(a, b, size))
      continue;
    if (!difference->count++) {
      difference->result = number;
      difference->index = i;
      print_value(slot->element, a, difference->values[0], 40);
      print_value(slot->element, b, difference->values[1], 40);
    }
  }
}

Difference results_compare(const Slot *slots, int count, void **a, void **b) {
  Difference difference = {0};
  for (int i = 0; i < count; ++i)
    if (memcmp(a[i], b[i], slots[i].bytes))
      compare_slot(&slots[i], i, a[i], b[i], &difference);
  return difference;
}

int inputs_changed(const Signature *signature, void **before, void **after) {
  for (int i = 0; i < signature->num_arguments; ++i)
    if (!signature->arguments[i].donated && !signature->in_out &&
        memcmp(before[i], after[i], signature->arguments[i].bytes))
      return i;
  return -1;
}

int64_t results_count_nan(const Slot *slots, int count, void **buffers) {
  int64_t total = 0;
  for (int i = 0; i < count; ++i) {
    const ElementInfo *info = &elements[slots[i].element];
    const char *at = buffers[i];
    for (int64_t j = 0; info->is_float && j < slots[i].count;
         ++j, at += info->bytes) {
      double value = value_of(slots[i].element, bits_of(slots[i].element, at));
      total += value != value;
    }
  }
  return total;
}
