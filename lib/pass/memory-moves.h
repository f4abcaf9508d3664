/* lib/pass/memory-moves.h - ops that read and write memory, earlier in their
 * block. */
#ifndef RM_PASS_MEMORY_MOVES_H
#define RM_PASS_MEMORY_MOVES_H

#include "pass/memory-uses.h"

typedef struct RmMemoryMoves {
  RmMemoryUses *uses;
  const RmMap *owned; /* has, as a key, each value that is a buffer which only
                         views of it share memory with */
} RmMemoryMoves;

/* Whether `op`, used in the block of `place` or inside, stands before it. */
bool rm_moves_is_before(MlirOperation op, MlirOperation place);

/* Whether a view can be made before `place`, by moving up the views and the
 * allocation that it is made of; and to do so. */
bool rm_moves_can_make(const RmMemoryMoves *m, MlirValue view,
                       MlirOperation place);
void rm_moves_make(MlirValue view, MlirOperation place);

/* Whether `op`, which stands behind `place` in its block, can run before it,
 * and after those of `earlier` that are going to. Few ops may lie between. */
bool rm_moves_can_run(const RmMemoryMoves *m, MlirOperation op,
                      MlirOperation place, const MlirOperation *earlier,
                      int num_earlier);
void rm_moves_run(MlirOperation op, MlirOperation place);

#endif
