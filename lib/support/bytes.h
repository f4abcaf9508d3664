/* lib/support/bytes.h - sizes as people write them.
 *
 * A budget is a decimal number followed by `%`, `B`, `kB`, `MB`, `GB`, `KiB`,
 * `MiB` or `GiB`, or a bare integer of 2 or more, in bytes. */
#ifndef RM_SUPPORT_BYTES_H
#define RM_SUPPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RmAmount {
  bool is_percent;
  int64_t bytes;      /* valid unless is_percent */
  int64_t millionths; /* of a per cent, valid if is_percent: 50 % is 50000000 */
} RmAmount;

/* False if `text` has none of the accepted forms, or is above 100 %. */
bool rm_amount_parse(const char *text, RmAmount *amount);

/* As above for a size only: no per cent; 0 is allowed. */
bool rm_bytes_parse(const char *text, int64_t *bytes);

/* The amount in bytes; a per cent is of `whole`, rounded up to a byte. */
int64_t rm_amount_of(const RmAmount *amount, int64_t whole);

/* Names the accepted forms, for diagnostics. */
extern const char *const rm_amount_forms;

/* "812.0 MiB", "368896 B" below 1 MiB; writes at most `room` bytes. */
char *rm_bytes_print(int64_t bytes, char *out, size_t room);

#endif
