/* lib/plan/mip.c - bounds of programmes of whole decisions, by a solver.
 *
 * The solver is told to look only for solutions below `enough`. Mostly there
 * are none, which it shows much sooner than it finds the best. */

#include "plan/mip.h"
#include "support/vec.h"

#include <math.h>
#include <string.h>

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
  double *relaxed; /* by variable: found by the last rm_mip_relax; null: none */
  unsigned char *basis; /* where it ended; null: nowhere yet */
  size_t basis_size;
  bool begins; /* the next one begins at the basis */
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

int32_t rm_mip_rows(const RmMip *mip) { return (int32_t)mip->rows.count; }

/*===-- Rows that bind nothing --------------------------------------------===*/

static bool binds(const RmMip *mip, int32_t term, const Row *row) {
  double sum = 0;
  for (; term < row->end; ++term)
    sum += mip->terms.items[term].factor *
           mip->relaxed[mip->terms.items[term].variable];
  return sum < row->lower + 1e-5 || sum > row->upper - 1e-5;
}

void rm_mip_drop_slack(RmMip *mip, int32_t first) {
  int32_t rows = first, term = first ? mip->rows.items[first - 1].end : 0;
  int32_t kept = term;
  for (int32_t i = first; mip->relaxed && i < rm_mip_rows(mip); ++i) {
    Row row = mip->rows.items[i];
    bool stays = binds(mip, term, &row);
    for (; term < row.end; ++term)
      if (stays)
        mip->terms.items[kept++] = mip->terms.items[term];
    row.end = kept;
    if (stays)
      mip->rows.items[rows++] = row;
  }
  if (!mip->relaxed)
    return;
  mip->rows.count = (size_t)rows;
  mip->terms.count = (size_t)kept;
  mip->basis = NULL;
}

#ifdef REMAT_HAVE_CBC

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

/* Passes run on many threads, and Cbc, which reads its parameters as a command
 * line, does not promise that it may, too. */
static pthread_mutex_t solver = PTHREAD_MUTEX_INITIALIZER;

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

/* All that a solver is told, so that no memory is asked for while it is at
 * work: what asks may not come back. */
typedef struct Told {
  int columns, rows;
  Columns matrix;
  Ends row;
  double *lower, *upper, *cost;
} Told;

static Told write_down(const RmMip *mip, int64_t unit, RmPool *pool) {
  size_t count = mip->variables.count;
  Told t = {(int)count, (int)mip->rows.count, turn_into_columns(mip, pool),
            ends_of_rows(mip, pool)};
  t.lower = RM_NEW_ARRAY(pool, double, count + 1);
  t.upper = RM_NEW_ARRAY(pool, double, count + 1);
  t.cost = RM_NEW_ARRAY(pool, double, count + 1);
  for (size_t i = 0; i < count; ++i) {
    const Variable *v = &mip->variables.items[i];
    t.lower[i] = v->is_one;
    t.upper[i] = 1;
    t.cost[i] = (double)(v->cost / unit);
  }
  return t;
}

/*===-- Whole -------------------------------------------------------------===*/

static Cbc_Model *load(const RmMip *mip, const Told *t) {
  Cbc_Model *model = Cbc_newModel();
  Cbc_loadProblem(model, t->columns, t->rows, t->matrix.starts, t->matrix.rows,
                  t->matrix.factors, t->lower, t->upper, t->cost, t->row.lower,
                  t->row.upper);
  for (int i = 0; i < t->columns; ++i)
    if (mip->variables.items[i].whole)
      Cbc_setInteger(model, i);
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
  Told told = write_down(mip, unit, pool);
  pthread_mutex_lock(&solver);
  Cbc_Model *model = load(mip, &told);
  set_limits(model, enough / unit, nodes);
  Cbc_solve(model);
  int64_t bound = read_bound(model, enough / unit) * unit;
  Cbc_deleteModel(model);
  pthread_mutex_unlock(&solver);
  rm_pool_destroy(pool);
  return bound;
}

/*===-- Not whole ---------------------------------------------------------===*/

enum { BASIC = 1 }; /* what the solver calls it */

/* Columns, then rows; rows added since the last call are basic. */
static void make_basis(RmMip *mip, const Told *told) {
  size_t size = (size_t)told->columns + (size_t)told->rows;
  unsigned char *basis =
      memset(rm_pool_alloc(mip->pool, size + 1), BASIC, size + 1);
  if (mip->basis)
    memcpy(basis, mip->basis, mip->basis_size);
  mip->begins = mip->basis != NULL;
  mip->basis = basis;
  mip->basis_size = size;
}

static Clp_Simplex *load_relaxed(const RmMip *mip, const Told *t) {
  Clp_Simplex *model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, t->columns, t->rows, t->matrix.starts, t->matrix.rows,
                  t->matrix.factors, t->lower, t->upper, t->cost, t->row.lower,
                  t->row.upper);
  if (mip->begins)
    Clp_copyinStatus(model, mip->basis);
  return model;
}

/* Whether there is an answer. */
static bool run_relaxed(RmMip *mip, const Told *told, int64_t *iterations,
                        double *cost) {
  pthread_mutex_lock(&solver);
  Clp_Simplex *model = load_relaxed(mip, told);
  int most = *iterations < INT32_MAX ? (int)*iterations : INT32_MAX;
  Clp_setMaximumIterations(model, most);
  Clp_dual(model, 0);
  bool is_solved = Clp_status(model) == 0;
  *iterations -= Clp_numberIterations(model);
  *cost = Clp_objectiveValue(model);
  if (is_solved) {
    memcpy(mip->basis, Clp_statusArray(model), mip->basis_size);
    memcpy(mip->relaxed, Clp_primalColumnSolution(model),
           mip->variables.count * sizeof *mip->relaxed);
  }
  Clp_deleteModel(model);
  pthread_mutex_unlock(&solver);
  return is_solved;
}

const double *rm_mip_relax(RmMip *mip, int64_t *iterations, double *cost) {
  RmPool *pool = rm_pool_branch(mip->pool);
  Told told = write_down(mip, 1, pool);
  make_basis(mip, &told);
  if (!mip->relaxed)
    mip->relaxed = RM_NEW_ARRAY(mip->pool, double, mip->variables.count);
  bool is_solved = run_relaxed(mip, &told, iterations, cost);
  rm_pool_destroy(pool);
  return is_solved ? mip->relaxed : NULL;
}

#else

const double *rm_mip_relax(RmMip *mip, int64_t *iterations, double *cost) {
  (void)mip, (void)iterations, (void)cost;
  return NULL;
}

bool rm_mip_is_there(void) { return false; }

int64_t rm_mip_bound(const RmMip *mip, int64_t enough, int32_t nodes) {
  (void)mip, (void)enough, (void)nodes;
  return 0;
}

#endif
