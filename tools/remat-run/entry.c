/* tools/remat-run/entry.c - calls a lowered function with what it expects.
 *
 * A training step takes hundreds of tensors, each a pointer or, as a
 * descriptor, 3 + 2 * rank numbers; C cannot spell such a call. So we write the
 * caller in LLVM IR, where the function is known:
 *
 *     void remat_run_entry(void **arguments, void **results)
 *
 * Shapes are static and in row-major order, so only pointers are read; sizes
 * and strides are constants. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

const char *const entry_symbol = "remat_run_entry";

typedef struct Caller {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef pointer, word;
  bool bare; /* memrefs are passed as one pointer */
  LLVMTypeRef *types;
  LLVMValueRef *operands;
  unsigned count;
} Caller;

static LLVMValueRef load_pointer(Caller *c, LLVMValueRef array, int i) {
  LLVMValueRef index = LLVMConstInt(c->word, (unsigned long long)i, false);
  LLVMValueRef at = LLVMBuildGEP2(c->builder, c->pointer, array, &index, 1, "");
  return LLVMBuildLoad2(c->builder, c->pointer, at, "");
}

static void push(Caller *c, LLVMValueRef value) {
  c->operands[c->count++] = value;
}

static void push_number(Caller *c, int64_t number) {
  push(c, LLVMConstInt(c->word, (unsigned long long)number, true));
}

static void push_memref(Caller *c, const Slot *slot, LLVMValueRef data) {
  push(c, data);
  if (c->bare)
    return;
  push(c, data);
  push_number(c, 0);
  for (int i = 0; i < slot->rank; ++i)
    push_number(c, slot->shape[i]);
  for (int i = 0; i < slot->rank; ++i) {
    int64_t stride = 1;
    for (int j = i + 1; j < slot->rank; ++j)
      stride *= slot->shape[j];
    push_number(c, stride);
  }
}

static void push_argument(Caller *c, const Slot *slot, LLVMValueRef data) {
  if (slot->is_scalar)
    push(c, LLVMBuildLoad2(c->builder, c->types[c->count], data, ""));
  else
    push_memref(c, slot, data);
}

static unsigned operands_of(const Slot *slots, int count, bool bare,
                            bool are_results) {
  unsigned total = 0;
  for (int i = 0; i < count; ++i) {
    if (slots[i].is_scalar)
      total += !are_results;
    else
      total += bare ? 1 : 3 + 2 * (unsigned)slots[i].rank;
  }
  return total;
}

static unsigned operand_count(const Signature *s, bool bare) {
  return operands_of(s->arguments, s->num_arguments, bare, false) +
         operands_of(s->results, s->num_results, bare, true);
}

/* What the function returns by value: its scalar results, in order. */
static void store_scalars(Caller *c, const Signature *s, LLVMValueRef returned,
                          LLVMValueRef results) {
  LLVMTypeRef type = LLVMTypeOf(returned);
  unsigned next = 0;
  for (int i = 0; i < s->num_results; ++i) {
    if (!s->results[i].is_scalar)
      continue;
    LLVMValueRef value =
        LLVMGetTypeKind(type) == LLVMStructTypeKind
            ? LLVMBuildExtractValue(c->builder, returned, next, "")
            : returned;
    LLVMBuildStore(c->builder, value, load_pointer(c, results, i));
    ++next;
  }
}

static unsigned scalar_results(const Signature *s) {
  unsigned count = 0;
  for (int i = 0; i < s->num_results; ++i)
    count += s->results[i].is_scalar;
  return count;
}

static unsigned returned_values(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    return 0;
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  default:
    return 1;
  }
}

/* False if the function's type is none that the signature can be lowered to. */
static bool fits(LLVMTypeRef type, const Signature *s, bool *bare) {
  unsigned count = LLVMCountParamTypes(type);
  *bare = count != operand_count(s, false);
  return (!*bare || count == operand_count(s, true)) &&
         returned_values(LLVMGetReturnType(type)) == scalar_results(s);
}

static void build_call(Caller *c, const Signature *s, LLVMValueRef function,
                       LLVMValueRef self) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef arguments = LLVMGetParam(self, 0);
  LLVMValueRef results = LLVMGetParam(self, 1);
  LLVMGetParamTypes(type, c->types);
  for (int i = 0; i < s->num_arguments; ++i)
    push_argument(c, &s->arguments[i], load_pointer(c, arguments, i));
  for (int i = 0; i < s->num_results; ++i)
    if (!s->results[i].is_scalar)
      push_memref(c, &s->results[i], load_pointer(c, results, i));
  LLVMValueRef returned =
      LLVMBuildCall2(c->builder, type, function, c->operands, c->count, "");
  if (scalar_results(s))
    store_scalars(c, s, returned, results);
  LLVMBuildRetVoid(c->builder);
}

static LLVMValueRef start_caller(Caller *c, LLVMModuleRef module) {
  LLVMTypeRef parameters[2] = {c->pointer, c->pointer};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(c->context), parameters, 2, false);
  LLVMValueRef self = LLVMAddFunction(module, entry_symbol, type);
  LLVMPositionBuilderAtEnd(c->builder,
                           LLVMAppendBasicBlockInContext(c->context, self, ""));
  return self;
}

bool entry_add(LLVMModuleRef module, const Program *program) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef function = LLVMGetNamedFunction(module, program->entry);
  Caller c = {.context = context,
              .pointer = LLVMPointerTypeInContext(context, 0),
              .word = LLVMInt64TypeInContext(context)};
  if (!function ||
      !fits(LLVMGlobalGetValueType(function), &program->signature, &c.bare)) {
    fprintf(stderr,
            "remat-run: %s: '%s' was lowered to a type that its "
            "signature does not explain\n",
            program->path, program->entry);
    return false;
  }
  size_t count = operand_count(&program->signature, c.bare) + 1;
  c.types = calloc(count, sizeof *c.types);
  c.operands = calloc(count, sizeof *c.operands);
  if (!c.types || !c.operands)
    abort();
  c.builder = LLVMCreateBuilderInContext(context);
  LLVMValueRef self = start_caller(&c, module);
  build_call(&c, &program->signature, function, self);
  LLVMDisposeBuilder(c.builder);
  free(c.types);
  free(c.operands);
  return true;
}
