/* lib/shim/shim.h - what the C API of MLIR 22 cannot do.
 *
 * Passes are static C tables: lib/pass/passes.def lists them once, and
 * registration, textual options, --help and the reference page come from it.
 * The shim makes MLIR pass objects out of the tables; everything that thinks
 * is in the C function a table names. No C++ type crosses this header. */
#ifndef RM_SHIM_SHIM_H
#define RM_SHIM_SHIM_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Passes ------------------------------------------------------------===*/

typedef enum RmOptionKind {
  RM_OPTION_BOOL,    /* true | false */
  RM_OPTION_INT,     /* a signed 64-bit number */
  RM_OPTION_STRING,  /* free text; braces and spaces survive a round trip */
  RM_OPTION_SIZE,    /* a size as in support/bytes.h: 64, 4KiB, 0.5GiB */
  RM_OPTION_ENUM,    /* one of `choices` */
  RM_OPTION_LIST,    /* strings, separated by commas; empty by default */
  RM_OPTION_PIPELINE /* passes on a module, as for rm_pipeline_run; read with
                        rm_option_string. Wrong text is refused where the option
                        is read, and the dialects it needs are loaded. */
} RmOptionKind;

typedef struct RmOptionDesc {
  const char *name;
  RmOptionKind kind;
  const char *initial; /* the default, as text */
  const char *choices; /* RM_OPTION_ENUM: "auto|arena|live"; else "" */
  const char *help;
} RmOptionDesc;

typedef struct RmStatisticDesc {
  const char *name, *help;
} RmStatisticDesc;

/* One run of a pass on one op: its option values, its counters. */
typedef struct RmPassRun RmPassRun;

typedef struct RmPassDesc {
  const char *name;     /* "remat-plan" */
  const char *summary;  /* one line for --help */
  const char *anchor;   /* the op it runs on, or "" for any */
  const char *dialects; /* dependent ones, "arith scf"; "*": all that our
                           pipelines need */
  const RmOptionDesc *options;
  int num_options;
  const RmStatisticDesc *statistics;
  int num_statistics;
  bool (*run)(MlirOperation op, RmPassRun *run); /* false: the pass failed */
} RmPassDesc;

/* The table made from passes.def. */
extern const RmPassDesc rm_passes[];
extern const int rm_num_passes;

/* Values of options, by name; an unknown name is misuse. Strings live as long
 * as the run. */
bool rm_option_bool(RmPassRun *run, const char *name);
int64_t rm_option_int(RmPassRun *run, const char *name);
int64_t rm_option_size(RmPassRun *run, const char *name);
const char *rm_option_string(RmPassRun *run, const char *name);
int rm_option_choice(RmPassRun *run, const char *name); /* place in choices */
int rm_option_count(RmPassRun *run, const char *name);  /* list */
const char *rm_option_item(RmPassRun *run, const char *name, int i);

/* The options that differ from their defaults, as they stand in a pipeline:
 * "budget=50% pin={a b}". Allocated with malloc; null when memory ran out. */
char *rm_options_print(RmPassRun *run);

void rm_statistic_add(RmPassRun *run, const char *name, int64_t amount);

/* Nothing was changed: keep all analyses. */
void rm_pass_unchanged(RmPassRun *run);

/* Runs a textual pipeline on `op`, which may be a clone outside of the module
 * at hand. `pipeline` is what stands between the parentheses of
 * "builtin.module(...)". Diagnostics go where the context sends them. */
bool rm_pipeline_run(RmPassRun *run, MlirOperation op, const char *pipeline);

/* A pipeline: a name for a list of passes that depends on options. */
typedef struct RmPipelineDesc {
  const char *name, *summary;
  const RmOptionDesc *options;
  int num_options;
  /* The textual pipeline for these options, allocated with malloc; null after
   * it wrote what is wrong into `error`. */
  char *(*build)(RmPassRun *options, char *error, int room);
} RmPipelineDesc;
extern const RmPipelineDesc rm_pipelines[];
extern const int rm_num_pipelines;

/* Registers our dialect's passes and pipelines with MLIR's registry; may be
 * called more than once. */
void rm_register_passes(void);

/*===-- Diagnostics -------------------------------------------------------===*/

typedef enum RmSeverity { RM_ERROR, RM_WARNING, RM_REMARK } RmSeverity;

/* One diagnostic at `where`. Notes may follow with rm_note_add before it is
 * sent by rm_diagnostic_end. */
typedef struct RmDiagnostic RmDiagnostic;
RmDiagnostic *rm_diagnostic_begin(RmSeverity severity, MlirLocation where,
                                  const char *text);
void rm_diagnostic_note(RmDiagnostic *diagnostic, MlirLocation where,
                        const char *text);
void rm_diagnostic_end(RmDiagnostic *diagnostic);

/* Without notes, as printf. */
void rm_emit(RmSeverity severity, MlirLocation where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* While it stands, diagnostics of `context` are kept instead of printed; the
 * first error's text, and the op's location it was at, can be asked for. */
typedef struct RmCapture RmCapture;
RmCapture *rm_capture_begin(MlirContext context);
const char *rm_capture_error(RmCapture *capture);     /* "" if there was none */
MlirLocation rm_capture_location(RmCapture *capture); /* null if none */
void rm_capture_end(RmCapture *capture);

/*===-- Queries -----------------------------------------------------------===*/

typedef enum RmEffects {
  RM_EFFECT_NONE = 0,
  RM_EFFECT_READ = 1,
  RM_EFFECT_WRITE = 2,
  RM_EFFECT_ALLOCATE = 4,
  RM_EFFECT_FREE = 8,
  RM_EFFECT_UNKNOWN = 16 /* the op does not say */
} RmEffects;

/* What a registered op says of its memory effects, those of its regions
 * included; an unregistered op is RM_EFFECT_UNKNOWN. */
unsigned rm_op_effects(MlirOperation op);

/* Whether the op may run though its result is not used and at other places
 * (no undefined behaviour): ConditionallySpeculatable. */
bool rm_op_is_speculatable(MlirOperation op);

bool rm_op_is_registered(MlirOperation op);

/* A hash of the op's name, attributes, properties and result types; operands,
 * regions and locations do not matter. It holds in one process only. */
uint64_t rm_op_hash(MlirOperation op);

/* Views, branches, destination style: through MLIR's interfaces. */
bool rm_op_is_view_like(MlirOperation op); /* ViewLikeOpInterface */
bool rm_op_is_terminator(MlirOperation op);

/* Whether one-shot bufferization knows what to do with the op itself: it has no
 * tensors, or implements BufferizableOpInterface. */
bool rm_op_is_bufferizable(MlirOperation op);
int rm_op_num_inits(MlirOperation op);   /* DestinationStyle; 0 else */
int rm_op_init(MlirOperation op, int i); /* operand number */

#ifdef __cplusplus
}
#endif
#endif
