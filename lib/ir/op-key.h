/* lib/ir/op-key.h - ops that compute the same have the same key. */
#ifndef RM_IR_OP_KEY_H
#define RM_IR_OP_KEY_H

#include "support/map.h"

#include "mlir-c/IR.h"

/* The number of a value that is made outside: operand `i` of `reader`, which is
 * the op or one in its regions. */
typedef uint64_t (*RmNumberOf)(void *context, MlirOperation reader, intptr_t i,
                               MlirValue value);

/* A hash of everything that tells what the op computes: name, attributes,
 * types, what it reads by `number_of`, and the same of its regions, what they
 * capture included; never locations. Equal ops have equal keys; unequal ones
 * with a chance of 2^-64. `own` keeps the numbers of what regions define and
 * may serve for any number of ops. Keys hold in one process only. */
uint64_t rm_op_key(MlirOperation op, RmNumberOf number_of, void *context,
                   RmMap *own);

/* The same of a region alone. */
uint64_t rm_region_key(MlirRegion region, RmNumberOf number_of, void *context,
                       RmMap *own);

/* Mixes a number into a key. */
uint64_t rm_key_mix(uint64_t key, uint64_t number);

#endif
