/* tools/remat-bench/bench-memory.c - offsets for instances x strategies.
 *
 * Each placement is checked by brute force before it is shown. */
#include "bench.h"

#include "memory/csv.h"
#include "support/bytes.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: remat-bench memory [options] FILE.csv...\n"
    "\n"
    "Gives the buffers of each file offsets in one arena and prints a table.\n"
    "Files are MiniMalloc's: columns id, lower, upper, size, and maybe\n"
    "alignment, offset and gaps; lives are half-open. Also read are bank, the\n"
    "number of one, and together and apart, ids of others with which a buffer\n"
    "must share its offset or may share no byte at any time.\n"
    "\n"
    "  --strategies LIST  auto (default), and rules that others go by: size,\n"
    "                     area, size-best, life-best, birth-best, whole-best;\n"
    "                     or all\n"
    "  --effort LIST      0 to 3, work to be done (default 1)\n"
    "  --capacity N       do they fit in N bytes? The exit status is 1 if an\n"
    "                     answer is no or not known, or nothing can be placed\n"
    "  --reserved LIST    bytes that no buffer may touch, as 0-4096,8192-9216\n"
    "  --bank-bytes N     no buffer crosses a multiple of N bytes, which "
    "begins\n"
    "                     a bank\n"
    "  --arena-alignment N  the arena is a multiple of N, a power of two\n"
    "  --ignore-offsets   offsets in the file bind nobody\n"
    "  --use-gaps         the bytes of a buffer are free in the gaps of its\n"
    "                     life; without it a life is all of its ticks\n"
    "  --json             print one object a line instead of the table\n"
    "\n"
    "A placement is proven if it is no larger than the lower bound. Seconds "
    "are\n"
    "of the processor and without reading the file.\n";

typedef struct MemoryOptions {
  RmPool *pool;
  Words files;
  RmIntVec efforts;
  Words strategies;
  RmByteRange *reserved;
  int32_t num_reserved;
  int64_t capacity; /* -1: no question */
  int64_t bank_bytes, arena_alignment;
  bool json, ignore_offsets, use_gaps, help;
} MemoryOptions;

typedef struct Packing {
  const char *name;
  const RmInstance *instance;
  RmPlacement placement;
  const char *strategy;
  int effort; /* of auto */
  double seconds;
  size_t bytes;
  const char *wrong;
} Packing;

/*===-- The command line --------------------------------------------------===*/

static bool take_flag(void *options, const char *name) {
  MemoryOptions *o = options;
  if (!strcmp(name, "--json"))
    return o->json = true;
  if (!strcmp(name, "--ignore-offsets"))
    return o->ignore_offsets = true;
  if (!strcmp(name, "--use-gaps"))
    return o->use_gaps = true;
  if (!strcmp(name, "--help"))
    return o->help = true;
  return false;
}

static bool is_strategy(const char *name) {
  for (const char *const *rule = rm_memory_rules; *rule; ++rule)
    if (!strcmp(name, *rule))
      return true;
  return !strcmp(name, "auto");
}

static bool read_strategies(MemoryOptions *o, const char *text) {
  o->strategies.count = 0;
  if (!strcmp(text, "all")) {
    rm_vec_push(o->pool, &o->strategies, "auto");
    for (const char *const *rule = rm_memory_rules; *rule; ++rule)
      rm_vec_push(o->pool, &o->strategies, *rule);
    return true;
  }
  if (!list_read("--strategies", text, &o->strategies, o->pool))
    return false;
  for (size_t i = 0; i < o->strategies.count; ++i)
    if (!is_strategy(o->strategies.items[i]))
      return refuse("unknown strategy", o->strategies.items[i]);
  return true;
}

/* So that no sum of them and of sizes overflows. */
enum { MOST_BITS = 40 };
static const int64_t most = (int64_t)1 << MOST_BITS;

static bool read_reserved(MemoryOptions *o, const char *text) {
  const char *error;
  bool right = rm_byte_ranges_from_text(text, &o->reserved, &o->num_reserved,
                                        o->pool, &error);
  if (!right)
    fprintf(stderr, "remat-bench: --reserved: %s\n", error);
  return right;
}

static bool read_alignment(MemoryOptions *o, const char *value) {
  int64_t *n = &o->arena_alignment;
  if (!number_read("--arena-alignment", value, 1, most, n))
    return false;
  return !(*n & (*n - 1)) ||
         refuse("--arena-alignment needs a power of two, not", value);
}

static bool take_value(void *options, const char *name, const char *value) {
  MemoryOptions *o = options;
  if (!strcmp(name, "--effort"))
    return efforts_read(name, value, &o->efforts, o->pool);
  if (!strcmp(name, "--strategies"))
    return read_strategies(o, value);
  if (!strcmp(name, "--capacity"))
    return number_read(name, value, 0, INT64_MAX, &o->capacity);
  if (!strcmp(name, "--reserved"))
    return read_reserved(o, value);
  if (!strcmp(name, "--bank-bytes"))
    return number_read(name, value, 1, most, &o->bank_bytes);
  if (!strcmp(name, "--arena-alignment"))
    return read_alignment(o, value);
  return refuse("unknown option", name);
}

