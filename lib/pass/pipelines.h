/* lib/pass/pipelines.h - the functions behind the table of pipelines. Each
 * writes its list of passes, allocated with malloc; null after it wrote what is
 * wrong with the options into `error`. */
#ifndef RM_PASS_PIPELINES_H
#define RM_PASS_PIPELINES_H

#include "shim/shim.h"

char *rm_pipeline_to_arena(RmPassRun *options, char *error, int room);
char *rm_pipeline_to_cpu(RmPassRun *options, char *error, int room);

#endif
