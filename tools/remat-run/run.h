/* tools/remat-run/run.h - what the parts of remat-run agree on.
 *
 * A program is a module with an entry function. It is lowered, split in two
 * halves (kernels, which an optimizer sees, and the rest, which none does),
 * compiled to objects, linked, and called through two arrays of pointers: one
 * a value that goes in, one a value that comes out. */
#ifndef REMAT_RUN_H
#define REMAT_RUN_H

#include "support/pool.h"
#include "support/vec.h"

#include "mlir-c/IR.h"
#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*===-- Values (values.c) -------------------------------------------------===*/

typedef enum Element {
  ELEMENT_I1,
  ELEMENT_I8,
  ELEMENT_I16,
  ELEMENT_I32,
  ELEMENT_I64,
  ELEMENT_INDEX,
  ELEMENT_F16,
  ELEMENT_BF16,
  ELEMENT_F32,
  ELEMENT_F64
} Element;

typedef struct ElementInfo {
  const char *name; /* "f32" */
  const char *npy;  /* "<f4"; bf16 has none and is read as "<u2" */
  size_t bytes;     /* in memory */
  bool is_float;
} ElementInfo;
extern const ElementInfo elements[];

/* One argument or result: a static shape in row-major order, or a scalar. */
typedef struct Slot {
  Element element;
  int rank;
  int64_t *shape;
  int64_t count; /* of elements */
  size_t bytes;
  bool is_scalar; /* passed by value */
  bool donated;   /* the program may overwrite it */
} Slot;

typedef struct Signature {
  Slot *arguments, *results;
  int num_arguments, num_results;
  bool in_out; /* results unknown: arguments are compared after the run */
} Signature;

/* Reads `remat.entry` of `function`. False after a message on stderr. */
bool signature_read(MlirOperation function, Signature *signature, RmPool *pool);

/* Null if both take and give the same, else what differs (in the pool). */
const char *signature_difference(const Signature *a, const Signature *b,
                                 RmPool *pool);

/* "tensor<4x8xf32>", in the pool. */
const char *slot_print(const Slot *slot, RmPool *pool);

/* One aligned buffer a slot; `fill` in every byte. */
void **buffers_create(const Slot *slots, int count, int fill);
void buffers_destroy(void **buffers, int count);

/*===-- Inputs (inputs.c, npy.c) ------------------------------------------===*/

/* Fills `buffers` from `seed`: floats are uniform in [0, 0.25), so that
 * variances and second moments are what they should be; integers in [0, 8),
 * so that they index any table; i1 is 0 or 1. Each argument has its own stream,
 * so that a file for one does not change the others. */
void inputs_generate(const Signature *signature, uint64_t seed, void **buffers);

/* Reads an array in C order whose type and shape are the slot's. False after
 * a message on stderr. */
bool npy_read(const char *path, const Slot *slot, void *buffer);

/*===-- Programs (program.c) ----------------------------------------------===*/

/* Seconds each stage took. */
typedef struct Times {
  double parse, lower, translate, kernels, main, link;
} Times;

typedef struct Program {
  const char *path;
  MlirModule module;
  const char *entry;     /* name of the function that is run */
  bool is_lowered;       /* it is in LLVM's dialect already */
  int64_t planned_arena; /* from remat.plan; -1 without */
  Signature signature;
  LLVMMemoryBufferRef objects[3]; /* shared kernels, own kernels, rest */
  bool borrows_first;             /* objects[0] is another program's */
  int num_objects, num_kernels, num_shared;
  int64_t static_bytes; /* tensors on the stack or in writable globals */
  LLVMOrcLLJITRef jit;
  void (*call)(void **arguments, void **results);
  Times times;
} Program;

/* False, after a message on stderr, if the file cannot be read or has no
 * function to run. `function` is its name, or null for the only one. */
bool program_read(Program *program, MlirContext context, const char *path,
                  const char *function, RmPool *pool);

/* Down to LLVM's dialect, by remat-to-cpu or by upstream's passes alone. */
bool program_lower(Program *program);
bool program_lower_stock(Program *program);

/*===-- Machine code (halves.c, compile.c, link.c) ------------------------===*/

typedef struct Kernel {
  const char *name, *text;
} Kernel;

/* Kernels compiled once, for every program that has them. */
typedef struct KernelSet {
  RM_VEC(Kernel) kernels;
} KernelSet;

/* Takes the kernels out of the program's module, into a module of their own.
 * Those that `known` has are left out. If one of them has the name but not the
 * text of a known kernel, none is shared. */
typedef struct Halves {
  MlirModule kernels;
  bool shared; /* the objects of `known` are needed as well */
  int num_kernels, num_shared;
} Halves;
Halves program_split(Program *program, const KernelSet *known, KernelSet *own,
                     RmPool *pool);

/* Optimises and compiles both halves to objects; destroys the kernels'
 * module. */
bool program_compile(Program *program, Halves *halves);

/* Adds to the rest of the program what `call` calls. */
extern const char *const entry_symbol;
bool entry_add(LLVMModuleRef module, const Program *program);

/* Bytes of tensors on the stack and in writable globals (static-bytes.c). The
 * module's data layout must be set. */
int64_t static_bytes(LLVMModuleRef module);

bool program_link(Program *program);
void program_destroy(Program *program);

/*===-- Allocations (hooks.c) ---------------------------------------------===*/

typedef struct Allocations {
  int64_t live, peak, calls;
} Allocations;

/* Sets the counters to zero. With `poison`, new memory holds a pattern that
 * differs from one `poison` to the next: a program that reads what it did not
 * write gives different results. */
void hooks_reset(int poison);
Allocations hooks_read(void);

typedef struct HookSymbol {
  const char *name;
  void *address;
} HookSymbol;
extern const HookSymbol hook_symbols[];
extern const int num_hook_symbols;

/*===-- Results (compare.c, report.c) -------------------------------------===*/

typedef struct Difference {
  int result;    /* or argument, if in_out: the first that differs */
  int64_t index; /* its first element that differs, row-major */
  int64_t count; /* elements that differ, over all results */
  char values[2][40];
} Difference;

Difference results_compare(const Slot *slots, int count, void **a, void **b);

int64_t results_count_nan(const Slot *slots, int count, void **buffers);

/* The first argument that changed though it was not donated, or -1. */
int inputs_changed(const Signature *signature, void **before, void **after);

/* A program and what its runs showed. */
typedef struct Trial {
  Program program;
  void **results;
  Allocations allocations;
  int changed_input; /* or -1 */
  double seconds;    /* the median; negative if it was not timed */
} Trial;

typedef struct Report {
  const Trial *base, *other, *stock; /* the last two may be null */
  Difference difference, stock_difference;
  int64_t nan_results; /* elements, of the first program */
  bool ran;            /* else only compiled */
} Report;

/* The program whose plan is judged: the last that was given. */
const Trial *report_judged(const Report *report);

/* Whether all that was promised holds. */
bool report_is_good(const Report *report);

void report_print(const Report *report);
void report_print_json(const Report *report);

double seconds_now(void);

/* Time that this thread ran: what other processes do is not in it. */
double seconds_of_thread(void);

/* Everything behind main(): its arguments, and a context with all dialects.
 * Returns the exit status. */
int remat_run(int argc, char **argv, MlirContext context);

#endif
