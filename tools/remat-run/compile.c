/* tools/remat-run/compile.c - from LLVM's dialect to objects.
 *
 * Kernels go through LLVM's O3 pipeline, with the triple of this machine but
 * at a fixed level of features, so that programs compared on one machine and
 * numbers compared between machines mean the same. No fast-math flag, no
 * contraction, no vector library: none is ever asked for. The rest is not
 * optimized at all. */
#include "run.h"

#include "mlir-c/Target/LLVMIR.h"

#include "llvm-c/Error.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"

#include <stdio.h>
#include <string.h>

/*===-- The machine -------------------------------------------------------===*/

static bool has_feature(const char *features, const char *feature) {
  size_t length = strlen(feature);
  for (const char *at = features; (at = strstr(at, feature)); at += length)
    if (at > features && at[-1] == '+' &&
        (at[length] == ',' || at[length] == 0))
      return true;
  return false;
}

static const char *cpu_level(const char *triple) {
  static const char *const needed[] = {"avx2", "bmi",   "bmi2", "f16c",
                                       "fma",  "lzcnt", "movbe"};
  if (strncmp(triple, "x86_64", 6))
    return "generic";
  char *features = LLVMGetHostCPUFeatures();
  bool has_all = true;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    has_all &= has_feature(features, needed[i]);
  LLVMDisposeMessage(features);
  return has_all ? "x86-64-v3" : "x86-64";
}

static LLVMTargetMachineRef create_machine(LLVMCodeGenOptLevel level) {
  LLVMTargetRef target;
  char *error = NULL, *triple = LLVMGetDefaultTargetTriple();
  LLVMTargetMachineRef machine = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &error)) {
    fprintf(stderr, "remat-run: %s\n", error);
    LLVMDisposeMessage(error);
  } else {
    machine =
        LLVMCreateTargetMachine(target, triple, cpu_level(triple), "", level,
                                LLVMRelocPIC, LLVMCodeModelDefault);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

static void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetTarget(module, triple);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
}

/* Functions carry the machine's level themselves; without it the vectorizer
 * assumes the least. */
static void set_function_target(LLVMModuleRef module,
                                LLVMTargetMachineRef machine) {
  char *cpu = LLVMGetTargetMachineCPU(machine);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    LLVMAddTargetDependentFunctionAttr(f, "target-cpu", cpu);
  LLVMDisposeMessage(cpu);
}

/*===-- Stages ------------------------------------------------------------===*/

static LLVMModuleRef translate(MlirModule module, LLVMContextRef context) {
  LLVMModuleRef translated =
      mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  if (!translated)
    fprintf(stderr, "remat-run: cannot be translated to LLVM IR\n");
  return translated;
}

static bool optimize(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, true);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, true);
  LLVMPassBuilderOptionsSetSLPVectorization(options, true);
  LLVMErrorRef error = LLVMRunPasses(module, "default<O3>", machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  fprintf(stderr, "remat-run: %s\n", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static bool emit(LLVMModuleRef module, LLVMTargetMachineRef machine,
                 LLVMMemoryBufferRef *object) {
  char *error = NULL;
  if (!LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
                                           &error, object))
    return true;
  fprintf(stderr, "remat-run: %s\n", error);
  LLVMDisposeMessage(error);
  return false;
}

static bool compile_half(Program *program, LLVMModuleRef module,
                         bool is_kernels) {
  LLVMMemoryBufferRef *object = &program->objects[program->num_objects];
  LLVMTargetMachineRef machine = create_machine(
      is_kernels ? LLVMCodeGenLevelAggressive : LLVMCodeGenLevelNone);
  if (!machine)
    return false;
  set_target(module, machine);
  set_function_target(module, machine);
  program->static_bytes += static_bytes(module);
  bool done = (!is_kernels || optimize(module, machine)) &&
              emit(module, machine, object);
  program->num_objects += done;
  LLVMDisposeTargetMachine(machine);
  return done;
}

static bool compile_kernels(Program *program, const Halves *halves,
                            LLVMContextRef context) {
  if (halves->num_kernels == halves->num_shared)
    return true;
  double start = seconds_now();
  LLVMModuleRef module = translate(halves->kernels, context);
  double translated = seconds_now();
  bool done = module && compile_half(program, module, true);
  program->times.translate += translated - start;
  program->times.kernels += seconds_now() - translated;
  if (module)
    LLVMDisposeModule(module);
  return done;
}

static bool compile_rest(Program *program, LLVMContextRef context) {
  double start = seconds_now();
  LLVMModuleRef module = translate(program->module, context);
  double translated = seconds_now();
  bool done = module && entry_add(module, program) &&
              compile_half(program, module, false);
  program->times.translate += translated - start;
  program->times.main += seconds_now() - translated;
  if (module)
    LLVMDisposeModule(module);
  return done;
}

bool program_compile(Program *program, Halves *halves) {
  LLVMContextRef context = LLVMContextCreate();
  bool done = compile_kernels(program, halves, context) &&
              compile_rest(program, context);
  LLVMContextDispose(context);
  program->num_kernels = halves->num_kernels;
  program->num_shared = halves->num_shared;
  mlirModuleDestroy(halves->kernels);
  if (!done)
    fprintf(stderr, "remat-run: %s: cannot be compiled\n", program->path);
  return done;
}
