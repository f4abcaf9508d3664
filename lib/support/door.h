/* lib/support/door.h - the one way to the system's memory.
 *
 * A test sets the countdown: the n-th allocation from then on fails, once. It
 * is kept per thread, for passes run on many. */
#ifndef RM_SUPPORT_DOOR_H
#define RM_SUPPORT_DOOR_H

#include <stddef.h>

/* As malloc; null when memory ran out or the countdown reached its end. */
void *rm_door_allocate(size_t bytes);

/* The n-th call from now fails; 0 stops the countdown. */
void rm_door_fail_at(long n);

#endif
