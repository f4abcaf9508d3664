// lib/shim/pass-objects.cpp - MLIR passes and pipelines out of the C tables.
//
// One class serves all passes; a row's address is the pass's identity. An
// instance holds its own options, so instances run on several threads at once.
#include "dialect/dialect.h"
#include "shim/options.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace remat;

// A dialect that a table may name. All of them together are "*".
struct KnownDialect {
  StringRef name;
  void (*insert)(DialectRegistry &registry);
};

template <typename DialectT> static void insert(DialectRegistry &registry) {
  registry.insert<DialectT>();
}

static constexpr KnownDialect knownDialects[] = {
    {"affine", insert<affine::AffineDialect>},
    {"arith", insert<arith::ArithDialect>},
    {"bufferization", insert<bufferization::BufferizationDialect>},
    {"cf", insert<cf::ControlFlowDialect>},
    {"complex", insert<complex::ComplexDialect>},
    {"func", insert<func::FuncDialect>},
    {"index", insert<index::IndexDialect>},
    {"linalg", insert<linalg::LinalgDialect>},
    {"llvm", insert<LLVM::LLVMDialect>},
    {"math", insert<math::MathDialect>},
    {"memref", insert<memref::MemRefDialect>},
    {"remat", insert<RematDialect>},
    {"scf", insert<scf::SCFDialect>},
    {"tensor", insert<tensor::TensorDialect>},
    {"ub", insert<ub::UBDialect>},
    {"vector", insert<vector::VectorDialect>},
};

static void insertDialects(DialectRegistry &registry, StringRef names) {
  SmallVector<StringRef> wanted;
  names.split(wanted, ' ', -1, /*KeepEmpty=*/false);
  for (const KnownDialect &dialect : knownDialects)
    if (names == "*" || llvm::is_contained(wanted, dialect.name))
      dialect.insert(registry);
}

static void insertDialectsOfPasses(DialectRegistry &registry, StringRef text) {
  OpPassManager manager("builtin.module");
  std::string error;
  if (succeeded(parsePipelineText(text, manager, error)))
    manager.getDependentDialects(registry);
}

namespace {

class TablePass : public Pass {
public:
  explicit TablePass(const RmPassDesc &desc)
      : Pass(TypeID::getFromOpaquePointer(&desc),
             *desc.anchor ? std::optional<StringRef>(desc.anchor)
                          : std::nullopt),
        desc(desc) {
    run.pass = this;
    for (int i = 0; i < desc.num_options; ++i)
      run.options.push_back(
          makeOption<PassOption, PassListOption>(*this, desc.options[i]));
    for (int i = 0; i < desc.num_statistics; ++i)
      run.statistics.push_back(
          std::make_unique<StatisticValue>(this, desc.statistics[i]));
  }

  StringRef getName() const override { return desc.name; }
  StringRef getArgument() const override { return desc.name; }
  StringRef getDescription() const override { return desc.summary; }

  void getDependentDialects(DialectRegistry &registry) const override {
    insertDialects(registry, desc.dialects);
    for (const auto &option : run.options)
      if (option->desc->kind == RM_OPTION_PIPELINE)
        insertDialectsOfPasses(registry, option->text->value);
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return !getOpName() || name.getStringRef() == *getOpName();
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<TablePass>(desc);
  }

  void runOnOperation() override {
    if (!desc.run(wrap(getOperation()), &run))
      signalPassFailure();
  }

  using Pass::getOperation;
  using Pass::markAllAnalysesPreserved;
  using Pass::runPipeline;

private:
  const RmPassDesc &desc;
  RmPassRun run;
};

// The options of a pipeline while it is being built.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  explicit PipelineOptions(const RmPipelineDesc &desc) {
    for (int i = 0; i < desc.num_options; ++i)
      run.options.push_back(makeOption<OptionValue::One, OptionValue::Many>(
          static_cast<mlir::detail::PassOptions &>(*this), desc.options[i]));
  }

  RmPassRun run;
};

} // namespace

static LogicalResult
buildPipeline(const RmPipelineDesc &desc, OpPassManager &manager,
              StringRef text, function_ref<LogicalResult(const Twine &)> fail) {
  PipelineOptions options(desc);
  if (failed(options.parseFromString(text)))
    return failure();
  char error[512] = "";
  std::unique_ptr<char, decltype(&free)> passes(
      desc.build(&options.run, error, sizeof error), free);
  if (!passes)
    return fail(Twine(desc.name) + ": " + error);
  return parsePassPipeline(passes.get(), manager);
}

static void registerPipeline(const RmPipelineDesc &desc) {
  registerPassPipeline(
      desc.name, desc.summary,
      [&desc](OpPassManager &manager, StringRef options,
              function_ref<LogicalResult(const Twine &)> fail) {
        return buildPipeline(desc, manager, options, fail);
      },
      [&desc](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(PipelineOptions(desc));
      });
}

// What is registered already is left alone: a plug-in may be loaded into a
// program that has these passes.
void rm_register_passes(void) {
  for (int i = 0; i < rm_num_passes; ++i) {
    const RmPassDesc &desc = rm_passes[i];
    if (!PassInfo::lookup(desc.name))
      registerPass([&desc] { return std::make_unique<TablePass>(desc); });
  }
  for (int i = 0; i < rm_num_pipelines; ++i)
    if (!PassPipelineInfo::lookup(rm_pipelines[i].name))
      registerPipeline(rm_pipelines[i]);
}

void rm_pass_unchanged(RmPassRun *run) {
  static_cast<TablePass *>(run->pass)->markAllAnalysesPreserved();
}

// Below the op at hand the pass's own manager runs the pipeline, with all its
// instrumentation. Elsewhere, on a clone, a manager of its own does: quiet,
// with the verifier on, and with dialects that the outer pass has loaded.
bool rm_pipeline_run(RmPassRun *run, MlirOperation op, const char *pipeline) {
  Operation *root = unwrap(op);
  auto *pass = static_cast<TablePass *>(run->pass);
  StringRef anchor = root->getName().getStringRef();
  PassManager own(root->getContext(), anchor);
  OpPassManager nested(anchor);
  bool inside = pass->getOperation()->isAncestor(root);
  OpPassManager &manager = inside ? nested : own;
  std::string error;
  if (failed(parsePipelineText(pipeline, manager, error)))
    return emitError(root->getLoc()) << "not a pass pipeline: " << error, false;
  return succeeded(inside ? pass->runPipeline(nested, root) : own.run(root));
}
