/* lib/graph/json.c - graphs as JSON, in two forms.
 *
 * cJSON reads and prints; here its tree is checked and turned into a graph.
 * Reading trusts nothing: each number is looked at before it is used. */
#include "graph/json.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

typedef struct Reader {
  RmGraph *graph;
  RmPool *pool;
  const char *error; /* the first one */
} Reader;

static bool fail(Reader *reader, const char *what) {
  if (!reader->error)
    reader->error = what;
  return false;
}

static const double largest_exact = 9007199254740992.0; /* 2^53 */

static bool read_number(Reader *reader, const cJSON *item, int64_t limit,
                        int64_t *number) {
  if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
      item->valuedouble > largest_exact ||
      item->valuedouble != (double)(int64_t)item->valuedouble)
    return fail(reader, "expected a whole number that is not negative");
  *number = (int64_t)item->valuedouble;
  if (*number >= limit)
    return fail(reader, "a value is read that no earlier op makes");
  return true;
}

/* A field that may be missing. */
static bool read_field(Reader *reader, const cJSON *object, const char *name,
                       int64_t *number) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  *number = 0;
  return !item || read_number(reader, item, INT64_MAX, number);
}

static bool read_values(Reader *reader, const cJSON *list, RmIntVec *values) {
  const cJSON *item;
  if (list && !cJSON_IsArray(list))
    return fail(reader, "expected a list of values");
  cJSON_ArrayForEach(item, list) {
    int64_t value;
    if (!read_number(reader, item, (int64_t)reader->graph->values.count,
                     &value))
      return false;
    rm_vec_push(reader->pool, values, (int32_t)value);
  }
  return true;
}

static bool is_input(const RmGraph *graph, int32_t op, int64_t value) {
  for (int32_t i = 0; i < graph->ops.items[op].num_inputs; ++i)
    if (rm_op_inputs(graph, op)[i] == value)
      return true;
  return false;
}

static bool read_result(Reader *reader, int32_t op, const cJSON *item) {
  const cJSON *view = cJSON_GetObjectItemCaseSensitive(item, "view");
  int64_t number;
  if (!view) {
    if (!read_number(reader, item, INT64_MAX, &number))
      return false;
    rm_graph_result(reader->graph, number);
    return true;
  }
  if (!read_number(reader, view, INT64_MAX, &number))
    return false;
  if (!is_input(reader->graph, op, number))
    return fail(reader, "a view is of something its op does not read");
  rm_graph_view(reader->graph, (int32_t)number);
  return true;
}

static bool read_op(Reader *reader, const cJSON *item) {
  int64_t cost, workspace;
  RmIntVec inputs = {0};
  const cJSON *result;
  if (!read_field(reader, item, "cost", &cost) ||
      !read_field(reader, item, "workspace", &workspace) ||
      !read_values(reader, cJSON_GetObjectItemCaseSensitive(item, "inputs"),
                   &inputs))
    return false;
  bool recomputable =
      cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "recomputable"));
  int32_t op = rm_graph_op(reader->graph, cost, workspace, inputs.items,
                           (int32_t)inputs.count, recomputable);
  cJSON_ArrayForEach(result,
                     cJSON_GetObjectItemCaseSensitive(item, "results")) {
    if (!read_result(reader, op, result))
      return false;
  }
  return true;
}

static bool read_whole(Reader *reader, const cJSON *root) {
  const cJSON *item;
  cJSON_ArrayForEach(item,
                     cJSON_GetObjectItemCaseSensitive(root, "arguments")) {
    int64_t bytes;
    if (!read_number(reader, item, INT64_MAX, &bytes))
      return false;
    rm_graph_argument(reader->graph, bytes);
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "ops")) {
    if (!read_op(reader, item))
      return false;
  }
  RmIntVec returned = {0};
  if (!read_values(reader, cJSON_GetObjectItemCaseSensitive(root, "returned"),
                   &returned))
    return false;
  for (size_t i = 0; i < returned.count; ++i)
    rm_graph_return(reader->graph, returned.items[i]);
  return true;
}

/* Edges stand in any order; they are gathered by the node they lead to. */
static bool gather_edges(Reader *reader, const cJSON *edges, RmIntVec *reads,
                         int32_t count) {
  const cJSON *edge;
  cJSON_ArrayForEach(edge, edges) {
    int64_t from, to;
    if (cJSON_GetArraySize(edge) != 2)
      return fail(reader, "an edge is [from, to]");
    if (!read_number(reader, edge->child, INT64_MAX, &from) ||
        !read_number(reader, edge->child->next, INT64_MAX, &to))
      return false;
    if (to >= count || from >= to)
      return fail(reader, "an edge leads from a node to a later one");
    rm_vec_push(reader->pool, &reads[to], (int32_t)from);
  }
  return true;
}

