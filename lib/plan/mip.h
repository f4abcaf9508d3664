/* lib/plan/mip.h - bounds of programmes of whole decisions, by a solver.
 *
 * Least cost over variables from 0 to 1, most of them whole, under rows
 * `lower <= sum of factors times variables <= upper`. Costs are integers, so
 * that what whole solutions cost is one.
 *
 *     RmMip *mip = rm_mip_create(pool);
 *     int32_t x = rm_mip_variable(mip, 7, true), y = ...;
 *     rm_mip_term(mip, x, 1), rm_mip_term(mip, y, 1);
 *     rm_mip_row(mip, 1, RM_MIP_FREE);
 *     if (rm_mip_is_there())
 *       bound = rm_mip_bound(mip, enough, nodes);
 *
 * The solver is Cbc, where the build found it: one thread, its tree limited by
 * nodes, never by time, so that an answer does not depend on the machine's
 * speed. It computes in doubles. What is asked of it is therefore said so that
 * rounding cannot hurt: an upper end is loosened beyond its tolerances, costs
 * that would need more than 40 bits are rounded down, and a bound that is not
 * a proof of "no solution below this integer" is lowered before it is rounded
 * up. */
#ifndef RM_PLAN_MIP_H
#define RM_PLAN_MIP_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

#define RM_MIP_FREE 1e30 /* no upper end; negative: no lower end */

typedef struct RmMip RmMip;

RmMip *rm_mip_create(RmPool *pool);

/* A variable from 0 to 1 with its cost, >= 0; its number is returned. */
int32_t rm_mip_variable(RmMip *mip, int64_t cost, bool whole);

void rm_mip_fix_at_one(RmMip *mip, int32_t variable);

/* A term of the row that rm_mip_row closes; a variable comes once in a row. */
void rm_mip_term(RmMip *mip, int32_t variable, double factor);
void rm_mip_row(RmMip *mip, double lower, double upper);

/* How large it is: terms in all rows, and 30 for each variable. */
int64_t rm_mip_size(const RmMip *mip);

/* Whether there is a solver. */
bool rm_mip_is_there(void);

/* The least cost if nothing need be whole, and how much of each variable that
 * takes; null if that was not found within so many iterations, from which those
 * that were needed are taken. Good for finding rows that are missing, not for
 * proofs. Begins where the last call ended, with the rows added since. */
const double *rm_mip_relax(RmMip *mip, int64_t *iterations, double *cost);

/* Takes out the rows from number `first` on that bind nothing in what
 * rm_mip_relax found last. */
void rm_mip_drop_slack(RmMip *mip, int32_t first);

int32_t rm_mip_rows(const RmMip *mip);

/* No solution costs less than this, at most `enough`, for no more is asked;
 * found within so many nodes of the tree. 0 without a solver. */
int64_t rm_mip_bound(const RmMip *mip, int64_t enough, int32_t nodes);

#endif
