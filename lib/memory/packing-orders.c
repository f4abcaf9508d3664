/* lib/memory/packing-orders.c - in which order to place buffers.
 *
 * No order is best everywhere, so a portfolio tries several and keeps the best.
 * A rule sorts by up to three keys. A size class is the number of powers of a
 * base, from its half or its whole power on, that the size reaches: within a
 * class the life decides, which packs long-lived buffers together.
 *
 * Ties go to the buffer given first, so that orders are the same everywhere.
 * Only exactly rounded double operations (sqrt, multiplication) are used. */

#include "memory/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Key {
  NOTHING,
  SIZE,   /* larger first */
  LIFE,   /* longer first */
  AREA,   /* larger size times life first */
  BIRTH,  /* earlier first */
  DEATH,  /* later first */
  WHOLE,  /* those alive all the time first */
  CLASS,  /* larger size class first */
  CLASS2, /* the same, classes shifted by half */
} Key;

typedef struct Rule {
  Key keys[3];
  double base;
  bool best_fit;
  const char *name; /* of those known elsewhere */
} Rule;

static const Rule rules[] = {
    {{SIZE, BIRTH}, 0, false, "size"},
    {{CLASS, LIFE, SIZE}, 5, false, NULL},
    {{AREA}, 0, false, "area"},
    {{CLASS, LIFE}, 4, true, NULL},
    {{BIRTH, SIZE}, 0, true, "birth-best"},
    {{LIFE, SIZE}, 0, true, "life-best"},
    {{SIZE, BIRTH}, 0, true, "size-best"},
    {{WHOLE, SIZE, BIRTH}, 0, true, "whole-best"},
    {{CLASS2, BIRTH}, 12, false, NULL},
    {{SIZE, LIFE}, 0, false, NULL},
    {{DEATH, LIFE}, 0, false, NULL},
    {{CLASS, LIFE, SIZE}, 6, false, NULL},
    {{CLASS2, LIFE, SIZE}, 5, false, NULL},
    {{CLASS, LIFE, SIZE}, 3, false, NULL},
    {{CLASS2, LIFE, SIZE}, 3, false, NULL},
    {{CLASS2, LIFE, SIZE}, 4, true, NULL},
    {{CLASS, LIFE, SIZE}, 8, false, NULL},
    {{CLASS2, LIFE, SIZE}, 8, false, NULL},
    {{CLASS, LIFE, SIZE}, 12, false, NULL},
    {{CLASS2, LIFE, SIZE}, 12, false, NULL},
    {{CLASS, BIRTH}, 12, false, NULL},
    {{CLASS, LIFE, SIZE}, 16, true, NULL},
    {{CLASS2, LIFE, SIZE}, 16, false, NULL},
    {{LIFE, SIZE}, 0, false, NULL},
    {{AREA}, 0, true, NULL},
    {{BIRTH, SIZE}, 0, false, NULL},
};
enum { NUM_RULES = sizeof rules / sizeof *rules };

const char *const rm_memory_rules[] = {
    "size", "area", "size-best", "life-best", "birth-best", "whole-best", NULL};

int32_t rm_packing_find_rule(const char *name) {
  for (int32_t i = 0; i < NUM_RULES; ++i)
    if (rules[i].name && !strcmp(rules[i].name, name))
      return i;
  return -1;
}

int32_t rm_packing_num_rules(int effort, int32_t count) {
  int32_t affordable = 300000 / (count + 1); /* placements, at effort 1 */
  if (effort <= 0)
    return 8; /* all that have names are among them */
  if (effort >= 2 || affordable > NUM_RULES)
    return NUM_RULES;
  return affordable < 10 ? 10 : affordable;
}

bool rm_packing_rule_is_best_fit(int32_t rule) { return rules[rule].best_fit; }

static double size_class(int64_t size, double base, bool half) {
  int32_t classes = 0;
  for (double t = half ? sqrt(base) : base; t <= (double)size; t *= base)
    classes++;
  return classes;
}

/* Smaller comes first. */
static double key_of(const RmPacking *p, const Rule *rule, Key key,
                     int32_t item) {
  double life = (double)p->life[item];
  switch (key) {
  case SIZE:
    return -(double)p->size[item];
  case LIFE:
    return -life;
  case AREA:
    return -life * (double)p->size[item];
  case BIRTH:
    return p->lower[item];
  case DEATH:
    return -(double)p->upper[item];
  case WHOLE:
    return p->upper[item] - p->lower[item] < p->num_ticks;
  case CLASS:
    return -size_class(p->size[item], rule->base, false);
  case CLASS2:
    return -size_class(p->size[item], rule->base, true);
  case NOTHING:
    break;
  }
  return 0;
}

typedef struct Ranked {
  double keys[3];
  int32_t item;
} Ranked;

static int compare(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  for (int k = 0; k < 3; ++k)
    if (a->keys[k] != b->keys[k])
      return a->keys[k] < b->keys[k] ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

int32_t rm_packing_order(const RmPacking *p, int32_t rule, int32_t *order) {
  Ranked *ranked = RM_NEW_ARRAY(p->pool, Ranked, p->count);
  int32_t count = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    if (p->fixed[i] >= 0)
      continue;
    Ranked *r = &ranked[count++];
    r->item = i;
    for (int k = 0; k < 3; ++k)
      r->keys[k] = key_of(p, &rules[rule], rules[rule].keys[k], i);
  }
  qsort(ranked, (size_t)count, sizeof *ranked, compare);
  for (int32_t i = 0; i < count; ++i)
    order[i] = ranked[i].item;
  return count;
}
