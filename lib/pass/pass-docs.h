/* lib/pass/pass-docs.h - the reference page of passes. */
#ifndef RM_PASS_PASS_DOCS_H
#define RM_PASS_PASS_DOCS_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes docs/passes.md. */
void rm_docs_write(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
