/* tools/remat-run/link.c - objects into this process.
 *
 * Each program has a JIT of its own, so that equal names do not meet; a shared
 * object of kernels is compiled once and loaded into each. */
#include "run.h"

#include "llvm-c/Error.h"
#include "llvm-c/Orc.h"

#include <stdio.h>
#include <string.h>

static bool succeeded(LLVMErrorRef error) {
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  fprintf(stderr, "remat-run: %s\n", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static bool define_hooks(LLVMOrcLLJITRef jit) {
  LLVMOrcCSymbolMapPair pairs[16];
  for (int i = 0; i < num_hook_symbols; ++i) {
    LLVMOrcExecutorAddress address =
        (LLVMOrcExecutorAddress)(uintptr_t)hook_symbols[i].address;
    LLVMJITSymbolFlags flags = {LLVMJITSymbolGenericFlagsExported |
                                    LLVMJITSymbolGenericFlagsCallable,
                                0};
    pairs[i] = (LLVMOrcCSymbolMapPair){
        LLVMOrcLLJITMangleAndIntern(jit, hook_symbols[i].name),
        {address, flags}};
  }
  return succeeded(LLVMOrcJITDylibDefine(
      LLVMOrcLLJITGetMainJITDylib(jit),
      LLVMOrcAbsoluteSymbols(pairs, (size_t)num_hook_symbols)));
}

/* The C library and the mathematics are this process's. */
static bool add_process(LLVMOrcLLJITRef jit) {
  LLVMOrcDefinitionGeneratorRef generator;
  if (!succeeded(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
          &generator, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL)))
    return false;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return true;
}

static bool add_objects(const Program *program) {
  for (int i = 0; i < program->num_objects; ++i) {
    LLVMMemoryBufferRef object = program->objects[i];
    LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        LLVMGetBufferStart(object), LLVMGetBufferSize(object), "object");
    if (!succeeded(LLVMOrcLLJITAddObjectFile(
            program->jit, LLVMOrcLLJITGetMainJITDylib(program->jit), copy)))
      return false;
  }
  return true;
}

static bool find_entry(Program *program) {
  LLVMOrcExecutorAddress address;
  if (!succeeded(LLVMOrcLLJITLookup(program->jit, &address, entry_symbol)))
    return false;
  uintptr_t pointer = (uintptr_t)address;
  memcpy(&program->call, &pointer, sizeof program->call);
  return true;
}

bool program_link(Program *program) {
  double start = seconds_now();
  bool done = succeeded(LLVMOrcCreateLLJIT(&program->jit, NULL)) &&
              define_hooks(program->jit) && add_process(program->jit) &&
              add_objects(program) && find_entry(program);
  program->times.link = seconds_now() - start;
  if (!done)
    fprintf(stderr, "remat-run: %s: cannot be linked\n", program->path);
  return done;
}

void program_destroy(Program *program) {
  for (int i = 0; i < program->num_objects; ++i)
    if (i > 0 || !program->borrows_first)
      LLVMDisposeMemoryBuffer(program->objects[i]);
  if (program->jit)
    succeeded(LLVMOrcDisposeLLJIT(program->jit));
  if (!mlirModuleIsNull(program->module))
    mlirModuleDestroy(program->module);
}
