/* examples/consumer/consumer.c - remat in a C program.
 *
 *     consumer PIPELINE < program.mlir
 *
 * Reads a module, runs a pipeline such as "remat-plan{budget=50%}" on it, and
 * prints it. */
#include "remat/dialect.h"
#include "remat/passes.h"

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

static MlirContext create_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__remat__(), registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

static MlirStringRef read_all(FILE *file) {
  size_t length = 0, room = 1 << 16;
  char *text = malloc(room);
  while (text) {
    length += fread(text + length, 1, room - 1 - length, file);
    if (length < room - 1)
      break;
    text = realloc(text, room *= 2);
  }
  if (!text)
    exit(EXIT_FAILURE);
  text[length] = '\0';
  return mlirStringRefCreate(text, length);
}

static bool run(MlirModule module, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(passes), print, stderr);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fprintf(stderr, "usage: consumer PIPELINE < program.mlir\n"), 2;
  mlirRegisterAllPasses();
  rematRegisterPasses();

  MlirContext context = create_context();
  MlirStringRef text = read_all(stdin);
  MlirModule module = mlirModuleCreateParse(context, text);
  bool good = !mlirModuleIsNull(module) && run(module, argv[1]);
  if (good)
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);

  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  free((void *)text.data);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