static void take_file(void *options, const char *path) {
  MemoryOptions *o = options;
  rm_vec_push(o->pool, &o->files, path);
}

static bool read_options(MemoryOptions *o, int argc, char **argv) {
  WordTaker taker = {o, take_flag, take_value, take_file};
  rm_vec_push(o->pool, &o->efforts, 1);
  rm_vec_push(o->pool, &o->strategies, "auto");
  if (!words_take(&taker, argc, argv))
    return false;
  if (o->help || o->files.count)
    return true;
  fprintf(stderr, "remat-bench: memory: no file; --help lists the options\n");
  return false;
}

/*===-- One placement -----------------------------------------------------===*/

static bool is_proven(const Packing *p) {
  return p->placement.arena <= p->placement.lower_bound;
}

/* Neither is known between the lower bound and the best arena found. Without a
 * question there is an answer only if nothing was placed. */
static const char *answer(const Packing *p, int64_t capacity) {
  if (capacity >= 0 && p->placement.arena <= capacity)
    return "fits";
  if (capacity >= 0)
    return p->placement.lower_bound > capacity ? "cannot fit" : "not known";
  if (p->placement.offsets)
    return NULL;
  return is_proven(p) ? "cannot be placed" : "no placement found";
}

static const char *number_or_none(int64_t number, RmPool *pool) {
  return number == INT64_MAX ? "none"
                             : rm_pool_printf(pool, "%" PRId64, number);
}

static void print_head(void) {
  printf("%-20s %7s %-10s %1s %16s %16s %9s %7s %10s %11s\n", "instance",
         "buffers", "strategy", "e", "lower bound", "arena", "over %", "proven",
         "seconds", "memory");
}

/* A smallest set of buffers that cannot fit, by their ids. */
static void print_unfit(const Packing *p) {
  enum { MOST = 8 };
  printf(", for these do not:");
  for (int32_t i = 0; i < p->placement.num_unfit && i < MOST; ++i)
    printf(" %s", p->instance->ids[p->placement.unfit[i]]);
  if (p->placement.num_unfit > MOST)
    printf(" and %d more", (int)(p->placement.num_unfit - MOST));
}

static void print_packing(const MemoryOptions *o, const Packing *p,
                          RmPool *pool) {
  char memory[32];
  progress_clear();
  printf("%-20s %7d %-10s %1d %16s %16s %9s %7s %10.3f %11s", p->name,
         p->instance->count, p->strategy, p->effort,
         number_or_none(p->placement.lower_bound, pool),
         number_or_none(p->placement.arena, pool),
         p->placement.offsets
             ? percent_over(p->placement.arena, p->placement.lower_bound, pool)
             : "-",
         is_proven(p) ? "yes" : "no", p->seconds,
         rm_bytes_print((int64_t)p->bytes, memory, sizeof memory));
  if (answer(p, o->capacity))
    printf("  %s", answer(p, o->capacity));
  if (p->placement.num_unfit)
    print_unfit(p);
  printf("%s%s\n", p->wrong ? "  WRONG: " : "", p->wrong ? p->wrong : "");
  fflush(stdout);
}

static cJSON *build_offsets(const Packing *p) {
  cJSON *offsets = cJSON_CreateArray();
  for (int32_t i = 0; p->placement.offsets && i < p->instance->count; ++i)
    cJSON_AddItemToArray(offsets,
                         cJSON_CreateNumber((double)p->placement.offsets[i]));
  return offsets;
}

static cJSON *build_unfit(const Packing *p) {
  cJSON *ids = cJSON_CreateArray();
  for (int32_t i = 0; i < p->placement.num_unfit; ++i)
    cJSON_AddItemToArray(
        ids, cJSON_CreateString(p->instance->ids[p->placement.unfit[i]]));
  return ids;
}

static void add_number_or_null(cJSON *object, const char *key, int64_t number) {
  if (number == INT64_MAX)
    cJSON_AddNullToObject(object, key);
  else
    cJSON_AddNumberToObject(object, key, (double)number);
}

