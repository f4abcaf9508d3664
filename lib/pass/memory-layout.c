/* lib/pass/memory-layout.c - where the elements of a memref lie.
 *
 * A layout is an offset and a stride for each dimension, as in a strided memref
 * type. Views compute theirs from that of what they view by the rules that
 * MLIR's verifier has, so that a view can be given another source, or be turned
 * round, without asking the op.
 *
 * Invariant: a type made here is the one the verifier would infer. */

#include "pass/memory-layout.h"

#include "pass/ops.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

enum { MOST_RANK = 32 };

typedef struct Layout {
  intptr_t rank;
  int64_t sizes[MOST_RANK], strides[MOST_RANK], offset;
  bool is_identity; /* by its type */
  MlirType of;      /* for the elements and the memory space */
} Layout;

static bool is_dynamic(int64_t stride) {
  return stride == mlirShapedTypeGetDynamicStrideOrOffset();
}

static bool read_layout(MlirType type, Layout *layout) {
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > MOST_RANK ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          type, layout->strides, &layout->offset)))
    return false;
  layout->of = type;
  layout->rank = mlirShapedTypeGetRank(type);
  layout->is_identity =
      mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
  for (intptr_t i = 0; i < layout->rank; ++i)
    layout->sizes[i] = mlirShapedTypeGetDimSize(type, i);
  return true;
}

static MlirType write_layout(const Layout *layout) {
  MlirAttribute attribute = {NULL};
  if (!layout->is_identity)
    attribute =
        mlirStridedLayoutAttrGet(mlirTypeGetContext(layout->of), layout->offset,
                                 layout->rank, layout->strides);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(layout->of),
                           layout->rank, layout->sizes, attribute,
                           mlirMemRefTypeGetMemorySpace(layout->of));
}

bool rm_layout_ends_dense(MlirType memref) {
  Layout layout;
  if (!read_layout(memref, &layout))
    return false;
  intptr_t last = layout.rank - 1;
  return last < 0 || layout.strides[last] == 1 || layout.sizes[last] == 1;
}

MlirType rm_layout_with_offset(MlirType memref, int64_t offset) {
  Layout layout;
  if (!read_layout(memref, &layout))
    return (MlirType){NULL};
  layout.is_identity = false;
  layout.offset = offset;
  return write_layout(&layout);
}

/*===-- Reshapes ----------------------------------------------------------===*/

bool rm_layout_is_reshape(MlirOperation op) {
  return (rm_op_is(op, "memref.expand_shape") ||
          rm_op_is(op, "memref.collapse_shape")) &&
         mlirOperationGetNumOperands(op) == 1;
}

static MlirAttribute groups_of(MlirOperation reshape) {
  return mlirOperationGetAttributeByName(reshape, rm_str("reassociation"));
}

static intptr_t group_size(MlirAttribute groups, intptr_t i) {
  return mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, i));
}

/* `layout` with each dimension taken apart into those of `sizes`. */
static bool expand(const Layout *layout, MlirAttribute groups, intptr_t rank,
                   const int64_t *sizes, Layout *wide) {
  if (rank > MOST_RANK)
    return false;
  *wide = (Layout){.rank = rank,
                   .offset = layout->offset,
                   .is_identity = layout->is_identity,
                   .of = layout->of};
  memcpy(wide->sizes, sizes, (size_t)rank * sizeof *sizes);
  for (intptr_t d = 0; d < rank && !layout->rank; ++d)
    wide->strides[d] = 1;
  for (intptr_t i = 0, first = 0; i < layout->rank; ++i) {
    intptr_t count = group_size(groups, i);
    int64_t stride = layout->strides[i];
    if (is_dynamic(stride))
      return false;
    for (intptr_t d = first + count; d-- > first; stride *= sizes[d])
      wide->strides[d] = stride;
    first += count;
  }
  return true;
}

/* Whether the dimensions from `first` on step through memory as one does whose
 * stride is `stride`. Those of size 1 are never stepped through. */
static bool steps_as_one(const Layout *layout, intptr_t first, intptr_t count,
                         int64_t stride) {
  for (intptr_t d = first + count - 1; d > first; --d) {
    stride *= layout->sizes[d];
    if (layout->sizes[d - 1] != 1 && layout->strides[d - 1] != stride)
      return false;
  }
  return true;
}

