/* tools/remat-run/report.c - what the runs showed, for people and programs. */
#include "run.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const Trial *report_judged(const Report *report) {
  return report->other ? report->other : report->base;
}

static bool arena_is_kept(const Trial *trial) {
  return trial->program.planned_arena < 0 ||
         trial->program.planned_arena == trial->allocations.peak;
}

static bool inputs_are_kept(const Report *report) {
  return report->base->changed_input < 0 &&
         (!report->other || report->other->changed_input < 0);
}

/* One program alone is compared with the stock lowering, if that ran. */
static bool is_compared(const Report *report) {
  return report->ran && (report->other || report->stock);
}

static const Difference *difference_of(const Report *report) {
  return report->other ? &report->difference : &report->stock_difference;
}

bool report_is_good(const Report *report) {
  if (!report->ran)
    return true;
  return difference_of(report)->count == 0 && inputs_are_kept(report) &&
         arena_is_kept(report_judged(report));
}

static double compile_seconds(const Times *t) {
  return t->lower + t->translate + t->kernels + t->main + t->link;
}

/*===-- For people --------------------------------------------------------===*/

static void print_times(const Trial *trial) {
  const Program *p = &trial->program;
  size_t bytes = 0;
  for (int i = 0; i < p->num_objects; ++i)
    bytes += LLVMGetBufferSize(p->objects[i]);
  printf("%s: %d kernels, %d of them shared, %zu bytes of objects\n", p->path,
         p->num_kernels, p->num_shared, bytes);
  printf("  parse %.2f s, lower %.2f, translate %.2f, kernels %.2f, main %.2f, "
         "link %.2f: compiled in %.2f s\n",
         p->times.parse, p->times.lower, p->times.translate, p->times.kernels,
         p->times.main, p->times.link, compile_seconds(&p->times));
}

static void print_trial(const char *label, const Trial *trial,
                        const Trial *stock) {
  printf("%-8s %s: peak %" PRId64 " bytes", label, trial->program.path,
         trial->allocations.peak);
  if (trial->program.planned_arena >= 0)
    printf(" (planned %" PRId64 ")", trial->program.planned_arena);
  printf(", %" PRId64 " allocations", trial->allocations.calls);
  if (trial->program.static_bytes && trial != stock)
    printf(", %" PRId64 " bytes of the peak on the stack or in globals",
           trial->program.static_bytes);
  if (trial->seconds >= 0)
    printf(", %.3f ms", trial->seconds * 1e3);
  printf("\n");
  if (trial->changed_input >= 0)
    printf("         argument %d was overwritten, and it is not donated\n",
           trial->changed_input);
}

static void print_difference(const Report *report, const char *against,
                             const Difference *difference) {
  const Signature *s = &report->base->program.signature;
  const char *what = s->in_out ? "argument" : "result";
  if (!difference->count) {
    printf("all %d %ss equal bit for bit (%s)\n",
           s->in_out ? s->num_arguments : s->num_results, what, against);
    return;
  }
  printf("results differ (%s): %s %d at element %" PRId64
         " is %s and %s; %" PRId64 " elements in all\n",
         against, what, difference->result, difference->index,
         difference->values[0], difference->values[1], difference->count);
}

void report_print(const Report *report) {
  print_times(report->base);
  if (report->other)
    print_times(report->other);
  if (!report->ran)
    return;
  print_trial(report->other ? "first" : "program", report->base, report->stock);
  if (report->other)
    print_trial("second", report->other, report->stock);
  if (report->stock)
    print_trial("stock", report->stock, report->stock);
  if (report->nan_results)
    printf("%" PRId64 " elements of the results are NaN\n",
           report->nan_results);
  if (report->other)
    print_difference(report, "first and second", &report->difference);
  if (report->stock)
    print_difference(report, "first and stock", &report->stock_difference);
  if (!arena_is_kept(report_judged(report)))
    printf("the measured peak is not what was planned\n");
}

/*===-- For programs ------------------------------------------------------===*/

static void add_number(cJSON *object, const char *name, bool is_known,
                       double value) {
  if (is_known)
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_peak(cJSON *object, const char *name, const Report *report,
                     const Trial *trial) {
  bool is_known = report->ran && trial;
  add_number(object, name, is_known,
             is_known ? (double)trial->allocations.peak : 0);
}

static void add_seconds(cJSON *object, const char *name, const Report *report,
                        const Trial *trial) {
  add_number(object, name, report->ran && trial->seconds >= 0, trial->seconds);
}

static void add_times(cJSON *object, const char *name, const Trial *trial) {
  const Times *t = &trial->program.times;
  cJSON *times = cJSON_AddObjectToObject(object, name);
  cJSON_AddNumberToObject(times, "parse", t->parse);
  cJSON_AddNumberToObject(times, "lower", t->lower);
  cJSON_AddNumberToObject(times, "translate", t->translate);
  cJSON_AddNumberToObject(times, "kernels", t->kernels);
  cJSON_AddNumberToObject(times, "main", t->main);
  cJSON_AddNumberToObject(times, "link", t->link);
  cJSON_AddNumberToObject(times, "total", compile_seconds(t));
}

static void add_difference(cJSON *object, const Report *report) {
  const Difference *d = difference_of(report);
  if (!is_compared(report) || !d->count) {
    cJSON_AddNullToObject(object, "difference");
    return;
  }
  cJSON *difference = cJSON_AddObjectToObject(object, "difference");
  cJSON_AddNumberToObject(difference, "result", d->result);
  cJSON_AddNumberToObject(difference, "index", (double)d->index);
  cJSON_AddStringToObject(difference, "first", d->values[0]);
  cJSON_AddStringToObject(difference, "second", d->values[1]);
  cJSON_AddNumberToObject(difference, "elements", (double)d->count);
}

static void add_verdicts(cJSON *object, const Report *report) {
  if (is_compared(report))
    cJSON_AddBoolToObject(object, "equal", !difference_of(report)->count);
  else
    cJSON_AddNullToObject(object, "equal");
  if (report->stock)
    cJSON_AddBoolToObject(object, "stock_equal",
                          !report->stock_difference.count);
  else
    cJSON_AddNullToObject(object, "stock_equal");
  cJSON_AddBoolToObject(object, "inputs_unchanged", inputs_are_kept(report));
  add_difference(object, report);
}

static cJSON *build_json(const Report *report) {
  const Trial *judged = report_judged(report);
  const Program *program = &judged->program;
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "function", report->base->program.entry);
  add_verdicts(object, report);
  add_number(object, "planned_arena", program->planned_arena >= 0,
             (double)program->planned_arena);
  add_peak(object, "measured_peak", report, judged);
  add_peak(object, "base_peak", report, report->base);
  add_peak(object, "stock_peak", report, report->stock);
  cJSON_AddNumberToObject(object, "static_bytes",
                          (double)program->static_bytes);
  add_seconds(object, "seconds", report, judged);
  add_seconds(object, "base_seconds", report, report->base);
  cJSON_AddNumberToObject(object, "results", program->signature.num_results);
  add_number(object, "nan_results", report->ran, (double)report->nan_results);
  cJSON_AddNumberToObject(object, "kernels", program->num_kernels);
  cJSON_AddNumberToObject(object, "shared_kernels", program->num_shared);
  add_times(object, "compile_seconds", judged);
  add_times(object, "base_compile_seconds", report->base);
  return object;
}

void report_print_json(const Report *report) {
  cJSON *object = build_json(report);
  char *text = cJSON_Print(object);
  if (!text)
    abort();
  puts(text);
  cJSON_free(text);
  cJSON_Delete(object);
}