static void print_json(const MemoryOptions *o, const Packing *p) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "instance", p->name);
  cJSON_AddStringToObject(object, "strategy", p->strategy);
  cJSON_AddNumberToObject(object, "effort", p->effort);
  add_number_or_null(object, "arena", p->placement.arena);
  add_number_or_null(object, "lower_bound", p->placement.lower_bound);
  cJSON_AddBoolToObject(object, "proven", is_proven(p));
  cJSON_AddNumberToObject(object, "seconds", p->seconds);
  cJSON_AddNumberToObject(object, "memory", (double)p->bytes);
  if (answer(p, o->capacity))
    cJSON_AddStringToObject(object, "answer", answer(p, o->capacity));
  if (p->wrong)
    cJSON_AddStringToObject(object, "wrong", p->wrong);
  if (p->placement.num_unfit)
    cJSON_AddItemToObject(object, "unfit", build_unfit(p));
  cJSON_AddItemToObject(object, "offsets", build_offsets(p));
  char *text = cJSON_PrintUnformatted(object);
  if (!text)
    abort();
  puts(text);
  fflush(stdout);
  cJSON_free(text);
  cJSON_Delete(object);
}

static RmMemoryProblem build_problem(const MemoryOptions *o,
                                     const RmInstance *instance) {
  return (RmMemoryProblem){.buffers = instance->buffers,
                           .count = instance->count,
                           .capacity = o->capacity > 0 ? o->capacity : 0,
                           .arena_alignment = o->arena_alignment,
                           .bank_bytes = o->bank_bytes,
                           .banks = instance->banks,
                           .holes = instance->holes,
                           .num_holes = o->use_gaps ? instance->num_holes : 0,
                           .reserved = o->reserved,
                           .num_reserved = o->num_reserved,
                           .together = instance->together,
                           .num_together = instance->num_together,
                           .apart = instance->apart,
                           .num_apart = instance->num_apart};
}

/* Places and shows; a status. */
static int place(const MemoryOptions *o, const char *name,
                 const RmInstance *instance, const char *strategy, int effort) {
  RmPool *pool = rm_pool_create_or_abort();
  Packing p = {name, instance, .strategy = strategy, .effort = effort};
  progress_show("%s: %d buffers, %s, effort %d", name, instance->count,
                strategy, effort);
  double begin = seconds_now();
  RmMemoryProblem problem = build_problem(o, instance);
  p.placement = strcmp(strategy, "auto")
                    ? rm_memory_place_by_rule(&problem, strategy, pool)
                    : rm_memory_place(&problem, effort, pool);
  p.seconds = seconds_now() - begin;
  p.bytes = rm_pool_bytes(pool);
  if (p.placement.offsets)
    p.wrong = rm_memory_check(&problem, &p.placement, pool);
  if (o->json)
    print_json(o, &p);
  else
    print_packing(o, &p, pool);
  bool is_no = !p.placement.offsets ||
               (o->capacity >= 0 && p.placement.arena > o->capacity);
  int status = p.wrong || is_no ? WRONG : ALL_WELL;
  rm_pool_destroy(pool);
  return status;
}

/*===-- All of them -------------------------------------------------------===*/

static bool read_instance(const MemoryOptions *o, const char *path,
                          RmInstance *instance, RmPool *pool) {
  const char *error;
  char *text = file_read(path, pool);
  if (!text)
    return false;
  if (!rm_instance_from_csv(text, instance, pool, &error)) {
    fprintf(stderr, "remat-bench: %s: %s\n", path, error);
    return false;
  }
  if (instance->banks && !o->bank_bytes) {
    fprintf(stderr, "remat-bench: %s: banks need --bank-bytes\n", path);
    return false;
  }
  for (int32_t i = 0; i < instance->count && o->ignore_offsets; ++i)
    instance->buffers[i].fixed = -1;
  return true;
}

/* Effort is of auto alone. */
static int place_by(const MemoryOptions *o, const char *name,
                    const RmInstance *instance, const char *strategy) {
  int status = ALL_WELL;
  size_t efforts = strcmp(strategy, "auto") ? 1 : o->efforts.count;
  for (size_t e = 0; e < efforts; ++e)
    status |= place(o, name, instance, strategy, o->efforts.items[e]);
  return status;
}

static int place_file(const MemoryOptions *o, const char *path) {
  RmPool *pool = rm_pool_create_or_abort();
  RmInstance instance;
  int status = UNUSABLE;
  if (read_instance(o, path, &instance, pool)) {
    const char *name = name_of_file(path, ".csv", pool);
    status = ALL_WELL;
    for (size_t s = 0; s < o->strategies.count; ++s)
      status |= place_by(o, name, &instance, o->strategies.items[s]);
  }
  rm_pool_destroy(pool);
  return status;
}

static int run(const MemoryOptions *o) {
  int status = ALL_WELL;
  if (!o->json)
    print_head();
  for (size_t i = 0; i < o->files.count; ++i) {
    int one = place_file(o, o->files.items[i]);
    status = one > status ? one : status;
  }
  progress_clear();
  return status;
}

int bench_memory(int argc, char **argv) {
  MemoryOptions options = {.pool = rm_pool_create_or_abort(), .capacity = -1};
  int status = UNUSABLE;
  if (read_options(&options, argc, argv)) {
    if (options.help)
      fputs(help, stdout);
    status = options.help ? ALL_WELL : run(&options);
  }
  rm_pool_destroy(options.pool);
  return status;
}
