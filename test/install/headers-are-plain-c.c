/* Public headers compile as strict C11 and as C++, each on its own or together.
 * RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I %root/include -isystem %mlir_include -fsyntax-only %s
 * RUN: %cxx -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I %root/include -isystem %mlir_include -fsyntax-only %s
 */
#include "remat/plan.h"

#include "remat/dialect.h"
#include "remat/graph.h"
#include "remat/passes.h"

RematPlan plan;
