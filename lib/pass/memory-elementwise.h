/* lib/pass/memory-elementwise.h - linalg ops on memrefs that may work in place.
 */
#ifndef RM_PASS_MEMORY_ELEMENTWISE_H
#define RM_PASS_MEMORY_ELEMENTWISE_H

#include "pass/memory-uses.h"

/* The indexing maps of a linalg op that reduces nothing and uses no memory but
 * its operands; null for any other op. */
MlirAttribute rm_elementwise_maps(MlirOperation op);

/* Whether operand `i` is used at the index that the op is at. */
bool rm_elementwise_is_at_index(MlirAttribute maps, intptr_t i);

/* Whether the op uses the memory of `value` through `value` alone, and each
 * element only when it is at its index. */
bool rm_elementwise_uses_in_place(RmMemoryUses *uses, MlirOperation op,
                                  MlirAttribute maps, MlirValue value);

#endif
