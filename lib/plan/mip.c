/* lib/plan/mip.c - bounds of programmes of whole decisions, by a solver.
 *
 * The solver is told to look only for solutions below `enough`. Mostly there
 * are none, which it shows much sooner than it finds the best. */

#include "plan/mip.h"
#include "support/vec.h"

#include <math.h>

typedef struct Term {
  int32_t variable;
  double factor;
} Term;

typedef struct Row {
  int32_t end; /* of its terms */
  double lower, upper;
} Row;

typedef struct Variable {
  int64_t cost;
  bool whole, is_one;
} Variable;

struct RmMip {
  RmPool *pool;
  RM_VEC(Variable) variables;
  RM_VEC(Row) rows;
  RM_VEC(Term) terms;
};

RmMip *rm_mip_create(RmPool *pool) {
  RmMip *mip = RM_NEW(pool, RmMip);
  mip->pool = pool;
  return mip;
}

int32_t rm_mip_variable(RmMip *mip, int64_t cost, bool whole) {
  Variable v = {cost, whole, false};
  rm_vec_push(mip->pool, &mip->variables, v);
  return (int32_t)mip->variables.count - 1;
}

void rm_mip_fix_at_one(RmMip *mip, int32_t variable) {
  mip->variables.items[variable].is_one = true;
}

void rm_mip_term(RmMip *mip, int32_t variable, double factor) {
  Term term = {variable, factor};
  rm_vec_push(mip->pool, &mip->terms, term);
}

void rm_mip_row(RmMip *mip, double lower, double upper) {
  Row row = {(int32_t)mip->terms.count, lower, upper};
  rm_vec_push(mip->pool, &mip->rows, row);
}

int64_t rm_mip_size(const RmMip *mip) {
  return (int64_t)mip->terms.count + 30 * (int64_t)mip->variables.count;
}

#ifdef REMAT_HAVE_CBC

#include <coin/Cbc_C_Interface.h>

#include <inttypes.h>
#include <stdio.h>

bool rm_mip_is_there(void) { return true; }

/* The columns of the matrix. */
typedef struct Columns {
  CoinBigIndex *starts;
  int *rows;
  double *factors;
} Columns;

static Columns turn_into_columns(const RmMip *mip, RmPool *pool) {
  size_t count = mip->variables.count, terms = mip->terms.count;
  Columns c = {RM_NEW_ARRAY(pool, CoinBigIndex, count + 2),
               RM_NEW_ARRAY(pool, int, terms + 1),
               RM_NEW_ARRAY(pool, double, terms + 1)};
  CoinBigIndex *at = c.starts + 1; /* moves to the columns' ends */
  for (size_t i = 0; i < terms; ++i)
    ++at[mip->terms.items[i].variable + 1];
  for (size_t i = 0; i < count; ++i)
    at[i + 1] += at[i];
  size_t term = 0;
  for (size_t row = 0; row < mip->rows.count; ++row)
    for (; (int32_t)term < mip->rows.items[row].end; ++term) {
      CoinBigIndex place = at[mip->terms.items[term].variable]++;
      c.rows[place] = (int)row;
      c.factors[place] = mip->terms.items[term].factor;
    }
  return c;
}

typedef struct Ends {
  double *lower, *upper;
} Ends;

static Ends ends_of_rows(const RmMip *mip, RmPool *pool) {
  Ends e = {RM_NEW_ARRAY(pool, double, mip->rows.count + 1),
            RM_NEW_ARRAY(pool, double, mip->rows.count + 1)};
  for (size_t i = 0; i < mip->rows.count; ++i) {
    e.lower[i] = mip->rows.items[i].lower;
    e.upper[i] = mip->rows.items[i].upper;
  }
  return e;
}

static Cbc_Model *load(const RmMip *mip, int64_t unit, RmPool *pool) {
  size_t count = mip->variables.count;
  Cbc_Model *model = Cbc_newModel();
  Columns c = turn_into_columns(mip, pool);
  Ends rows = ends_of_rows(mip, pool);
  double *lower = RM_NEW_ARRAY(pool, double, count + 1);
  double *upper = RM_NEW_ARRAY(pool, double, count + 1);
  double *cost = RM_NEW_ARRAY(pool, double, count + 1);
  for (size_t i = 0; i < count; ++i) {
    const Variable *v = &mip->variables.items[i];
    lower[i] = v->is_one;
    upper[i] = 1;
    cost[i] = (double)(v->cost / unit);
  }
  Cbc_loadProblem(model, (int)count, (int)mip->rows.count, c.starts, c.rows,
                  c.factors, lower, upper, cost, rows.lower, rows.upper);
  for (size_t i = 0; i < count; ++i)
    if (mip->variables.items[i].whole)
      Cbc_setInteger(model, (int)i);
  return model;
}

/* The interface takes numbers as text. */
static void set_limits(Cbc_Model *model, int64_t enough, int32_t nodes) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64 ".5", enough - 1);
  Cbc_setParameter(model, "cutoff", text);
  snprintf(text, sizeof text, "%" PRId32, nodes);
  Cbc_setParameter(model, "maxNodes", text);
  Cbc_setParameter(model, "log", "0");
  Cbc_setParameter(model, "heur", "off"); /* mostly there is nothing to find */
  Cbc_setParameter(model, "gomory", "off"); /* the least exact of the cuts */
  Cbc_setParameter(model, "probing", "forceOnStrong");
}

/* What is proved, lowered by more than the solver's tolerances unless it is
 * that there is nothing below `enough`. */
static int64_t read_bound(Cbc_Model *model, int64_t enough) {
  if (Cbc_isProvenInfeasible(model))
    return enough;
  if (Cbc_isAbandoned(model))
    return 0;
  double least = Cbc_getBestPossibleObjValue(model);
  double bound = ceil(least - 1e-4 - 1e-7 * fabs(least));
  if (!(bound > 0))
    return 0;
  return bound < (double)enough ? (int64_t)bound : enough;
}

static bool has_decisions(const RmMip *mip) {
  for (size_t i = 0; i < mip->variables.count; ++i)
    if (mip->variables.items[i].whole && !mip->variables.items[i].is_one)
      return true;
  return false;
}

int64_t rm_mip_bound(const RmMip *mip, int64_t enough, int32_t nodes) {
  if (!has_decisions(mip))
    return 0; /* Cbc is of no use there */
  int64_t unit = (enough >> 40) + 1;
  RmPool *pool = rm_pool_branch(mip->pool);
  Cbc_Model *model = load(mip, unit, pool);
  rm_pool_destroy(pool);
  set_limits(model, enough / unit, nodes);
  Cbc_solve(model);
  int64_t bound = read_bound(model, enough / unit) * unit;
  Cbc_deleteModel(model);
  return bound;
}

#else

bool rm_mip_is_there(void) { return false; }

int64_t rm_mip_bound(const RmMip *mip, int64_t enough, int32_t nodes) {
  (void)mip, (void)enough, (void)nodes;
  return 0;
}

#endif
