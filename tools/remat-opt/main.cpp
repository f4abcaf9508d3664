// tools/remat-opt/main.cpp - mlir-opt with our dialect and passes.
//
// All of upstream's dialects, extensions and passes are in, so that a whole
// pipeline is one command. Unlike mlir-opt it takes ops of dialects it does not
// know, in generic form, without a flag; that is how StableHLO comes in.
#include "dialect/dialect.h"
#include "pass/pass-docs.h"
#include "shim/shim.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

// The first line that holds an op of a StableHLO dialect in its short form,
// which nothing here can parse; 0 if there is none.
static unsigned findShortStableHLO(StringRef text) {
  llvm::Regex shortForm("^[[:space:]]*(%[^=\"]*=[[:space:]]*)?"
                        "(stablehlo|chlo|vhlo|mhlo)\\.[a-z_]+");
  unsigned number = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    ++number;
    if (shortForm.match(line))
      return number;
    text = rest;
  }
  return 0;
}

static void explainGenericForm(StringRef file, unsigned line) {
  llvm::errs()
      << file << ':' << line
      << ": note: StableHLO is read in generic form only; print it so with "
         "`stablehlo-opt --mlir-print-op-generic`, or in Python with "
         "`module.operation.get_asm(print_generic_op_form=True)`\n";
}

// Unregistered dialects are allowed unless the flag says otherwise.
static MlirOptMainConfig readConfig() {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto flag = options.find("allow-unregistered-dialect");
  if (flag == options.end() || flag->second->getNumOccurrences() == 0)
    config.allowUnregisteredDialects(true);
  return config;
}

static LogicalResult run(StringRef inputName, StringRef outputName,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string error;
  auto input = openInputFile(inputName, &error);
  if (!input)
    return llvm::errs() << error << "\n", failure();
  auto output = openOutputFile(outputName, &error);
  if (!output)
    return llvm::errs() << error << "\n", failure();

  std::string name = input->getBufferIdentifier().str();
  unsigned line = findShortStableHLO(input->getBuffer());
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config))) {
    if (line)
      explainGenericForm(name, line);
    return failure();
  }
  output->keep();
  return success();
}

// `--remat-print-docs` alone writes the reference page of our passes.
static bool asksForDocs(int argc, char **argv) {
  return argc == 2 && StringRef(argv[1]) == "--remat-print-docs";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (asksForDocs(argc, argv))
    return rm_docs_write(stdout), 0;
  registerAllPasses();
  rm_register_passes();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<remat::RematDialect>();

  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "remat: activation recomputation and memory planning\n",
      registry);
  MlirOptMainConfig config = readConfig();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(run(input, output, registry, config));
}
