/* tools/remat-run/main.c - a context with all dialects and passes. */
#include "run.h"

#include "remat/dialect.h"
#include "shim/shim.h"

#include "mlir-c/RegisterEverything.h"
#include "llvm-c/Target.h"

int main(int argc, char **argv) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  mlirRegisterAllPasses();
  rm_register_passes();

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__remat__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirRegisterAllLLVMTranslations(context);

  int status = remat_run(argc, argv, context);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return status;
}