static bool collapse(const Layout *layout, MlirAttribute groups,
                     Layout *narrow) {
  *narrow = (Layout){.rank = mlirArrayAttrGetNumElements(groups),
                     .offset = layout->offset,
                     .is_identity = layout->is_identity,
                     .of = layout->of};
  for (intptr_t i = 0, first = 0; i < narrow->rank; ++i) {
    intptr_t count = group_size(groups, i), last = first + count - 1;
    narrow->sizes[i] = 1;
    for (intptr_t d = first; d < first + count; ++d) {
      if (is_dynamic(layout->strides[d]))
        return false;
      narrow->sizes[i] *= layout->sizes[d];
    }
    while (last > first && layout->sizes[last] == 1)
      --last;
    narrow->strides[i] = layout->strides[last];
    if (!steps_as_one(layout, first, last + 1 - first, narrow->strides[i]))
      return false;
    first += count;
  }
  return true;
}

static bool reshape(const Layout *layout, MlirOperation op, MlirType result,
                    Layout *after) {
  Layout old;
  if (rm_op_is(op, "memref.collapse_shape"))
    return collapse(layout, groups_of(op), after);
  return read_layout(result, &old) &&
         expand(layout, groups_of(op), old.rank, old.sizes, after);
}

/* The other way round. */
static bool undo(MlirType type, MlirOperation op, Layout *before) {
  Layout layout, old;
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!read_layout(type, &layout) || !read_layout(source, &old))
    return false;
  return rm_op_is(op, "memref.collapse_shape")
             ? expand(&layout, groups_of(op), old.rank, old.sizes, before)
             : collapse(&layout, groups_of(op), before);
}

MlirType rm_layout_before(MlirOperation op, MlirType type) {
  Layout before;
  return undo(type, op, &before) ? write_layout(&before) : (MlirType){NULL};
}

static MlirValue insert_reshape(MlirOperation place, bool expands,
                                MlirValue value, MlirAttribute groups,
                                const Layout *result) {
  MlirContext context = mlirOperationGetContext(place);
  MlirType type = write_layout(result);
  MlirNamedAttribute attributes[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str("reassociation")),
                            groups),
      mlirNamedAttributeGet(
          mlirIdentifierGet(context, rm_str("static_output_shape")),
          mlirDenseI64ArrayGet(context, result->rank, result->sizes))};
  MlirOperationState state = mlirOperationStateGet(
      rm_str(expands ? "memref.expand_shape" : "memref.collapse_shape"),
      mlirOperationGetLocation(place));
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, expands ? 2 : 1, attributes);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
  return mlirOperationGetResult(op, 0);
}

MlirValue rm_layout_insert_before(MlirOperation place, MlirOperation op,
                                  MlirValue value) {
  Layout before;
  bool done = undo(mlirValueGetType(value), op, &before);
  return done ? insert_reshape(place, rm_op_is(op, "memref.collapse_shape"),
                               value, groups_of(op), &before)
              : (MlirValue){NULL};
}

MlirValue rm_layout_expand(MlirOperation place, MlirValue value,
                           MlirAttribute groups, MlirType shape) {
  Layout layout, wide, asked;
  bool done = read_layout(mlirValueGetType(value), &layout) &&
              read_layout(shape, &asked) &&
              expand(&layout, groups, asked.rank, asked.sizes, &wide);
  return done ? insert_reshape(place, true, value, groups, &wide)
              : (MlirValue){NULL};
}

/*===-- Another layout for all users --------------------------------------===*/

static int64_t scale(int64_t stride, int64_t by) {
  int64_t unknown = mlirShapedTypeGetDynamicStrideOrOffset();
  return is_dynamic(stride) || is_dynamic(by) ? unknown : stride * by;
}

static int64_t add(int64_t a, int64_t b) {
  int64_t unknown = mlirShapedTypeGetDynamicStrideOrOffset();
  return is_dynamic(a) || is_dynamic(b) ? unknown : a + b;
}

