/* lib/pass/memory-planner.h - what the files of remat-plan-memory share. */
#ifndef RM_PASS_MEMORY_PLANNER_H
#define RM_PASS_MEMORY_PLANNER_H

#include "memory/csv.h"
#include "memory/memory.h"
#include "pass/memory-lives.h"
#include "pass/passes.h"

/* One allocation: a whole space, or what `max-allocation` cuts from it. */
typedef struct RmArenaPart {
  int64_t begin, bytes; /* in its space; bytes: a multiple of the alignment,
                           for that is what allocators hand out */
  int32_t count;        /* buffers in it */
  MlirValue value;      /* in the IR */
} RmArenaPart;

/* The planned buffers of one memory space. */
typedef struct RmArena {
  RmIntVec members; /* numbers of allocations, of each set that shares the first
                       one only */
  RmBuffer *buffers;
  RmPlacement placement;
  int64_t alignment, bytes; /* bytes: of all parts */
  int64_t part_bytes;       /* no part is larger; 0: there is one part */
  MlirAttribute space;
  RM_VEC(RmArenaPart) parts;
} RmArena;

typedef struct RmMemoryFunction {
  MlirOperation op;
  int32_t first_call;  /* of it, in `calls`, or -1 */
  int64_t num_waiting; /* calls in it of functions not yet sorted */
  bool is_only_called; /* so that its type may change */
} RmMemoryFunction;

typedef struct RmMemoryCall {
  MlirOperation op;
  RmMemoryFunction *caller;
  int32_t next; /* of the same function, or -1 */
} RmMemoryCall;

/* The functions of a module, and who calls them. */
typedef struct RmMemoryCalls {
  RM_VEC(RmMemoryFunction) functions;
  RM_VEC(RmMemoryCall) calls;
  RmMap
      referred; /* hashes of the names that others than these calls refer to */
  RmMemoryFunction **order; /* callees first, but for the last ones, */
  size_t num_sorted;        /* which are on cycles or call what is */
} RmMemoryCalls;

typedef struct RmMemoryPlanner {
  RmPool *pool; /* of the function at hand */
  RmPassRun *run;
  MlirContext context;
  MlirOperation module, function;
  MlirSymbolTable functions;
  RmMemoryUses uses;
  RmMemoryLives lives;
  int32_t *shares;        /* by allocation: the first one of its set, which has
                             the bytes of all */
  int32_t *heirs;         /* by first of a set: the result that its last member
                             may be overwritten by, or -1 */
  int32_t *borrowed_from; /* by first of a set: the result that has them, or
                             -1; null without scratch=results */
  int64_t *borrowed_at;   /* and from which byte of it on */
  int64_t alignment, max_allocation, capacity;
  RmByteRange *reserved;
  int32_t num_reserved;
  int effort;
  bool forwards, in_place, scratch;
  bool lent; /* whoever calls `function` from outside lends the arena, */
  RmMemoryFunction *called; /* or each call of it here does; else null */
  RmMemoryCalls *calls;
  RmMap referred; /* hashes of the names that some op refers to */
  bool changed, wrote_lives;
  bool fills_splats;          /* a constant may be needed no more */
  const char *placement_path; /* null: we place */
  RmInstance given;           /* what that file says */
  RmMap given_ids;            /* hash of an id to its row */
} RmMemoryPlanner;

/* In the pool of the function at hand. */
const char *rm_memory_name(RmMemoryPlanner *p, MlirOperation function);

/*===-- memory-offsets.c --------------------------------------------------===*/

/* Fills `buffers`, of which the members have lives and alignments. */
RmMemoryProblem rm_memory_problem(RmMemoryPlanner *p, RmArena *arena);

/* Whether every buffer fits into an allocation; tells, if not. */
bool rm_memory_fits_allocations(RmMemoryPlanner *p, const RmArena *arena);

/* Settles the placement of arena `number` and its parts; false, with an error,
 * if that cannot be. */
bool rm_memory_place_arena(RmMemoryPlanner *p, RmArena *arena,
                           const RmMemoryProblem *problem, int32_t number);

/* Where member `i` lies. */
RmArenaPart *rm_memory_part_of(const RmArena *arena, int32_t i);

/*===-- memory-files.c ----------------------------------------------------===*/

/* False, with an error, if the file cannot be read. `pool` outlives the run. */
bool rm_memory_read_placement(RmMemoryPlanner *p, RmPool *pool);

/* Takes the offsets of arena `number` of the function from the file; false,
 * with an error, if it does not give them. */
bool rm_memory_take_placement(RmMemoryPlanner *p, RmArena *arena,
                              int32_t number);

/* Tells why that placement is `wrong`. */
void rm_memory_refuse_placement(RmMemoryPlanner *p, const RmArena *arena,
                                int32_t number, const char *wrong);

/* The lives in MiniMalloc's format, with the offsets we chose, if asked for. */
bool rm_memory_write_lives(RmMemoryPlanner *p, const RmArena *arenas,
                           int32_t count);

/*===-- memory-plain.c ----------------------------------------------------===*/

/* Ops that are copies and fills become such. */
void rm_memory_say_plainly(RmMemoryPlanner *p);

/* The number that all elements of a constant are; null if `get_global` gives no
 * such constant. */
MlirAttribute rm_memory_splat(RmMemoryPlanner *p, MlirOperation get_global);

/* A linalg.fill of `buffer` in place of an op that does the same. */
void rm_memory_replace_by_fill(MlirOperation place, MlirValue scalar,
                               MlirValue buffer);

/* Private constants that nobody reads any more go. */
void rm_memory_erase_constants(RmMemoryPlanner *p, RmPool *pool);

/*===-- memory-scalars.c --------------------------------------------------===*/

/* Who reads what is equal everywhere takes the scalar, if it can. */
void rm_memory_read_scalars(RmMemoryPlanner *p);

/*===-- memory-branches.c -------------------------------------------------===*/

/* What each branch makes and yields is one buffer. */
void rm_memory_join_branches(RmMemoryPlanner *p);

/*===-- memory-copies.c ---------------------------------------------------===*/

/* Computes what is only copied elsewhere where it is copied to. */
void rm_memory_forward_copies(RmMemoryPlanner *p);

/*===-- memory-in-place.c -------------------------------------------------===*/

/* Fills `shares` and `heirs`: results of elementwise ops get the bytes of an
 * operand that dies there. Lives and alignments of the first ones are those of
 * their sets.
 */
void rm_memory_share_in_place(RmMemoryPlanner *p);

/*===-- memory-scratch.c --------------------------------------------------===*/

/* Fills `borrowed_from`: temporaries go into results not yet written, those
 * that are alive where most bytes are first. */
void rm_memory_borrow_results(RmMemoryPlanner *p);

/*===-- memory-calls.c ----------------------------------------------------===*/

RmMemoryCalls *rm_memory_calls(MlirOperation module, MlirSymbolTable functions,
                               RmPool *pool);

/* Each call of the function at hand passes one more buffer. */
void rm_memory_lend_at_calls(RmMemoryPlanner *p, const RmArena *arena,
                             const RmArenaPart *part);

/*===-- write-arenas.c ----------------------------------------------------===*/

/* Every planned buffer becomes a view of its part, or of a result. */
void rm_memory_write_arenas(RmMemoryPlanner *p, RmArena *arenas, int32_t count);

/* A memref.alloc of the bytes of `part`, before `place`. */
MlirOperation rm_memory_allocate(RmMemoryPlanner *p, const RmArena *arena,
                                 const RmArenaPart *part, MlirOperation place);

#endif
