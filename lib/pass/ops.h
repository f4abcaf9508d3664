/* lib/pass/ops.h - what passes often ask of ops, and how they make them. */
#ifndef RM_PASS_OPS_H
#define RM_PASS_OPS_H

#include "support/map.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

static inline MlirStringRef rm_str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/* Whether the op's name is `name`, "scf.for". A null op has no name. */
bool rm_op_is(MlirOperation op, const char *name);

/* Whether the op's name begins with `prefix`, "linalg.". */
bool rm_op_name_begins(MlirOperation op, const char *prefix);

/* The op that makes `value`; null for a block argument. */
MlirOperation rm_defining_op(MlirValue value);

/* The ancestor of `op`, or `op` itself, that stands in `block`; null if `op`
 * is not inside of it. */
MlirOperation rm_ancestor_in(MlirOperation op, MlirBlock block);

/* Whether `op` is inside a region of `outer`, at any depth. */
bool rm_op_is_inside(MlirOperation op, MlirOperation outer);

/* The terminator of the only block of region `i`; null if it has another
 * number of blocks. */
MlirOperation rm_yield_of(MlirOperation op, intptr_t i);

/* A new op before `place`. `result` may be null: no result. */
MlirOperation rm_op_insert(MlirOperation place, const char *name,
                           intptr_t num_operands, const MlirValue *operands,
                           MlirType result);

/* The result of a new arith.constant before `place`. */
MlirValue rm_op_insert_constant(MlirOperation place, MlirAttribute value);

/* `dictionary` (null: an empty one) with one more entry. */
MlirAttribute rm_dictionary_with(MlirAttribute dictionary,
                                 MlirNamedAttribute entry, RmPool *pool);

/*===-- Functions ---------------------------------------------------------===*/

bool rm_is_function_with_body(MlirOperation op); /* a func.func */
bool rm_is_private(MlirOperation function);

/* The attribute `name` of argument `i`; null if it has none. */
MlirAttribute rm_argument_attribute(MlirOperation function, intptr_t i,
                                    const char *name);

/* The names that ops of the module refer to, as hashes, without those that ops
 * of MLIR's own tensor and memref dialects do: these name no function. And
 * whether that of `function`, or of any symbol, is among them. A hash that two
 * names share is no harm: it only makes a function look called. */
RmMap rm_references(MlirOperation module, RmPool *pool);
bool rm_is_referred_to(const RmMap *references, MlirOperation function);
void rm_references_add(RmMap *references, MlirStringRef name);
void rm_references_note(RmMap *references, MlirOperation op); /* those of one */

/* A tensor of static shape. */
bool rm_type_is_static_tensor(MlirType type);

#endif
