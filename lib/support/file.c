/* lib/support/file.c - a whole file as text. */
#include "support/file.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdio.h>

enum { PIECE = 65536 };

char *rm_read_file(const char *path, RmPool *pool) {
  RM_VEC(char) text = {0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t got = 1;
  while (got) {
    rm_vec_reserve(pool, &text, text.count + PIECE);
    got =
        fread(text.items + text.count, 1, text.capacity - text.count - 1, file);
    text.count += got;
  }
  text.items[text.count] = '\0';
  bool failed = ferror(file);
  fclose(file);
  return failed ? NULL : text.items;
}
