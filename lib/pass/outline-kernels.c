/* lib/pass/outline-kernels.c - one function for each different kernel.
 *
 * Every linalg op on memrefs and every memref.copy, at any depth, becomes a
 * call of a private function; ops that do the same share one. A step of ten
 * thousand ops has a few hundred kernels: those are worth an optimizer, and
 * what is left is a list of calls that is not.
 *
 * The key of a kernel is its own function, printed before it has a name: op,
 * maps, types, attributes and body are all in it, SSA names are its own, and
 * two modules give equal kernels equal names. Constants are cloned into the
 * kernel; every other value it reads from outside becomes an argument, once,
 * so that an in-place op is known to be one.
 *
 * Arguments are bare pointers where all layouts are static, so that sizes are
 * constants in the kernel. They are never `noalias`.
 *
 * needs:  bufferized functions
 * keeps:  what each kernel computes, in which order
 * breaks: nothing */

#include "pass/ops.h"
#include "pass/passes.h"
#include "support/map.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

#include <stdio.h>
#include <string.h>

typedef RM_VEC(MlirOperation) OpVec;
typedef RM_VEC(MlirValue) ValueVec;

typedef struct Kernel {
  const char *key, *name;
  int64_t next; /* with the same hash, or -1 */
} Kernel;

typedef struct Outliner {
  RmPool *pool;
  MlirContext context;
  MlirOperation module;
  MlirSymbolTable symbols;
  RM_VEC(Kernel) kernels;
  RmMap by_hash; /* the last kernel with that hash */
  int64_t calls;
} Outliner;

/* A kernel that is being cut out of its function. */
typedef struct Draft {
  MlirOperation function, op;
  MlirBlock body;
  ValueVec outside; /* what the caller passes, by argument */
} Draft;

static MlirNamedAttribute named(Outliner *o, const char *name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(o->context, rm_str(name)),
                               attribute);
}

/*===-- Which ops ---------------------------------------------------------===*/

static bool has_operand_in_memory(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

static bool is_kernel(MlirOperation op) {
  if (mlirOperationGetNumResults(op) || !has_operand_in_memory(op))
    return false;
  if (rm_op_name_begins(op, "linalg."))
    return !rm_op_is(op, "linalg.yield");
  return rm_op_is(op, "memref.copy") &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 1)));
}

typedef struct Search {
  RmPool *pool;
  OpVec found;
} Search;

static MlirWalkResult collect(MlirOperation op, void *user) {
  Search *search = user;
  if (!is_kernel(op))
    return MlirWalkResultAdvance;
  rm_vec_push(search->pool, &search->found, op);
  return MlirWalkResultSkip;
}

static bool is_outlined(MlirOperation function) {
  return !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
      function, rm_str("remat.kernel")));
}

static OpVec find_kernels(Outliner *o) {
  Search search = {o->pool, {0}};
  MlirBlock block = mlirModuleGetBody(mlirModuleFromOperation(o->module));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (rm_op_is(op, "func.func") && !is_outlined(op))
      mlirOperationWalk(op, collect, &search, MlirWalkPreOrder);
  return search.found;
}

/*===-- Cutting one out ---------------------------------------------------===*/

/* Whether `value` is defined inside of `root`. */
static bool is_within(MlirValue value, MlirOperation root) {
  if (mlirValueIsAOpResult(value))
    return rm_op_is_inside(mlirOpResultGetOwner(value), root);
  MlirOperation op =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return mlirOperationEqual(op, root) || rm_op_is_inside(op, root);
}

static MlirValue argument_for(Outliner *o, Draft *draft, MlirValue value) {
  for (size_t i = 0; i < draft->outside.count; ++i)
    if (mlirValueEqual(draft->outside.items[i], value))
      return mlirBlockGetArgument(draft->body, (intptr_t)i);
  rm_vec_push(o->pool, &draft->outside, value);
  return mlirBlockAddArgument(draft->body, mlirValueGetType(value),
                              mlirOperationGetLocation(draft->op));
}

static MlirValue bring_in(Outliner *o, Draft *draft, MlirValue value) {
  if (!rm_op_is(rm_defining_op(value), "arith.constant"))
    return argument_for(o, draft, value);
  MlirOperation clone = mlirOperationClone(mlirOpResultGetOwner(value));
  mlirBlockInsertOwnedOperationBefore(draft->body, draft->op, clone);
  return mlirOperationGetResult(clone, 0);
}

typedef struct Capture {
  Outliner *outliner;
  Draft *draft;
} Capture;

