/* lib/model/tables.c - from an op's name to its row. */
#include "model/table.h"

#include <stdlib.h>
#include <string.h>

const RmOpTable *const rm_op_tables[] = {
    &rm_arith_ops,  &rm_bufferization_ops, &rm_chlo_ops,   &rm_func_ops,
    &rm_linalg_ops, &rm_math_ops,          &rm_memref_ops, &rm_remat_ops,
    &rm_scf_ops,    &rm_stablehlo_ops,     &rm_tensor_ops, &rm_util_ops,
};
const int rm_num_op_tables = sizeof rm_op_tables / sizeof *rm_op_tables;

/* `name` is no C string: it ends after `length` bytes. */
static int compare(const char *name, size_t length, const char *other) {
  int order = strncmp(name, other, length);
  return order ? order : -(other[length] != '\0');
}

static const RmOpTable *find_table(const char *dialect, size_t length) {
  for (int i = 0; i < rm_num_op_tables; ++i)
    if (!compare(dialect, length, rm_op_tables[i]->dialect))
      return rm_op_tables[i];
  return NULL;
}

static int compare_row(const void *name, const void *row) {
  const MlirStringRef *key = name;
  return compare(key->data, key->length, ((const RmOpRow *)row)->name);
}

const RmOpRow *rm_op_row(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *dot = memchr(name.data, '.', name.length);
  if (!dot)
    return NULL;
  size_t length = (size_t)(dot - name.data);
  const RmOpTable *table = find_table(name.data, length);
  if (!table)
    return NULL;
  MlirStringRef rest = {dot + 1, name.length - length - 1};
  return bsearch(&rest, table->rows, (size_t)table->count, sizeof *table->rows,
                 compare_row);
}
