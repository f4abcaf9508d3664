/* lib/ir/readers.h - who reads what a step makes. */
#ifndef RM_IR_READERS_H
#define RM_IR_READERS_H

#include "graph/graph.h"

typedef struct RmReader {
  int32_t step; /* that reads; the schedule's count for the function's return */
  int32_t value;
} RmReader;

/* Of step s: items[first[s]] up to items[first[s + 1]], ascending by step. */
typedef struct RmReaders {
  int32_t *first;
  RmReader *items;
} RmReaders;

RmReaders rm_readers_find(const RmGraph *graph, const RmSchedule *schedule,
                          RmPool *pool);

#endif
