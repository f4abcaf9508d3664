/* lib/support/divisor.h - the greatest common divisor. */
#ifndef RM_SUPPORT_DIVISOR_H
#define RM_SUPPORT_DIVISOR_H

#include <stdint.h>

/* Of numbers >= 0; of 0 and a number it is the number. */
static inline int64_t rm_common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

#endif
