/* tools/remat-run/halves.c - kernels on one side, what calls them on the other.
 *
 * The kernels are small, few, and where the time goes; the rest is one long
 * list of calls, on which optimizers take minutes. A kernel that refers to a
 * global stays with it, in the rest. */
#include "run.h"

#include "support/map.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

typedef RM_VEC(MlirOperation) OpVec;

typedef struct Splitter {
  RmPool *pool;
  MlirModule rest, kernels;
  KernelSet *own;
  RmMap known; /* hash of a name to its place in `shared` */
  const KernelSet *shared;
} Splitter;

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static bool is_called(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            str(name));
}

static bool has_body(MlirOperation function) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

static MlirWalkResult find_global(MlirOperation op, void *user) {
  bool *found = user;
  *found |= is_called(op, "llvm.mlir.addressof");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool is_kernel(MlirOperation op) {
  if (!is_called(op, "llvm.func") || !has_body(op) ||
      mlirAttributeIsNull(
          mlirOperationGetDiscardableAttributeByName(op, str("remat.kernel"))))
    return false;
  bool refers_to_global = false;
  mlirOperationWalk(op, find_global, &refers_to_global, MlirWalkPreOrder);
  return !refers_to_global;
}

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

static const char *print(RmPool *pool, MlirOperation op) {
  Text text = {pool, {0}};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(op, flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  append(mlirStringRefCreate("", 1), &text);
  return text.chars.items;
}

static uint64_t hash_of(const char *name) {
  return rm_hash_bytes(name, strlen(name), 0);
}

static Kernel describe(RmPool *pool, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(op, str("sym_name")));
  return (Kernel){rm_pool_printf(pool, "%.*s", (int)name.length, name.data),
                  print(pool, op)};
}

/* The shared kernel with the name (or its hash), or null. */
static const Kernel *namesake_of(const Splitter *s, const Kernel *kernel) {
  int64_t i = rm_map_or(&s->known, hash_of(kernel->name), -1);
  return i < 0 ? NULL : &s->shared->kernels.items[i];
}

static bool is_equal(const Kernel *a, const Kernel *b) {
  return !strcmp(a->name, b->name) && !strcmp(a->text, b->text);
}

/* A function without a body, of the same type and name. */
static MlirOperation declaration_of(MlirOperation function) {
  MlirOperationState state = mlirOperationStateGet(
      str("llvm.func"), mlirOperationGetLocation(function));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(function); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(function, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

static OpVec functions_of(Splitter *s) {
  OpVec functions = {0};
  MlirBlock block = mlirModuleGetBody(s->rest);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_called(op, "llvm.func"))
      rm_vec_push(s->pool, &functions, op);
  return functions;
}

static void append_to(MlirModule module, MlirOperation op) {
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), op);
}

/* Leaves a declaration in the rest; true if the kernel was known. */
static bool move_kernel(Splitter *s, MlirOperation op, const Kernel *kernel) {
  mlirBlockInsertOwnedOperationBefore(mlirModuleGetBody(s->rest), op,
                                      declaration_of(op));
  if (namesake_of(s, kernel)) {
    mlirOperationDestroy(op);
    return true;
  }
  mlirOperationRemoveFromParent(op);
  append_to(s->kernels, op);
  rm_vec_push(s->pool, &s->own->kernels, *kernel);
  return false;
}

static RmMap index_kernels(const KernelSet *set, RmPool *pool) {
  RmMap map = rm_map_create(pool);
  for (size_t i = 0; set && i < set->kernels.count; ++i)
    rm_map_set(&map, hash_of(set->kernels.items[i].name), (int64_t)i);
  return map;
}

static bool agrees_with_shared(const Splitter *s, const Kernel *kernel) {
  const Kernel *namesake = namesake_of(s, kernel);
  return !namesake || is_equal(namesake, kernel);
}

Halves program_split(Program *program, const KernelSet *known, KernelSet *own,
                     RmPool *pool) {
  Halves halves = {.kernels = mlirModuleCreateEmpty(mlirLocationUnknownGet(
                       mlirModuleGetContext(program->module)))};
  Splitter s = {
      pool, program->module, halves.kernels, own, index_kernels(known, pool),
      known};
  OpVec functions = functions_of(&s), kernels = {0};
  RM_VEC(Kernel) texts = {0};
  bool agree = true;
  for (size_t i = 0; i < functions.count; ++i) {
    MlirOperation op = functions.items[i];
    if (!is_kernel(op)) {
      append_to(s.kernels, declaration_of(op));
      continue;
    }
    rm_vec_push(pool, &kernels, op);
    rm_vec_push(pool, &texts, describe(pool, op));
    agree &= agrees_with_shared(&s, &texts.items[texts.count - 1]);
  }
  if (!agree)
    s.known = rm_map_create(pool);
  for (size_t i = 0; i < kernels.count; ++i)
    halves.num_shared += move_kernel(&s, kernels.items[i], &texts.items[i]);
  halves.num_kernels = (int)kernels.count;
  halves.shared = halves.num_shared > 0;
  return halves;
}
