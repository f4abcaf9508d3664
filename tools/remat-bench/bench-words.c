/* tools/remat-bench/bench-words.c - the command line, files and clocks. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*===-- The command line --------------------------------------------------===*/

bool refuse(const char *what, const char *word) {
  fprintf(stderr, "remat-bench: %s '%s'; --help lists the options\n", what,
          word);
  return false;
}

/* `*i` is moved behind what was taken. */
static bool take_option(const WordTaker *taker, int argc, char **argv, int *i) {
  char *word = argv[*i];
  if (taker->take_flag(taker->options, word))
    return true;
  char *equals = strchr(word, '=');
  if (equals) {
    *equals = 0;
    return taker->take_value(taker->options, word, equals + 1);
  }
  if (*i + 1 == argc)
    return refuse("unknown option, or one without its value:", word);
  return taker->take_value(taker->options, word, argv[++*i]);
}

bool words_take(const WordTaker *taker, int argc, char **argv) {
  for (int i = 0; i < argc; ++i) {
    if (argv[i][0] != '-')
      taker->take_file(taker->options, argv[i]);
    else if (!take_option(taker, argc, argv, &i))
      return false;
  }
  return true;
}

bool number_read(const char *option, const char *word, int64_t least,
                 int64_t most, int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(word, &end, 10);
  if (!errno && end != word && !*end && value >= least && value <= most) {
    *number = value;
    return true;
  }
  fprintf(stderr, "remat-bench: %s needs a whole number of at least %" PRId64,
          option, least);
  if (most < INT32_MAX)
    fprintf(stderr, " and at most %" PRId64, most);
  fprintf(stderr, ", not '%s'\n", word);
  return false;
}

bool list_read(const char *option, const char *text, Words *words,
               RmPool *pool) {
  char *at = rm_pool_strdup(pool, text);
  while (at) {
    char *comma = strchr(at, ',');
    if (comma)
      *comma = 0;
    if (!*at) {
      fprintf(stderr, "remat-bench: %s has an empty place: '%s'\n", option,
              text);
      return false;
    }
    rm_vec_push(pool, words, at);
    at = comma ? comma + 1 : NULL;
  }
  return true;
}

bool efforts_read(const char *option, const char *text, RmIntVec *efforts,
                  RmPool *pool) {
  Words words = {0};
  int64_t effort;
  efforts->count = 0;
  if (!list_read(option, text, &words, pool))
    return false;
  for (size_t i = 0; i < words.count; ++i) {
    if (!number_read(option, words.items[i], 0, 3, &effort))
      return false;
    rm_vec_push(pool, efforts, (int32_t)effort);
  }
  return true;
}

/*===-- Files -------------------------------------------------------------===*/

static char *read_all(FILE *file, RmPool *pool) {
  RM_VEC(char) text = {0};
  size_t got;
  do {
    rm_vec_reserve(pool, &text, text.count + (1 << 16));
    got = fread(text.items + text.count, 1, (1 << 16) - 1, file);
    text.count += got;
  } while (got);
  return ferror(file) ? NULL : text.items;
}

char *file_read(const char *path, RmPool *pool) {
  FILE *file = fopen(path, "rb");
  char *text = file ? read_all(file, pool) : NULL;
  if (!text)
    fprintf(stderr, "remat-bench: %s: cannot be read: %s\n", path,
            strerror(errno));
  if (file)
    fclose(file);
  return text;
}

const char *name_of_file(const char *path, const char *ending, RmPool *pool) {
  const char *slash = strrchr(path, '/');
  char *name = rm_pool_strdup(pool, slash ? slash + 1 : path);
  size_t length = strlen(name), tail = strlen(ending);
  if (length > tail && !strcmp(name + length - tail, ending))
    name[length - tail] = 0;
  return name;
}

/*===-- Clocks and progress -----------------------------------------------===*/

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_show(const char *format, ...) {
  va_list args;
  progress_clear();
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  if (!isatty(STDERR_FILENO))
    fputc('\n', stderr);
  fflush(stderr);
}

void progress_clear(void) {
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}

const char *percent_over(int64_t a, int64_t b, RmPool *pool) {
  if (!b)
    return "-";
  return rm_pool_printf(pool, "%.3f",
                        100.0 * ((double)a - (double)b) / (double)b);
}