static MlirWalkResult bring_operands_in(MlirOperation op, void *user) {
  Capture *capture = user;
  Draft *draft = capture->draft;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_within(value, draft->op))
      mlirOperationSetOperand(op, i, bring_in(capture->outliner, draft, value));
  }
  return MlirWalkResultAdvance;
}

static bool is_row_major(MlirType type) {
  if (!mlirShapedTypeHasStaticShape(type))
    return false;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  int64_t strides[64], offset, size = 1;
  if (rank > 64 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
                       type, strides, &offset)))
    return false;
  for (intptr_t i = rank - 1; i >= 0; --i) {
    int64_t dimension = mlirShapedTypeGetDimSize(type, i);
    if (dimension != 1 && strides[i] != size)
      return false;
    size *= dimension;
  }
  return true;
}

/* A copy that is more than one run of bytes, as the loops of linalg.copy: the
 * library call it would become is slow, and needs the library. */
static MlirOperation copy_by_loops(Outliner *o, MlirOperation copy) {
  MlirValue operands[2] = {mlirOperationGetOperand(copy, 0),
                           mlirOperationGetOperand(copy, 1)};
  MlirRegion region = mlirRegionCreate();
  int32_t segments[2] = {1, 1};
  MlirNamedAttribute sizes = named(
      o, "operandSegmentSizes", mlirDenseI32ArrayGet(o->context, 2, segments));
  MlirOperationState state = mlirOperationStateGet(
      rm_str("linalg.copy"), mlirOperationGetLocation(copy));
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddAttributes(&state, 1, &sizes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation op = mlirOperationCreate(&state);
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return op;
}

static MlirOperation copy_of(Outliner *o, MlirOperation op) {
  if (rm_op_is(op, "memref.copy") &&
      !(is_row_major(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
        is_row_major(mlirValueGetType(mlirOperationGetOperand(op, 1)))))
    return copy_by_loops(o, op);
  return mlirOperationClone(op);
}

static bool is_bare_pointer(MlirType type) {
  if (!mlirTypeIsAMemRef(type))
    return !mlirTypeIsAUnrankedMemRef(type);
  int64_t strides[64], offset;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  if (!mlirShapedTypeHasStaticShape(type) || rank > 64 ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return false;
  bool is_static = !mlirShapedTypeIsDynamicStrideOrOffset(offset);
  for (intptr_t i = 0; i < rank; ++i)
    is_static &= !mlirShapedTypeIsDynamicStrideOrOffset(strides[i]);
  return is_static;
}

static MlirOperation start_function(Outliner *o, Draft *draft,
                                    MlirLocation loc) {
  MlirNamedAttribute attributes[3] = {
      named(o, "sym_name", mlirStringAttrGet(o->context, rm_str("kernel"))),
      named(o, "sym_visibility",
            mlirStringAttrGet(o->context, rm_str("private"))),
      named(o, "remat.kernel", mlirUnitAttrGet(o->context))};
  MlirType empty = mlirFunctionTypeGet(o->context, 0, NULL, 0, NULL);
  MlirNamedAttribute type = named(o, "function_type", mlirTypeAttrGet(empty));
  MlirRegion region = mlirRegionCreate();
  draft->body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, draft->body);
  MlirOperationState state = mlirOperationStateGet(rm_str("func.func"), loc);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddAttributes(&state, 1, &type);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

static void end_function(Outliner *o, Draft *draft) {
  MlirOperationState ret = mlirOperationStateGet(
      rm_str("func.return"), mlirOperationGetLocation(draft->op));
  mlirBlockAppendOwnedOperation(draft->body, mlirOperationCreate(&ret));
  intptr_t count = (intptr_t)draft->outside.count;
  MlirType *types = RM_NEW_ARRAY(o->pool, MlirType, count + 1);
  bool bare = true;
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirValueGetType(draft->outside.items[i]);
    bare &= is_bare_pointer(types[i]);
  }
  mlirOperationSetAttributeByName(
      draft->function, rm_str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(o->context, count, types, 0, NULL)));
  if (bare)
    mlirOperationSetAttributeByName(draft->function, rm_str("llvm.bareptr"),
                                    mlirUnitAttrGet(o->context));
}

static Draft cut_out(Outliner *o, MlirOperation original) {
  Draft draft = {0};
  draft.function =
      start_function(o, &draft, mlirOperationGetLocation(original));
  draft.op = copy_of(o, original);
  mlirBlockAppendOwnedOperation(draft.body, draft.op);
  Capture capture = {o, &draft};
  mlirOperationWalk(draft.op, bring_operands_in, &capture, MlirWalkPreOrder);
  end_function(o, &draft);
  return draft;
}

/*===-- Sharing -----------------------------------------------------------===*/

typedef struct Text {
  RmPool *pool;
  RM_VEC(char) chars;
} Text;

static void append(MlirStringRef part, void *user) {
  Text *text = user;
  rm_vec_reserve(text->pool, &text->chars, text->chars.count + part.length + 1);
  memcpy(text->chars.items + text->chars.count, part.data, part.length);
  text->chars.count += part.length;
}

static Text print(RmPool *pool, MlirOperation function) {
  Text text = {pool, {0}};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(function, flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  append(mlirStringRefCreate("", 0), &text);
  text.chars.items[text.chars.count] = 0;
  return text;
}

/* A name that tells what the kernel does, and is the same in every module. */
static const char *name_for(Outliner *o, MlirOperation op, uint64_t hash) {
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(op));
  const char *dot = memchr(full.data, '.', full.length);
  int length = (int)(full.data + full.length - dot - 1);
  const char *name = rm_pool_printf(o->pool, "kernel_%.*s_%016llx", length,
                                    dot + 1, (unsigned long long)hash);
  const char *free_name = name;
  for (int i = 1; !mlirOperationIsNull(
           mlirSymbolTableLookup(o->symbols, rm_str(free_name)));
       ++i)
    free_name = rm_pool_printf(o->pool, "%s_%d", name, i);
  return free_name;
}

static const char *known_kernel(Outliner *o, uint64_t hash, const char *key) {
  for (int64_t i = rm_map_or(&o->by_hash, hash, -1); i >= 0;
       i = o->kernels.items[i].next)
    if (!strcmp(o->kernels.items[i].key, key))
      return o->kernels.items[i].name;
  return NULL;
}

static const char *add_kernel(Outliner *o, Draft *draft, uint64_t hash,
                              const Text *key) {
  Kernel kernel = {rm_pool_strdup(o->pool, key->chars.items),
                   name_for(o, draft->op, hash),
                   rm_map_or(&o->by_hash, hash, -1)};
  mlirOperationSetAttributeByName(
      draft->function, rm_str("sym_name"),
      mlirStringAttrGet(o->context, rm_str(kernel.name)));
  mlirSymbolTableInsert(o->symbols, draft->function);
  rm_map_set(&o->by_hash, hash, (int64_t)o->kernels.count);
  rm_vec_push(o->pool, &o->kernels, kernel);
  return kernel.name;
}

static void call_instead(Outliner *o, MlirOperation op, const Draft *draft,
                         const char *name) {
  MlirNamedAttribute callee =
      named(o, "callee", mlirFlatSymbolRefAttrGet(o->context, rm_str(name)));
  MlirOperationState state =
      mlirOperationStateGet(rm_str("func.call"), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, (intptr_t)draft->outside.count,
                                draft->outside.items);
  mlirOperationStateAddAttributes(&state, 1, &callee);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op,
                                      mlirOperationCreate(&state));
  mlirOperationDestroy(op);
}

