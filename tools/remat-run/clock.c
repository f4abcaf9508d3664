/* tools/remat-run/clock.c - seconds that only go forward. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "run.h"

#include <time.h>

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
