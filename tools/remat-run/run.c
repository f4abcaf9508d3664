/* tools/remat-run/run.c - runs one or two programs and compares them.
 *
 * All programs get the same inputs. A first run of each is checked: new memory
 * holds a pattern of its own, so that what reads memory it did not write gives
 * results of its own. Timed runs follow, programs in turn, so that whatever
 * else the machine does falls on all of them. */
#include "run.h"

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Session {
  RmPool *pool;
  Options options;
  Trial trials[3];   /* first, second, stock; those with a path are in use */
  KernelSet kernels; /* of the first */
  void **inputs, **working; /* as they were made; as programs get them */
} Session;

static bool is_used(const Trial *trial) { return trial->program.path != NULL; }

/* What it keeps on the stack are lists of pointers to free, no tensors. */
static bool is_stock(const Session *s, const Trial *trial) {
  return trial == &s->trials[2];
}

static const Signature *signature_of(const Session *s) {
  return &s->trials[0].program.signature;
}

/*===-- Compiling ---------------------------------------------------------===*/

static bool read_programs(Session *s, MlirContext context) {
  for (int i = 0; i < s->options.num_files; ++i)
    if (!program_read(&s->trials[i].program, context, s->options.files[i],
                      s->options.function, s->pool))
      return false;
  if (s->options.num_files == 1)
    return true;
  const char *difference = signature_difference(
      signature_of(s), &s->trials[1].program.signature, s->pool);
  if (difference)
    fprintf(stderr, "remat-run: the programs cannot be compared: %s\n",
            difference);
  return !difference;
}

static void add_stock(Session *s) {
  const Program *first = &s->trials[0].program;
  Program *stock = &s->trials[2].program;
  *stock = *first;
  stock->module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(first->module)));
  stock->planned_arena = -1;
  stock->times = (Times){0};
  stock->static_bytes = 0;
}

/* The kernels that the first program has are compiled already. */
static bool compile(Session *s, Trial *trial) {
  Program *program = &trial->program;
  bool is_first = trial == &s->trials[0];
  KernelSet own = {{0}};
  Halves halves = program_split(program, is_first ? NULL : &s->kernels,
                                is_first ? &s->kernels : &own, s->pool);
  if (halves.shared) {
    program->objects[program->num_objects++] = s->trials[0].program.objects[0];
    program->borrows_first = true;
  }
  return program_compile(program, &halves) && program_link(program);
}

static bool compile_all(Session *s) {
  if (s->options.stock)
    add_stock(s);
  for (int i = 0; i < 3; ++i) {
    Trial *trial = &s->trials[i];
    if (!is_used(trial))
      continue;
    bool lowered = i == 2 ? program_lower_stock(&trial->program)
                          : program_lower(&trial->program);
    if (!lowered || !compile(s, trial))
      return false;
  }
  return true;
}

/*===-- Running -----------------------------------------------------------===*/

static bool read_inputs(Session *s) {
  const Signature *signature = signature_of(s);
  s->inputs = buffers_create(signature->arguments, signature->num_arguments, 0);
  s->working =
      buffers_create(signature->arguments, signature->num_arguments, 0);
  inputs_generate(signature, s->options.seed, s->inputs);
  for (int i = 0; i < s->options.num_inputs; ++i) {
    InputFile *file = &s->options.inputs[i];
    if (file->argument >= signature->num_arguments) {
      fprintf(stderr, "remat-run: --input %s: there is no argument %d\n",
              file->path, file->argument);
      return false;
    }
    if (!npy_read(file->path, &signature->arguments[file->argument],
                  s->inputs[file->argument]))
      return false;
  }
  return true;
}

static void refresh_inputs(Session *s) {
  const Signature *signature = signature_of(s);
  for (int i = 0; i < signature->num_arguments; ++i)
    memcpy(s->working[i], s->inputs[i], signature->arguments[i].bytes);
}

/* What is compared: the results, or every argument if these are not known. */
static int compared_slots(const Session *s, const Slot **slots) {
  const Signature *signature = signature_of(s);
  *slots = signature->in_out ? signature->arguments : signature->results;
  return signature->in_out ? signature->num_arguments : signature->num_results;
}