static void outline(Outliner *o, MlirOperation op) {
  Draft draft = cut_out(o, op);
  RmPool *scratch = rm_pool_create_or_abort();
  Text key = print(scratch, draft.function);
  uint64_t hash = rm_hash_bytes(key.chars.items, key.chars.count, 0);
  const char *name = known_kernel(o, hash, key.chars.items);
  if (name)
    mlirOperationDestroy(draft.function);
  else
    name = add_kernel(o, &draft, hash, &key);
  rm_pool_destroy(scratch);
  call_instead(o, op, &draft, name);
  ++o->calls;
}

bool rm_pass_outline_kernels(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  Outliner o = {.pool = pool,
                .context = mlirOperationGetContext(module),
                .module = module,
                .symbols = mlirSymbolTableCreate(module),
                .by_hash = rm_map_create(pool)};
  OpVec ops = find_kernels(&o);
  for (size_t i = 0; i < ops.count; ++i)
    outline(&o, ops.items[i]);
  rm_statistic_add(run, "kernels", (int64_t)o.kernels.count);
  rm_statistic_add(run, "calls", o.calls);
  if (!o.calls)
    rm_pass_unchanged(run);
  mlirSymbolTableDestroy(o.symbols);
  rm_pool_destroy(pool);
  return true;
}
