/* include/remat/dialect.h - the dialect, for users of MLIR's C API.
 *
 *     mlirDialectHandleInsertDialect(mlirGetDialectHandle__remat__(),
 * registry);
 *
 * Its ops bufferize as identities wherever the dialect is loaded. The ops and
 * attributes are described in docs/dialect.md. */
#ifndef REMAT_DIALECT_H
#define REMAT_DIALECT_H

#include "remat/export.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A handle that is valid for ever; any thread. */
REMAT_EXPORT MlirDialectHandle mlirGetDialectHandle__remat__(void);

#ifdef __cplusplus
}
#endif
#endif
