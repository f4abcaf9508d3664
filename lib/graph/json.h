/* lib/graph/json.h - graphs as JSON, in two forms.
 *
 * The whole form:
 *   {"arguments": [bytes...],
 *    "ops": [{"cost": c, "workspace": w, "inputs": [values...],
 *             "results": [bytes | {"view": value}...],
 *             "recomputable": true}...],
 *    "returned": [values...]}
 * Values are numbered as in RmGraph: arguments first, then results in order.
 * The short form, as public benchmarks have it: every node is recomputable and
 * has one result:
 *   {"nodes": [[cost, bytes]...], "edges": [[from, to]...]} */
#ifndef RM_GRAPH_JSON_H
#define RM_GRAPH_JSON_H

#include "graph/graph.h"

/* Reads either form. Null if the text is no such graph; `*error` then says
 * why, in the pool. */
RmGraph *rm_graph_from_json(const char *text, RmPool *pool, const char **error);

/* The whole form, in the pool. Numbers above 2^53 lose digits. */
char *rm_graph_to_json(const RmGraph *graph, RmPool *pool);

#endif
