/* lib/support/door.c - the one way to the system's memory. */
#include "support/door.h"

#include <stdlib.h>

static _Thread_local long countdown;

void rm_door_fail_at(long n) { countdown = n; }

void *rm_door_allocate(size_t bytes) {
  if (countdown > 0 && --countdown == 0)
    return NULL;
  return malloc(bytes);
}
