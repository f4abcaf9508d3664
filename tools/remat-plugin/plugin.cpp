// tools/remat-plugin/plugin.cpp - the dialect and the passes for mlir-opt.
//
// The dialect's entry point registers the passes as well, so that one flag
// loads everything.
#include "dialect/dialect.h"
#include "shim/shim.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

// The program may have the dialect already.
static void registerAll(DialectRegistry *registry) {
  if (!registry->getDialectAllocator("remat"))
    registry->insert<remat::RematDialect>();
  rm_register_passes();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "remat", REMAT_VERSION, registerAll};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "remat", REMAT_VERSION, rm_register_passes};
}
