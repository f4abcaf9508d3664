/* lib/pass/memory-lives.h - when the buffers of a function must hold their
 * bytes. */
#ifndef RM_PASS_MEMORY_LIVES_H
#define RM_PASS_MEMORY_LIVES_H

#include "pass/memory-uses.h"
#include "support/vec.h"

typedef struct RmAllocation {
  MlirOperation op;    /* memref.alloc or memref.alloca */
  MlirAttribute space; /* null: the default one */
  int64_t bytes, alignment;
  int64_t lower, upper; /* half-open, in ops of the function */
  const char *left;     /* why it stays allocated; null: it can be planned */
} RmAllocation;

typedef struct RmMemoryLives {
  RM_VEC(RmAllocation) allocations; /* in program order */
  RM_VEC(MlirOperation) frees;      /* deallocs of planned ones only */
} RmMemoryLives;

/* `function` is a func.func with a body. */
RmMemoryLives rm_memory_lives(MlirOperation function, MlirSymbolTable functions,
                              RmMemoryUses *uses, RmPool *pool);

/* Bytes of one element in memory as LLVM lays it out; 0 if not known. */
int64_t rm_element_bytes(MlirType type);

#endif
