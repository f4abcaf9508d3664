/* lib/pass/memory-lives.h - when the buffers of a function must hold their
 * bytes. */
#ifndef RM_PASS_MEMORY_LIVES_H
#define RM_PASS_MEMORY_LIVES_H

#include "pass/memory-uses.h"
#include "support/vec.h"

/* In bytes; what is aligned to more is not planned. */
enum { RM_MOST_ALIGNMENT = 1 << 30 };

typedef struct RmAllocation {
  MlirOperation op; /* memref.alloc or memref.alloca; null: a result that
                       the caller lends, which holds nothing before `lower`
                       and its result from then on */
  MlirValue value;
  MlirAttribute space; /* null: the default one */
  int64_t bytes, alignment;
  int64_t lower, upper; /* half-open, in ops of the function */
  const char *left;     /* why it stays allocated; null: it can be planned */
  bool is_followed;     /* every touch of it is known, and none is in another
                           iteration than the op */
  int32_t last_touch;   /* in `touches`, or -1 */
} RmAllocation;

/* An op that reads or writes an allocation, with all that is in its regions:
 * both ends included. */
typedef struct RmTouch {
  MlirOperation op;
  int64_t begin, end;
  int32_t previous; /* of the same allocation, or -1 */
} RmTouch;

/* A linalg op, and when it touches its operands: both ends included. */
typedef struct RmLinalgStep {
  MlirOperation op;
  int64_t begin, end;
} RmLinalgStep;

typedef struct RmMemoryLives {
  RM_VEC(RmAllocation) allocations; /* in program order */
  RM_VEC(RmLinalgStep) steps;       /* in program order */
  RM_VEC(RmTouch) touches;
  RM_VEC(MlirOperation) frees; /* deallocs of planned ones only */
} RmMemoryLives;

/* `function` is a func.func with a body. Arguments marked `bufferize.result`
 * are among the allocations, before the others, if `with_results`. */
RmMemoryLives rm_memory_lives(MlirOperation function, MlirSymbolTable functions,
                              bool with_results, RmMemoryUses *uses,
                              RmPool *pool);

typedef struct RmBytesAlive {
  int64_t *at; /* by tick */
  int64_t ticks, peak;
} RmBytesAlive;

/* What is allocated and can be planned; a set that shares its bytes counts
 * once, by the first one, if `shares` tells that of each. */
RmBytesAlive rm_memory_alive(const RmMemoryLives *lives, const int32_t *shares,
                             RmPool *pool);

/* The number of each allocation, by its value. */
RmMap rm_memory_numbers(const RmMemoryLives *lives, RmPool *pool);

/* Bytes of one element in memory as LLVM lays it out; 0 if not known. */
int64_t rm_element_bytes(MlirType type);

#endif
