/* tools/remat-run/program.c - from a file to LLVM's dialect. */
#include "run.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static bool is_called(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            str(name));
}

/*===-- Passes ------------------------------------------------------------===*/

static void write_to_stderr(MlirStringRef part, void *user) {
  (void)user;
  fwrite(part.data, 1, part.length, stderr);
}

static bool run_passes(MlirModule module, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  bool done = mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   str(passes), write_to_stderr, NULL));
  done = done && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                     manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return done;
}

static bool lower_by(Program *program, const char *passes) {
  double start = seconds_now();
  bool done = run_passes(program->module, passes);
  program->times.lower += seconds_now() - start;
  if (!done)
    fprintf(stderr, "remat-run: %s: cannot be lowered\n", program->path);
  return done;
}

/* What is lowered already stays as it is: the inliner, for one, would undo its
 * kernels. */
bool program_lower(Program *program) {
  return program->is_lowered || lower_by(program, "remat-to-cpu");
}

static MlirWalkResult find_twin_results(MlirOperation op, void *found) {
  if (!is_called(op, "func.return"))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    for (intptr_t k = 0; k < i; ++k)
      *(bool *)found |= mlirValueEqual(mlirOperationGetOperand(op, i),
                                       mlirOperationGetOperand(op, k));
  return MlirWalkResultAdvance;
}

/* Upstream writes results in place of the caller's buffers, but crashes on one
 * buffer that is two results; these are copied. */
static bool lower_results(Program *program) {
  bool has_twins = false;
  mlirOperationWalk(mlirModuleGetOperation(program->module), find_twin_results,
                    &has_twins, MlirWalkPreOrder);
  return lower_by(program, has_twins ? "buffer-results-to-out-params{"
                                       "modify-public-functions=1}"
                                     : "buffer-results-to-out-params{"
                                       "hoist-static-allocs=1 "
                                       "modify-public-functions=1}");
}

/* Our own ops, which upstream does not know, vanish first. Frees are moved to
 * the last use. */
bool program_lower_stock(Program *program) {
  return lower_by(program,
                  "remat-lower,one-shot-bufferize{"
                  "bufferize-function-boundaries=1 "
                  "allow-return-allocs-from-loops=1 "
                  "function-boundary-type-conversion=identity-layout-map}") &&
         lower_results(program) &&
         lower_by(
             program,
             "canonicalize,cse,buffer-deallocation-pipeline,"
             "func.func(optimize-allocation-liveness),"
             "convert-bufferization-to-memref,convert-linalg-to-loops,"
             "expand-strided-metadata,lower-affine,remat-widen-bools,"
             "convert-scf-to-cf{allow-pattern-rollback=0},"
             "math-extend-to-supported-types,"
             "arith-emulate-unsupported-floats{source-types=bf16 "
             "target-type=f32},arith-expand{include-bf16=1},"
             "convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
             "convert-index-to-llvm,finalize-memref-to-llvm{"
             "use-generic-functions=1 use-aligned-alloc=1},"
             "convert-func-to-llvm,convert-cf-to-llvm,"
             "reconcile-unrealized-casts");
}

/*===-- The function to run -----------------------------------------------===*/

static bool has_attribute(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, str(name)));
}

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, str("sym_name")));
}

static bool is_private(MlirOperation op) {
  MlirAttribute visibility =
      mlirOperationGetAttributeByName(op, str("sym_visibility"));
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility), str("private"));
}

/* A function that a caller outside of the module may call. */
static bool is_candidate(MlirOperation op) {
  if (!is_called(op, "func.func") && !is_called(op, "llvm.func"))
    return false;
  MlirRegion body = mlirOperationGetRegion(op, 0);
  MlirStringRef name = name_of(op);
  return !mlirBlockIsNull(mlirRegionGetFirstBlock(body)) &&
         !has_attribute(op, "remat.kernel") && !is_private(op) &&
         !(name.length > 12 && !memcmp(name.data, "_mlir_ciface_", 13));
}

typedef struct Candidates {
  MlirOperation chosen; /* the named one, `main`, or the last found */
  int count;
  bool is_sure;
} Candidates;

static Candidates find_candidates(MlirModule module, const char *name) {
  Candidates found = {{NULL}, 0, false};
  MlirBlock block = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_candidate(op))
      continue;
    bool wanted = mlirStringRefEqual(name_of(op), str(name ? name : "main"));
    if (!found.is_sure)
      found.chosen = op;
    found.is_sure |= wanted;
    ++found.count;
  }
  return found;
}

static void list_candidates(MlirModule module) {
  MlirBlock block = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_candidate(op))
      fprintf(stderr, " %.*s", (int)name_of(op).length, name_of(op).data);
  fprintf(stderr, "\n");
}

static bool choose_entry(Program *program, const char *name,
                         MlirOperation *entry) {
  Candidates found = find_candidates(program->module, name);
  *entry = found.chosen;
  if (found.is_sure || (found.count == 1 && !name))
    return true;
  if (name)
    fprintf(stderr, "remat-run: %s: no public function '%s' with a body\n",
            program->path, name);
  else if (!found.count)
    fprintf(stderr, "remat-run: %s: no public function with a body\n",
            program->path);
  else
    fprintf(stderr, "remat-run: %s: which function? --function NAME chooses\n",
            program->path);
  if (found.count) {
    fprintf(stderr, "remat-run: there are:");
    list_candidates(program->module);
  }
  return false;
}

static int64_t planned_arena_of(MlirOperation function) {
  MlirAttribute plan =
      mlirOperationGetDiscardableAttributeByName(function, str("remat.plan"));
  if (mlirAttributeIsNull(plan) || !mlirAttributeIsADictionary(plan))
    return -1;
  MlirAttribute arena = mlirDictionaryAttrGetElementByName(plan, str("arena"));
  if (mlirAttributeIsNull(arena) || !mlirAttributeIsAInteger(arena))
    return -1;
  return mlirIntegerAttrGetValueInt(arena);
}

/*===-- Reading -----------------------------------------------------------===*/

static bool can_be_opened(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fprintf(stderr, "remat-run: %s: cannot be opened\n", path);
  else
    fclose(file);
  return file != NULL;
}

static bool parse(Program *program, MlirContext context) {
  double start = seconds_now();
  program->module = mlirModuleCreateParseFromFile(context, str(program->path));
  program->times.parse = seconds_now() - start;
  if (mlirModuleIsNull(program->module))
    fprintf(stderr, "remat-run: %s: cannot be read as MLIR\n", program->path);
  return !mlirModuleIsNull(program->module);
}

bool program_read(Program *program, MlirContext context, const char *path,
                  const char *function, RmPool *pool) {
  program->path = path;
  MlirOperation entry;
  if (!can_be_opened(path) || !parse(program, context) ||
      !choose_entry(program, function, &entry) ||
      !run_passes(program->module, "remat-entry-points"))
    return false;
  MlirStringRef name = name_of(entry);
  program->entry = rm_pool_printf(pool, "%.*s", (int)name.length, name.data);
  program->is_lowered = is_called(entry, "llvm.func");
  program->planned_arena = planned_arena_of(entry);
  if (signature_read(entry, &program->signature, pool))
    return true;
  fprintf(stderr, "remat-run: %s: '%s' cannot be run\n", path, program->entry);
  return false;
}
