/* tools/remat-bench/bench-plan-options.c - the words behind `plan`. */
#include "bench-plan.h"

#include "plan/strategy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: remat-bench plan [options] FILE.json...\n"
    "\n"
    "Plans each graph at each budget by each strategy and prints a table.\n"
    "Graphs are written as lib/graph/json.h says: arguments, ops and what is\n"
    "returned, or nodes [cost, bytes] and edges [from, to].\n"
    "\n"
    "  --budgets LIST       0.9,0.8,...: parts of the peak of the unchanged\n"
    "                       program, rounded up to a byte; also 90% or 2GiB\n"
    "                       (default 0.9,0.8,0.7,0.6,0.5)\n"
    "  --budget-bytes N     one more budget, in bytes\n"
    "  --strategies LIST    auto, keep-all, ..., or all (default auto)\n"
    "  --effort LIST        0 to 3, work to be done (default 1)\n"
    "  --n N                ops in a segment, for every-n (default 1)\n"
    "  --reorder            ops may also be moved, which costs nothing\n"
    "  --minimum            the smallest budget that a plan was found for, "
    "with\n"
    "                       what no plan can go below\n"
    "  --sweep K            K budgets from that one to the peak; a plan for a\n"
    "                       budget also serves larger ones; marks the knee\n"
    "  --json OUT           also write one JSON object a line, as they come; - "
    "is\n"
    "                       the output, without a table\n"
    "  --schedules          with the ops of each plan in the JSON, as they "
    "run\n"
    "\n"
    "Seconds are of the processor and without reading the file; memory is "
    "what\n"
    "planning took.\n";

void plan_options_print_help(void) { fputs(help, stdout); }

/* 0.9 of something is 900000 millionths of it; six places are read. */
static bool read_part(const char *word, Budget *budget, RmPool *pool) {
  int64_t millionths;
  bool is_part = strchr(word, '.') || !strcmp(word, "1");
  if (!is_part || !rm_bytes_parse(rm_pool_printf(pool, "%sMB", word), //
                                  &millionths))
    return false;
  budget->amount = (RmAmount){.is_percent = true, //
                              .millionths = 100 * millionths};
  return millionths > 0 && millionths <= 1000000;
}

static bool read_budget(const char *word, Budget *budget, RmPool *pool) {
  budget->text = word;
  if (read_part(word, budget, pool) || rm_amount_parse(word, &budget->amount))
    return true;
  fprintf(stderr,
          "remat-bench: '%s' is no budget: a part of the peak above 0 and at "
          "most 1 (0.9), or %s\n",
          word, rm_amount_forms);
  return false;
}

static bool read_budgets(PlanOptions *o, const char *text) {
  Words words = {0};
  if (!list_read("--budgets", text, &words, o->pool))
    return false;
  for (size_t i = 0; i < words.count; ++i) {
    Budget budget;
    if (!read_budget(words.items[i], &budget, o->pool))
      return false;
    rm_vec_push(o->pool, &o->budgets, budget);
  }
  return true;
}

static bool read_budget_bytes(PlanOptions *o, const char *text) {
  Budget budget = {.text = "bytes"};
  if (!number_read("--budget-bytes", text, 0, INT64_MAX - 1,
                   &budget.amount.bytes))
    return false;
  rm_vec_push(o->pool, &o->budgets, budget);
  return true;
}

static bool is_strategy(const char *name) {
  return !strcmp(name, "auto") || rm_strategy_find(name) != RM_STRATEGY_AUTO;
}

static bool refuse_strategy(const char *name) {
  fprintf(stderr, "remat-bench: unknown strategy '%s'; there are: auto", name);
  for (int i = 0; i < rm_num_strategies; ++i)
    fprintf(stderr, " %s", rm_strategies[i].name);
  fputc('\n', stderr);
  return false;
}

static bool read_strategies(PlanOptions *o, const char *text) {
  o->strategies.count = 0;
  if (!strcmp(text, "all")) {
    rm_vec_push(o->pool, &o->strategies, "auto");
    for (int i = 0; i < rm_num_strategies; ++i)
      rm_vec_push(o->pool, &o->strategies, rm_strategies[i].name);
    return true;
  }
  if (!list_read("--strategies", text, &o->strategies, o->pool))
    return false;
  for (size_t i = 0; i < o->strategies.count; ++i)
    if (!is_strategy(o->strategies.items[i]))
      return refuse_strategy(o->strategies.items[i]);
  return true;
}

static bool take_flag(void *options, const char *name) {
  PlanOptions *o = options;
  if (!strcmp(name, "--reorder"))
    return o->reorder = true;
  if (!strcmp(name, "--minimum"))
    return o->minimum = true;
  if (!strcmp(name, "--schedules"))
    return o->schedules = true;
  if (!strcmp(name, "--help"))
    return o->help = true;
  return false;
}

static bool read_count(const char *name, const char *text, int64_t least,
                       int32_t *count) {
  int64_t number;
  if (!number_read(name, text, least, INT32_MAX, &number))
    return false;
  *count = (int32_t)number;
  return true;
}

static bool take_value(void *options, const char *name, const char *value) {
  PlanOptions *o = options;
  if (!strcmp(name, "--budgets"))
    return read_budgets(o, value);
  if (!strcmp(name, "--budget-bytes"))
    return read_budget_bytes(o, value);
  if (!strcmp(name, "--strategies"))
    return read_strategies(o, value);
  if (!strcmp(name, "--effort"))
    return efforts_read(name, value, &o->efforts, o->pool);
  if (!strcmp(name, "--n"))
    return read_count(name, value, 1, &o->n);
  if (!strcmp(name, "--sweep"))
    return read_count(name, value, 2, &o->sweep);
  if (!strcmp(name, "--json"))
    return o->json = value, true;
  return refuse("unknown option", name);
}

static void take_file(void *options, const char *path) {
  PlanOptions *o = options;
  rm_vec_push(o->pool, &o->files, path);
}

bool plan_options_read(PlanOptions *options, int argc, char **argv) {
  WordTaker taker = {options, take_flag, take_value, take_file};
  rm_vec_push(options->pool, &options->strategies, "auto");
  rm_vec_push(options->pool, &options->efforts, 1);
  options->n = 1;
  if (!words_take(&taker, argc, argv))
    return false;
  if (options->help)
    return true;
  if (!options->budgets.count)
    read_budgets(options, "0.9,0.8,0.7,0.6,0.5");
  if (options->files.count)
    return true;
  fprintf(stderr, "remat-bench: plan: no file; --help lists the options\n");
  return false;
}
