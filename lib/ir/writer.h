/* lib/ir/writer.h - a block being rewritten, between the files that do it.
 *
 * What stands before the cursor is done; what stands from it on is still in the
 * order of the input. Each value has a slot, which holds the name it is read
 * under from here on. A clone starts with the operands that its original has by
 * then, so each new name is entered with the slot that it stands for.
 *
 * Invariant: what is put before the cursor reads only what stands there. */
#ifndef RM_IR_WRITER_H
#define RM_IR_WRITER_H

#include "ir/fences.h"
#include "ir/ir.h"

typedef struct RmWriteSlot {
  MlirValue name; /* the current one */
  int32_t place;  /* of the op that makes the value, or -1 */
  int32_t input;  /* the latest step that has the value for an input */
  bool made;      /* the name stands before the cursor */
} RmWriteSlot;

/* An op of the input's block. */
typedef struct RmWritePlace {
  MlirOperation op;
  int32_t home;    /* the graph op that has it for its root, or -1 */
  int32_t member;  /* the latest step that has it in its group */
  int32_t written; /* the latest step that wrote it */
  bool grouped;    /* it is in some group */
  bool placed;     /* it stands before the cursor */
} RmWritePlace;

/* What a fence's operand is, and what its result stands for. */
typedef struct RmFenced {
  MlirValue operand, result;
  int32_t slot;           /* that is read under the result's name; or -1: */
  MlirOperation replaced; /* an init of the step's group, not to be cloned */
} RmFenced;

typedef struct RmLentName {
  int32_t slot;
  MlirValue name, while_named;
  bool made;
} RmLentName;
typedef RM_VEC(RmLentName) RmLentNames;

typedef struct RmWriter {
  RmIr *ir;
  RmPool *pool;
  RmSchedule schedule;
  RmFences fences;
  RmRewrite done;
  MlirOperation cursor; /* never null: the terminator at the end */

  RmMap slot_of; /* MlirValue.ptr to slot; graph values come first */
  RM_VEC(RmWriteSlot) slots;
  RmMap place_of; /* MlirOperation.ptr to place */
  RM_VEC(RmWritePlace) places;

  RmMap operand_lists; /* those of fences so far: cse merges equal ones */
  RmMap fenced_as;     /* MlirValue.ptr to that of its newest fence result */
  RmFenced *fenced;    /* by RmFences.from */
  size_t next_fence, next_from;
  RmLentNames region, single, group; /* names to restore after each */

  int32_t step;           /* the one being written */
  bool again;             /* it is not its op's first run */
  uint8_t *ran;           /* by graph op */
  MlirOperation replaced; /* the init that a fence gives to this step */
  MlirValue replacement;  /* the same for an operand that only shapes */
} RmWriter;

/*===-- write-names.c -----------------------------------------------------===*/

/* The slot of a value under any of its names, or -1 (made in a region). */
int32_t rm_write_slot(const RmWriter *w, MlirValue value);

/* The place of an op of the input's block, or -1. */
int32_t rm_write_place(const RmWriter *w, MlirOperation op);

int32_t rm_write_add_slot(RmWriter *w, MlirValue value, int32_t place);

/* From here on the value of `slot` is read as `name`. */
void rm_write_set_name(RmWriter *w, int32_t slot, MlirValue name);

/* The same until `until` is restored. */
void rm_write_lend(RmWriter *w, int32_t slot, MlirValue name,
                   RmLentNames *until);
void rm_write_restore(RmWriter *w, RmLentNames *lent);

/* The results of `original` are read as those of `made`, itself or a clone. */
void rm_write_name_results(RmWriter *w, MlirOperation original,
                           MlirOperation made);

/* Puts a new op next. */
void rm_write_insert(RmWriter *w, MlirOperation op);

/* Puts an op of the input next. */
void rm_write_move_here(RmWriter *w, MlirOperation op);

/* Moves the cursor over ops of no group, constants, which stay in place. */
void rm_write_skip_constants(RmWriter *w);

/* The name to read `value` under; a constant is moved here if need be. */
MlirValue rm_write_name(RmWriter *w, MlirValue value);

/* Makes `op`, and all in its regions, read current names. */
void rm_write_read(RmWriter *w, MlirOperation op);

/* Notes what the op of a step reads and which ops are its group. */
void rm_write_enter_group(RmWriter *w, int32_t step);

/* Whether an op of the step's group makes the value of `slot`. */
bool rm_write_is_internal(const RmWriter *w, int32_t slot);

/* Whether the step's op has `value` for its shape only, so that the graph does
 * not count it as read (see ir.h). */
bool rm_write_only_shapes(const RmWriter *w, MlirValue value);

/* As rm_write_read for an op of the step's group. One that is moved or cloned
 * gets empty tensors for operands that only shape, so that these values need
 * not stay alive for it. */
void rm_write_read_step(RmWriter *w, MlirOperation op, MlirLocation where);

/*===-- write-fences.c ----------------------------------------------------===*/

/* Makes the fence that stands before this step and opens and closes regions. */
void rm_write_meet_fences(RmWriter *w);

/* cse merges fences with equal operands, and then what reads them. A fence
 * whose operands another one has reads that one's result instead. */
void rm_write_keep_fence_apart(RmWriter *w, MlirOperation fence);

#endif