static bool read_short(Reader *reader, const cJSON *root, const cJSON *nodes) {
  int32_t count = cJSON_GetArraySize(nodes), at = 0;
  RmIntVec *reads = RM_NEW_ARRAY(reader->pool, RmIntVec, count);
  const cJSON *node;
  if (!gather_edges(reader, cJSON_GetObjectItemCaseSensitive(root, "edges"),
                    reads, count))
    return false;
  cJSON_ArrayForEach(node, nodes) {
    int64_t cost, bytes;
    if (cJSON_GetArraySize(node) != 2)
      return fail(reader, "a node is [cost, bytes]");
    if (!read_number(reader, node->child, INT64_MAX, &cost) ||
        !read_number(reader, node->child->next, INT64_MAX, &bytes))
      return false;
    rm_graph_op(reader->graph, cost, 0, reads[at].items,
                (int32_t)reads[at].count, true);
    rm_graph_result(reader->graph, bytes);
    ++at;
  }
  return true;
}

RmGraph *rm_graph_from_json(const char *text, RmPool *pool,
                            const char **error) {
  Reader reader = {.graph = rm_graph_create(pool), .pool = pool};
  cJSON *root = cJSON_Parse(text);
  const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(root, "nodes");
  bool right;
  if (!cJSON_IsObject(root))
    right = fail(&reader, "not a JSON object");
  else if (!cJSON_IsArray(nodes) &&
           !cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "ops")))
    right = fail(&reader, "neither a list of ops nor a list of nodes");
  else if (nodes)
    right = read_short(&reader, root, nodes);
  else
    right = read_whole(&reader, root);
  cJSON_Delete(root);
  *error = reader.error;
  return right ? reader.graph : NULL;
}

static cJSON *print_values(const int32_t *values, int32_t count) {
  cJSON *list = cJSON_CreateArray();
  for (int32_t i = 0; i < count; ++i)
    cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
  return list;
}

static cJSON *print_result(const RmValue *value) {
  if (value->alias < 0)
    return cJSON_CreateNumber((double)value->bytes);
  cJSON *view = cJSON_CreateObject();
  cJSON_AddNumberToObject(view, "view", value->alias);
  return view;
}

static cJSON *print_op(const RmGraph *graph, int32_t op) {
  const RmOp *info = &graph->ops.items[op];
  cJSON *item = cJSON_CreateObject(), *results = cJSON_CreateArray();
  cJSON_AddNumberToObject(item, "cost", (double)info->cost);
  if (info->workspace)
    cJSON_AddNumberToObject(item, "workspace", (double)info->workspace);
  cJSON_AddItemToObject(
      item, "inputs", print_values(rm_op_inputs(graph, op), info->num_inputs));
  for (int32_t i = 0; i < info->num_results; ++i)
    cJSON_AddItemToArray(
        results, print_result(&graph->values.items[info->first_result + i]));
  cJSON_AddItemToObject(item, "results", results);
  cJSON_AddBoolToObject(item, "recomputable", info->recomputable);
  return item;
}

char *rm_graph_to_json(const RmGraph *graph, RmPool *pool) {
  cJSON *root = cJSON_CreateObject();
  cJSON *arguments = cJSON_AddArrayToObject(root, "arguments");
  cJSON *ops = cJSON_AddArrayToObject(root, "ops");
  RmIntVec returned = {0};
  for (size_t v = 0; v < graph->values.count; ++v) {
    const RmValue *value = &graph->values.items[v];
    if (value->op < 0)
      cJSON_AddItemToArray(arguments, cJSON_CreateNumber((double)value->bytes));
    if (value->returned)
      rm_vec_push(pool, &returned, (int32_t)v);
  }
  for (size_t op = 0; op < graph->ops.count; ++op)
    cJSON_AddItemToArray(ops, print_op(graph, (int32_t)op));
  cJSON_AddItemToObject(root, "returned",
                        print_values(returned.items, (int32_t)returned.count));
  char *printed = cJSON_PrintUnformatted(root);
  char *text = rm_pool_strdup(pool, printed ? printed : "");
  cJSON_free(printed);
  cJSON_Delete(root);
  return text;
}
