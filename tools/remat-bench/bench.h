/* tools/remat-bench/bench.h - what the subcommands share. */
#ifndef REMAT_BENCH_BENCH_H
#define REMAT_BENCH_BENCH_H

#include "support/pool.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* 0: all went well; 1: a plan or placement is wrong, or the answer to the
 * question that was put is no; 2: something could not be read. */
enum { ALL_WELL, WRONG, UNUSABLE };

int bench_plan(int argc, char **argv);
int bench_memory(int argc, char **argv);

/*===-- The command line --------------------------------------------------===*/

/* How one subcommand takes its words. */
typedef struct WordTaker {
  void *options;
  bool (*take_flag)(void *options, const char *name); /* false: none of ours */
  bool (*take_value)(void *options, const char *name, const char *value);
  void (*take_file)(void *options, const char *path);
} WordTaker;

/* `--name`, `--name value`, `--name=value` and files, in any order. False after
 * a message. */
bool words_take(const WordTaker *taker, int argc, char **argv);

/* Prints "remat-bench: WHAT 'WORD'; --help lists the options"; false. */
bool refuse(const char *what, const char *word);

/* False after a message that names the option. */
bool number_read(const char *option, const char *word, int64_t least,
                 int64_t most, int64_t *number);

/* The words between commas, in the pool; none of them is empty. False after a
 * message that names the option. */
typedef RM_VEC(const char *) Words;
bool list_read(const char *option, const char *text, Words *words,
               RmPool *pool);

/* `0..3` between commas. */
bool efforts_read(const char *option, const char *text, RmIntVec *efforts,
                  RmPool *pool);

/*===-- Files and clocks --------------------------------------------------===*/

/* The text of a file; null after a message. */
char *file_read(const char *path, RmPool *pool);

/* `a/b/name.json` is `name` where `ending` is ".json". */
const char *name_of_file(const char *path, const char *ending, RmPool *pool);

/* Processor time of this thread, in seconds. */
double seconds_now(void);

/* What is being done, on stderr: on a terminal one line that is overwritten. */
void progress_show(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Before anything else is printed. */
void progress_clear(void);

/* (a - b) / b in per cent, "-" if b is 0. */
const char *percent_over(int64_t a, int64_t b, RmPool *pool);

#endif
