/* test/shim/test-passes/test-passes.c - passes that show what the shim does.
 *
 * test-options says what its options hold; test-nested runs a pipeline on a
 * clone or in place; test-capture keeps what that says; test-queries says what
 * ops say of themselves. */
#include "shim/shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(array) ((int)(sizeof(array) / sizeof *(array)))

static const RmOptionDesc options[] = {
    {"flag", RM_OPTION_BOOL, "false", "", "a flag"},
    {"number", RM_OPTION_INT, "-3", "", "a number"},
    {"text", RM_OPTION_STRING, "some text", "", "a text"},
    {"size", RM_OPTION_SIZE, "4KiB", "", "a size"},
    {"choice", RM_OPTION_ENUM, "auto", "auto|arena|live", "a choice"},
    {"list", RM_OPTION_LIST, "", "", "a list"},
};

static const RmStatisticDesc statistics[] = {{"runs", "how often it ran"}};

static bool show_options(MlirOperation op, RmPassRun *run) {
  MlirLocation where = mlirOperationGetLocation(op);
  rm_emit(RM_REMARK, where, "flag=%d number=%lld size=%lld choice=%d",
          rm_option_bool(run, "flag"), (long long)rm_option_int(run, "number"),
          (long long)rm_option_size(run, "size"),
          rm_option_choice(run, "choice"));
  rm_emit(RM_REMARK, where, "text=<%s>", rm_option_string(run, "text"));
  for (int i = 0; i < rm_option_count(run, "list"); ++i)
    rm_emit(RM_REMARK, where, "item=<%s>", rm_option_item(run, "list", i));
  rm_statistic_add(run, "runs", 1);
  rm_pass_unchanged(run);
  return true;
}

static const RmOptionDesc nested_options[] = {
    {"passes", RM_OPTION_STRING, "", "", "what to run"},
    {"checked", RM_OPTION_PIPELINE, "", "", "what to run before"},
    {"clone", RM_OPTION_BOOL, "false", "", "on a clone, which is printed"},
    {"capture", RM_OPTION_BOOL, "false", "", "keep diagnostics"},
};

static void print_chunk(MlirStringRef chunk, void *file) {
  fwrite(chunk.data, 1, chunk.length, file);
}

static void end_capture(RmCapture *capture, MlirLocation where) {
  if (!mlirLocationIsNull(rm_capture_location(capture)))
    where = rm_capture_location(capture);
  char error[400];
  snprintf(error, sizeof error, "%s", rm_capture_error(capture));
  rm_capture_end(capture);
  rm_emit(RM_REMARK, where, "captured <%s>", error);
}

static bool run_nested(MlirOperation op, RmPassRun *run) {
  bool clone = rm_option_bool(run, "clone");
  MlirOperation target = clone ? mlirOperationClone(op) : op;
  RmCapture *capture = rm_option_bool(run, "capture")
                           ? rm_capture_begin(mlirOperationGetContext(op))
                           : NULL;
  bool good = rm_pipeline_run(run, target, rm_option_string(run, "checked")) &&
              rm_pipeline_run(run, target, rm_option_string(run, "passes"));
  if (capture)
    end_capture(capture, mlirOperationGetLocation(op));
  if (!clone)
    return good;
  if (good)
    mlirOperationPrint(target, print_chunk, stderr);
  mlirOperationDestroy(target);
  return good || capture;
}

static MlirWalkResult show_op(MlirOperation op, void *unused) {
  (void)unused;
  unsigned effects = rm_op_effects(op);
  char inits[40] = "";
  for (int i = 0; i < rm_op_num_inits(op); ++i)
    snprintf(inits + strlen(inits), sizeof inits - strlen(inits), " init %d",
             rm_op_init(op, i));
  rm_emit(RM_REMARK, mlirOperationGetLocation(op), "%s%s%s%s%s%s%s%s%s%s%s",
          effects == 0 ? "pure" : "", effects & RM_EFFECT_READ ? " read" : "",
          effects & RM_EFFECT_WRITE ? " write" : "",
          effects & RM_EFFECT_ALLOCATE ? " allocate" : "",
          effects & RM_EFFECT_FREE ? " free" : "",
          effects & RM_EFFECT_UNKNOWN ? " unknown" : "",
          rm_op_is_speculatable(op) ? " speculatable" : "",
          rm_op_is_registered(op) ? "" : " unregistered",
          rm_op_is_view_like(op) ? " view" : "",
          rm_op_is_terminator(op) ? " terminator" : "", inits);
  return MlirWalkResultAdvance;
}

static bool show_queries(MlirOperation op, RmPassRun *run) {
  (void)run;
  mlirOperationWalk(op, show_op, NULL, MlirWalkPreOrder);
  return true;
}

static bool show_notes(MlirOperation op, RmPassRun *run) {
  (void)run;
  MlirLocation where = mlirOperationGetLocation(op);
  RmDiagnostic *d = rm_diagnostic_begin(RM_WARNING, where, "a warning");
  rm_diagnostic_note(d, where, "and a note");
  rm_diagnostic_end(d);
  return true;
}

const RmPassDesc rm_passes[] = {
    {"test-options", "says what its options hold", "", "", options,
     ROWS(options), statistics, ROWS(statistics), show_options},
    {"test-nested", "runs other passes", "builtin.module", "*", nested_options,
     ROWS(nested_options), NULL, 0, run_nested},
    {"test-queries", "says what ops say of themselves", "", "", NULL, 0, NULL,
     0, show_queries},
    {"test-notes", "warns", "", "", NULL, 0, NULL, 0, show_notes},
};
const int rm_num_passes = ROWS(rm_passes);

/* As many test-options as `number` says. */
static char *build_pipeline(RmPassRun *run, char *error, int room) {
  int64_t count = rm_option_int(run, "number");
  if (count < 1 || count > 9) {
    snprintf(error, (size_t)room, "number must be 1 to 9");
    return NULL;
  }
  const char *item = "test-options{choice=live},";
  char *text = calloc((size_t)count, strlen(item) + 1);
  for (int64_t i = 0; i < count; ++i)
    strcat(text, item);
  text[strlen(text) - 1] = '\0';
  return text;
}

const RmPipelineDesc rm_pipelines[] = {
    {"test-pipeline", "several test-options", options, 2, build_pipeline},
};
const int rm_num_pipelines = ROWS(rm_pipelines);
