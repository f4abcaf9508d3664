/* tools/remat-run/npy.c - reads an array that NumPy saved.
 *
 * Versions 1 to 3 of the format, C order, little endian, of exactly the type
 * and shape the argument has: nothing is converted. bf16 is saved as <u2 or
 * as two raw bytes (|V2). */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(const char *path, const char *what) {
  fprintf(stderr, "remat-run: %s: %s\n", path, what);
  return false;
}

/* What follows `'key':` in the header, or null. */
static const char *value_of(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at || !(at = strchr(at + strlen(key), ':')))
    return NULL;
  return at + 1 + strspn(at + 1, " ");
}

static bool has_type(const char *header, Element element) {
  const char *value = value_of(header, "'descr'");
  if (!value || *value != '\'')
    return false;
  const char *wanted = elements[element].npy;
  size_t length = strlen(wanted);
  if (element == ELEMENT_BF16 && !strncmp(value + 1, "|V2'", 4))
    return true;
  if (!elements[element].is_float && element != ELEMENT_I1 &&
      value[1] == wanted[0] && value[2] == 'u' &&
      !strncmp(value + 3, wanted + 2, length - 2))
    return true; /* signedness is the program's */
  return !strncmp(value + 1, wanted, length) && value[1 + length] == '\'';
}

static bool has_shape(const char *header, const Slot *slot) {
  const char *value = value_of(header, "'shape'");
  if (!value || *value++ != '(')
    return false;
  for (int i = 0; i < slot->rank; ++i) {
    char *end;
    if (strtoll(value, &end, 10) != slot->shape[i] || end == value)
      return false;
    value = end + strspn(end, ", ");
  }
  return *value == ')';
}

static bool is_c_order(const char *header, const Slot *slot) {
  const char *value = value_of(header, "'fortran_order'");
  return value && (slot->rank < 2 || !strncmp(value, "False", 5));
}

/* The header's text, to be freed; null if the file is no .npy file. */
static char *read_header(FILE *file) {
  unsigned char start[12];
  if (fread(start, 1, 8, file) != 8 || memcmp(start, "\x93NUMPY", 6))
    return NULL;
  size_t width = start[6] == 1 ? 2 : 4, length = 0;
  if (start[6] < 1 || start[6] > 3 || fread(start, 1, width, file) != width)
    return NULL;
  for (size_t i = 0; i < width; ++i)
    length |= (size_t)start[i] << (8 * i);
  char *header = length > 1 << 20 ? NULL : calloc(length + 1, 1);
  if (header && fread(header, 1, length, file) != length) {
    free(header);
    header = NULL;
  }
  return header;
}

static bool read_array(FILE *file, const char *path, const Slot *slot,
                       void *buffer) {
  char *header = read_header(file);
  if (!header)
    return refuse(path, "not a .npy file");
  const char *problem = NULL;
  if (!has_type(header, slot->element))
    problem = "its type is not that of the argument";
  else if (!has_shape(header, slot))
    problem = "its shape is not that of the argument";
  else if (!is_c_order(header, slot))
    problem = "it is in Fortran order";
  else if (fread(buffer, 1, slot->bytes, file) != slot->bytes)
    problem = "it ends too early";
  free(header);
  return problem ? refuse(path, problem) : true;
}

bool npy_read(const char *path, const Slot *slot, void *buffer) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return refuse(path, "cannot be opened");
  bool read = read_array(file, path, slot, buffer);
  fclose(file);
  return read;
}
