/* tools/remat-run/static-bytes.c - memory that no allocator sees.
 *
 * A program could keep tensors on its stack or in writable globals, and claim a
 * small peak. These bytes are counted as if they were alive all the time.
 * Single scalars, descriptors and the sizes in them are not tensors. */
#include "run.h"

#include <stdio.h>

static int64_t size_of(LLVMTargetDataRef layout, LLVMTypeRef type) {
  return (int64_t)LLVMABISizeOfType(layout, type);
}

/* A descriptor holds a size for each of so many dimensions. */
enum { MOST_SIZES = 8 };

static int64_t alloca_bytes(LLVMTargetDataRef layout, LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count)) {
    fprintf(stderr, "remat-run: there is an alloca of unknown size, which is "
                    "not counted\n");
    return 0;
  }
  int64_t elements = (int64_t)LLVMConstIntGetZExtValue(count);
  bool is_tensor = elements > 1 || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  return is_tensor ? elements * size_of(layout, type) : 0;
}

static int64_t stack_bytes(LLVMTargetDataRef layout, LLVMValueRef function) {
  int64_t bytes = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i))
        bytes += alloca_bytes(layout, i);
  return bytes;
}

int64_t static_bytes(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  int64_t bytes = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    bytes += stack_bytes(layout, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsGlobalConstant(g) && !LLVMIsDeclaration(g))
      bytes += size_of(layout, LLVMGlobalGetValueType(g));
  return bytes;
}
