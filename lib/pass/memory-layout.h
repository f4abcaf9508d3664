/* lib/pass/memory-layout.h - where the elements of a memref lie, and what views
 * make of that. Shapes are static. */
#ifndef RM_PASS_MEMORY_LAYOUT_H
#define RM_PASS_MEMORY_LAYOUT_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/* Whether elements that follow in the last dimension are neighbours. */
bool rm_layout_ends_dense(MlirType memref);

/* The type of all elements in order, behind `offset` others. */
MlirType rm_layout_with_offset(MlirType memref, int64_t offset);

/* memref.expand_shape or memref.collapse_shape: other dimensions for the same
 * elements in the same order. */
bool rm_layout_is_reshape(MlirOperation op);

/* What a value of `type` was before the reshape `op`, of which it is the
 * result: its type, and the value as a view made before `place`. Null if there
 * is no such view. */
MlirType rm_layout_before(MlirOperation op, MlirType type);
MlirValue rm_layout_insert_before(MlirOperation place, MlirOperation op,
                                  MlirValue value);

/* A memref.expand_shape of `value` to the shape of type `shape`; null if there
 * is no such view. */
MlirValue rm_layout_expand(MlirOperation place, MlirValue value,
                           MlirAttribute groups, MlirType shape);

/* Whether all users of `value`, and of views of it, can do with `type`: of the
 * same shape and elements, in another layout. */
bool rm_layout_suits_users(MlirValue value, MlirType type);

/* All of them use `other` instead. */
void rm_layout_replace(MlirValue value, MlirValue other);

/* Whether two views of `base`, as rm_memory_base finds it, surely have no
 * element in common. */
bool rm_layout_are_apart(MlirValue a, MlirValue b, MlirValue base);

#endif
