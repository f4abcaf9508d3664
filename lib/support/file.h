/* lib/support/file.h - a whole file as text. */
#ifndef RM_SUPPORT_FILE_H
#define RM_SUPPORT_FILE_H

#include "support/pool.h"

/* The bytes of the file and a zero behind them, in the pool; null if it cannot
 * be read, and errno says why. */
char *rm_read_file(const char *path, RmPool *pool);

#endif