/* Subviews that drop no dimension. */
static bool take_part(const Layout *layout, MlirOperation op, Layout *part) {
  MlirAttribute offsets =
      mlirOperationGetAttributeByName(op, rm_str("static_offsets"));
  MlirAttribute steps =
      mlirOperationGetAttributeByName(op, rm_str("static_strides"));
  if (!read_layout(mlirValueGetType(mlirOperationGetResult(op, 0)), part) ||
      part->rank != layout->rank)
    return false;
  part->is_identity = false;
  part->offset = layout->offset;
  for (intptr_t i = 0; i < layout->rank; ++i) {
    int64_t stride = layout->strides[i];
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, i);
    int64_t step = mlirDenseI64ArrayGetElement(steps, i);
    part->strides[i] = scale(stride, step);
    part->offset = add(part->offset, scale(stride, offset));
  }
  return true;
}

/* The layout of the view `op` if what it views has `layout`. */
static bool view(const Layout *layout, MlirOperation op, Layout *after) {
  if (rm_layout_is_reshape(op))
    return reshape(layout, op, mlirValueGetType(mlirOperationGetResult(op, 0)),
                   after);
  return rm_op_is(op, "memref.subview") && take_part(layout, op, after);
}

/* What is freed must not become a part of something else: who replaces an
 * allocation erases its deallocs. */
static bool takes_any_layout(MlirOperation op, MlirValue value) {
  static const char *const names[] = {
      "memref.load", "memref.store", "memref.copy", "memref.dim",
      "affine.load", "affine.store", "vector.load", "vector.store"};
  if (rm_op_is(op, "memref.dealloc"))
    return rm_op_is(rm_defining_op(value), "memref.alloc");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (rm_op_is(op, names[i]))
      return true;
  return rm_op_name_begins(op, "linalg.");
}

static bool is_new_layout_fine(MlirValue value, const Layout *layout) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    Layout after;
    if (takes_any_layout(user, value))
      continue;
    if (!view(layout, user, &after) ||
        !is_new_layout_fine(mlirOperationGetResult(user, 0), &after))
      return false;
  }
  return true;
}

bool rm_layout_suits_users(MlirValue value, MlirType type) {
  Layout layout;
  return !mlirTypeIsNull(type) && read_layout(type, &layout) &&
         is_new_layout_fine(value, &layout);
}

static void set_layout(MlirValue value, const Layout *layout) {
  mlirValueSetType(value, write_layout(layout));
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    Layout after;
    if (!takes_any_layout(user, value) && view(layout, user, &after))
      set_layout(mlirOperationGetResult(user, 0), &after);
  }
}

void rm_layout_replace(MlirValue value, MlirValue other) {
  Layout layout;
  bool is_known = read_layout(mlirValueGetType(other), &layout);
  if (is_known &&
      !mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(other)))
    set_layout(value, &layout);
  mlirValueReplaceAllUsesOfWith(value, other);
}

/*===-- Parts -------------------------------------------------------------===*/

/* The view of `base` that `value` is made by; null if it is all of it. */
static MlirOperation first_view(MlirValue value, MlirValue base) {
  MlirOperation op = {NULL};
  for (; !mlirValueEqual(value, base); value = mlirOperationGetOperand(op, 0))
    op = rm_defining_op(value);
  return op;
}

static int64_t item(MlirOperation op, const char *name, intptr_t i) {
  return mlirDenseI64ArrayGetElement(
      mlirOperationGetAttributeByName(op, rm_str(name)), i);
}

/* The elements of dimension `d` that a subview takes, as far as it is known. */
static bool range_of(MlirOperation op, intptr_t d, int64_t *begin,
                     int64_t *end) {
  int64_t unknown = mlirShapedTypeGetDynamicSize();
  int64_t size = item(op, "static_sizes", d);
  *begin = item(op, "static_offsets", d);
  *end = *begin + size;
  return *begin != unknown && size != unknown &&
         item(op, "static_strides", d) == 1;
}

bool rm_layout_are_apart(MlirValue a, MlirValue b, MlirValue base) {
  MlirOperation x = first_view(a, base), y = first_view(b, base);
  if (!rm_op_is(x, "memref.subview") || !rm_op_is(y, "memref.subview"))
    return false;
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(base));
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t begin[2], end[2];
    if (range_of(x, d, &begin[0], &end[0]) &&
        range_of(y, d, &begin[1], &end[1]) &&
        (end[0] <= begin[1] || end[1] <= begin[0]))
      return true;
  }
  return false;
}