static void run_checked(Session *s, Trial *trial, int poison) {
  const Slot *slots;
  int count = compared_slots(s, &slots);
  trial->results = buffers_create(slots, count, poison);
  refresh_inputs(s);
  hooks_reset(poison);
  trial->program.call(s->working, trial->results);
  trial->allocations = hooks_read();
  if (!is_stock(s, trial))
    trial->allocations.peak += trial->program.static_bytes;
  trial->changed_input =
      inputs_changed(&trial->program.signature, s->inputs, s->working);
  if (signature_of(s)->in_out)
    for (int i = 0; i < count; ++i)
      memcpy(trial->results[i], s->working[i], slots[i].bytes);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

static double time_once(Session *s, const Trial *trial, void **results) {
  refresh_inputs(s);
  hooks_reset(0);
  double start = seconds_of_thread();
  trial->program.call(s->working, results);
  return seconds_of_thread() - start;
}

static void time_all(Session *s) {
  const Signature *signature = signature_of(s);
  int repeat = s->options.repeat;
  double *seconds[2];
  void **results =
      buffers_create(signature->results, signature->num_results, 0);
  for (int t = 0; t < 2; ++t)
    seconds[t] = RM_NEW_ARRAY(s->pool, double, repeat + 1);
  for (int i = 0; i < repeat; ++i)
    for (int t = 0; t < s->options.num_files; ++t)
      seconds[t][i] = time_once(s, &s->trials[t], results);
  for (int t = 0; t < 2; ++t)
    s->trials[t].seconds = repeat ? median(seconds[t], repeat) : -1;
  s->trials[2].seconds = -1;
  buffers_destroy(results, signature->num_results);
}

/*===-- Judging -----------------------------------------------------------===*/

static Report report_of(Session *s) {
  Trial *first = &s->trials[0], *second = &s->trials[1], *stock = &s->trials[2];
  Report report = {.base = first,
                   .other = is_used(second) ? second : NULL,
                   .stock = is_used(stock) ? stock : NULL,
                   .ran = !s->options.compile_only};
  if (!report.ran)
    return report;
  const Slot *slots;
  int count = compared_slots(s, &slots);
  report.nan_results = results_count_nan(slots, count, first->results);
  if (report.other)
    report.difference =
        results_compare(slots, count, first->results, second->results);
  if (report.stock)
    report.stock_difference =
        results_compare(slots, count, first->results, stock->results);
  return report;
}

static int run_session(Session *s, MlirContext context) {
  if (!read_programs(s, context) || !compile_all(s))
    return 2;
  if (!s->options.compile_only) {
    if (!read_inputs(s))
      return 2;
    for (int i = 0; i < 3; ++i)
      if (is_used(&s->trials[i]))
        run_checked(s, &s->trials[i], 0xff - 0x55 * i);
    time_all(s);
  }
  Report report = report_of(s);
  if (s->options.json)
    report_print_json(&report);
  else
    report_print(&report);
  return report_is_good(&report) ? 0 : 1;
}

static void end_session(Session *s) {
  const Slot *slots;
  int count = compared_slots(s, &slots);
  for (int i = 0; i < 3; ++i) {
    if (s->trials[i].results)
      buffers_destroy(s->trials[i].results, count);
    program_destroy(&s->trials[i].program);
  }
  if (s->inputs) {
    buffers_destroy(s->inputs, signature_of(s)->num_arguments);
    buffers_destroy(s->working, signature_of(s)->num_arguments);
  }
  free(s->options.inputs);
  rm_pool_destroy(s->pool);
}

int remat_run(int argc, char **argv, MlirContext context) {
  Session s = {.pool = rm_pool_create_or_abort()};
  int status = 2;
  if (options_read(&s.options, argc, argv)) {
    if (s.options.help)
      options_print_help();
    status = s.options.help ? 0 : run_session(&s, context);
  }
  end_session(&s);
  return status;
}
