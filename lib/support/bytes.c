/* lib/support/bytes.c - sizes as people write them.
 *
 * Numbers are read digit by digit into integers, so that no rounding mode and
 * no locale has a say: `0.5GiB` is 536870912 everywhere. */
#include "support/bytes.h"

#include "support/wide.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const rm_amount_forms =
    "a number followed by %, B, kB, MB, GB, KiB, MiB or GiB (50%, 12.5%, "
    "0.5GiB), at most 100%, or a bare integer of 2 or more, in bytes";

enum { FRACTION_DIGITS = 6 };

typedef struct Decimal {
  uint64_t millionths;
  bool has_point;
} Decimal;

/* Reads `12.5`; fails on no digits, on more than six places, on 2^63. */
static bool read_decimal(const char **text, Decimal *number) {
  const char *at = *text;
  uint64_t value = 0;
  int places = -1;
  if (!isdigit((unsigned char)*at))
    return false;
  for (; isdigit((unsigned char)*at) || (*at == '.' && places < 0); ++at) {
    if (*at == '.') {
      places = 0;
      continue;
    }
    if (value > (INT64_MAX - 9) / 10 || places == FRACTION_DIGITS)
      return false;
    value = 10 * value + (uint64_t)(*at - '0');
    places += places >= 0;
  }
  if (places == 0)
    return false;
  number->has_point = places > 0;
  for (int i = places < 0 ? 0 : places; i < FRACTION_DIGITS; ++i) {
    if (value > INT64_MAX / 10)
      return false;
    value *= 10;
  }
  number->millionths = value;
  *text = at;
  return true;
}

static int64_t unit_of(const char *suffix) {
  static const struct {
    const char *name;
    int64_t bytes;
  } units[] = {{"B", 1},           {"kB", 1000},     {"MB", 1000000},
               {"GB", 1000000000}, {"KiB", 1 << 10}, {"MiB", 1 << 20},
               {"GiB", 1 << 30}};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (!strcmp(suffix, units[i].name))
      return units[i].bytes;
  return 0;
}

/* number * unit, rounded up to a byte. */
static bool scale(uint64_t millionths, int64_t unit, int64_t *bytes) {
  RmUnsignedWide product = (RmUnsignedWide)millionths * (uint64_t)unit;
  product = (product + 999999) / 1000000;
  if (product > INT64_MAX)
    return false;
  *bytes = (int64_t)product;
  return true;
}

/* A bare integer is read apart: it has no fraction, so it may be larger. */
static bool read_integer(const char *text, int64_t *value) {
  int64_t number = 0;
  if (!*text)
    return false;
  for (; *text; ++text) {
    if (!isdigit((unsigned char)*text) || number > (INT64_MAX - 9) / 10)
      return false;
    number = 10 * number + (*text - '0');
  }
  *value = number;
  return true;
}

bool rm_bytes_parse(const char *text, int64_t *bytes) {
  Decimal number;
  if (read_integer(text, bytes))
    return true;
  if (!read_decimal(&text, &number))
    return false;
  int64_t unit = unit_of(text);
  return unit && scale(number.millionths, unit, bytes);
}

bool rm_amount_parse(const char *text, RmAmount *amount) {
  *amount = (RmAmount){0};
  const char *at = text;
  Decimal number;
  if (read_decimal(&at, &number) && !strcmp(at, "%")) {
    amount->is_percent = true;
    amount->millionths = (int64_t)number.millionths;
    return amount->millionths <= 100000000;
  }
  if (!rm_bytes_parse(text, &amount->bytes))
    return false;
  bool is_bare = isdigit((unsigned char)text[strlen(text) - 1]);
  return !is_bare || amount->bytes >= 2;
}

int64_t rm_amount_of(const RmAmount *amount, int64_t whole) {
  if (!amount->is_percent)
    return amount->bytes;
  RmUnsignedWide part =
      (RmUnsignedWide)(uint64_t)whole * (uint64_t)amount->millionths;
  return (int64_t)((part + 99999999) / 100000000);
}

char *rm_bytes_print(int64_t bytes, char *out, size_t room) {
  static const char *const names[] = {"MiB", "GiB", "TiB"};
  if (bytes < 1 << 20) {
    snprintf(out, room, "%" PRId64 " B", bytes);
    return out;
  }
  int unit = 0;
  int64_t size = 1 << 20;
  while (unit < 2 && bytes / size >= 10 * 1024) {
    size *= 1024;
    ++unit;
  }
  /* Tenths in integers: printf would round by the machine's mode. */
  int64_t tenths =
      (int64_t)(((RmUnsignedWide)(uint64_t)bytes * 10 + size / 2) / size);
  snprintf(out, room, "%" PRId64 ".%d %s", tenths / 10, (int)(tenths % 10),
           names[unit]);
  return out;
}
