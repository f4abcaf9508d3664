/* lib/pass/memory-visit.h - what a walk through a function notes of its
 * memrefs, for memory-lives.c to follow. */
#ifndef RM_PASS_MEMORY_VISIT_H
#define RM_PASS_MEMORY_VISIT_H

#include "pass/memory-lives.h"

enum { RM_FOREIGN = 0, RM_NONE = -1 }; /* the root of memrefs from elsewhere */

typedef struct RmLivesScope { /* an op with regions that runs them in place */
  int32_t parent;
  bool is_loop;
  int64_t begin, end;
} RmLivesScope;

typedef struct RmLivesRoot {
  int32_t allocation; /* RM_NONE for the foreign one */
  int32_t scope;
  int64_t begin;
  int64_t first, last; /* of `begin` and where block arguments that may be it
                          stand */
} RmLivesRoot;

typedef struct RmLivesCycle { /* from a block to one that branches back to it */
  int64_t begin, end;
} RmLivesCycle;

typedef struct RmLivesEdge {
  int32_t from, to;
  int32_t loop;  /* what passes leaves an iteration of this scope, or RM_NONE */
  int32_t cycle; /* or goes around this cycle, or RM_NONE */
  int32_t next;  /* with the same `from`, or RM_NONE */
} RmLivesEdge;

typedef struct RmLivesValue {
  int32_t first_edge;
  int64_t home; /* of an argument of a block that is branched to, or RM_NONE */
  RmIntVec roots;
} RmLivesValue;

typedef struct RmLivesTouch {
  MlirOperation op;
  int32_t value, scope;
  int64_t begin, end;
} RmLivesTouch;

typedef struct RmLivesEscape {
  int32_t value;
  const char *why;
} RmLivesEscape;

typedef struct RmLivesFree {
  int32_t value;
  MlirOperation op;
} RmLivesFree;

typedef struct RmLivesWork {
  RmPool *pool;
  RmMemoryUses *uses;
  MlirSymbolTable functions;
  RmMemoryLives result;
  RmMap numbers; /* of values, by pointer */
  RM_VEC(RmLivesValue) values;
  RM_VEC(RmLivesEdge) edges;
  RM_VEC(RmLivesRoot) roots;
  RM_VEC(RmLivesScope) scopes;
  RM_VEC(RmLivesTouch) touches;
  RM_VEC(RmLivesEscape) escapes;
  RM_VEC(RmLivesFree) frees;
  RM_VEC(RmLivesCycle) cycles;
  int64_t position;
  int64_t total; /* bytes of all that can be planned, one by one */
} RmLivesWork;

/* Notes all of `function` in `l`, of which the pool, the uses and the functions
 * are set. Lent results are roots if `with_results`. */
void rm_lives_visit(RmLivesWork *l, MlirOperation function, bool with_results);

#endif
