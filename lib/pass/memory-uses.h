/* lib/pass/memory-uses.h - what an op does with the memrefs it is given. */
#ifndef RM_PASS_MEMORY_USES_H
#define RM_PASS_MEMORY_USES_H

#include "support/map.h"

#include "mlir-c/IR.h"

typedef enum RmMemoryUse {
  RM_USE_TOUCHES, /* reads or writes them while it runs, no longer */
  RM_USE_VIEWS,   /* its memref results share them; it touches nothing */
  RM_USE_ALLOCATES,
  RM_USE_FREES,
  RM_USE_LOOPS,    /* scf.for, affine.for: carries them around */
  RM_USE_LOOPS_ON, /* scf.while */
  RM_USE_BRANCHES, /* runs each of its regions at most once, yields them */
  RM_USE_SPREADS,  /* runs its region many times, perhaps at once */
  RM_USE_YIELDS,   /* ends a region of the five above, or a block of it */
  RM_USE_COPIES,   /* memref.copy */
  RM_USE_CALLS,
  RM_USE_KEEPS /* may hold on to them, or is not known */
} RmMemoryUse;

/* Answers by name, and remembers. */
typedef struct RmMemoryUses {
  RmMap by_name;
} RmMemoryUses;

RmMemoryUses rm_memory_uses_create(RmPool *pool);
RmMemoryUse rm_memory_use(RmMemoryUses *uses, MlirOperation op);

/* Whether the one memref result is a view of the first operand, and of nothing
 * else. Null is none. */
bool rm_memory_is_view(RmMemoryUses *uses, MlirOperation op);

/* The value that `value` is a view of, as far as that is one. */
MlirValue rm_memory_base(RmMemoryUses *uses, MlirValue value);

/* Whether `value` is an argument of a function. */
bool rm_memory_is_argument(MlirValue value);

/* Whether a region of `op` uses memory that is no operand of `op`. */
bool rm_memory_body_uses(MlirOperation op);

/* Whether the function never keeps, frees or returns a memref that it is
 * given, so that a call only touches its operands. `functions` may be empty. */
bool rm_function_borrows(RmMemoryUses *uses, MlirSymbolTable functions,
                         MlirOperation function);

/* The function a func.call names, if it has a body; else null. */
MlirOperation rm_callee_of(MlirOperation call, MlirSymbolTable functions);

bool rm_type_is_memref(MlirType type);

#endif
