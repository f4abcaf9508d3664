// lib/shim/options.h - textual options of passes and pipelines.
//
// A table of RmOptionDesc becomes real MLIR option objects, so that parsing,
// --help, --dump-pass-pipeline and reproducers are MLIR's own. Text goes
// through a parser and printer of ours: MLIR's printer of strings loses braces,
// quotes and commas on the way back.
#ifndef RM_SHIM_OPTIONS_H
#define RM_SHIM_OPTIONS_H

#include "shim/shim.h"

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>
#include <vector>

namespace remat {

// The value of an option that is text: a string, a size, a choice.
struct Text {
  std::string value;
};

// Text as it must stand in a pipeline to be read back as it is. Inside of a
// list more characters need care.
std::string quoteText(llvm::StringRef text, bool inList);

// The inverse of what quoteText does beyond MLIR's own quoting.
std::string unquoteText(llvm::StringRef text);

// Reads passes on the op that `manager` is for; `error` says what is wrong.
mlir::LogicalResult parsePipelineText(llvm::StringRef text,
                                      mlir::OpPassManager &manager,
                                      std::string &error);

// What is wrong with `text` as a value of the option, or "".
std::string checkText(const RmOptionDesc &desc, llvm::StringRef text);

} // namespace remat

namespace llvm::cl {

template <> class parser<remat::Text> : public basic_parser<remat::Text> {
public:
  parser(Option &option) : basic_parser(option) {}

  // Follows the convention of llvm::cl: true on error.
  bool parse(Option &option, StringRef, StringRef arg, remat::Text &text) {
    text.value = remat::unquoteText(arg);
    std::string wrong = desc ? remat::checkText(*desc, text.value) : "";
    return !wrong.empty() && option.error(wrong);
  }

  static void print(raw_ostream &os, const remat::Text &text) {
    os << remat::quoteText(text.value, /*inList=*/false);
  }

  StringRef getValueName() const override { return "string"; }

  void printOptionDiff(const Option &option, const remat::Text &, OptVal,
                       size_t width) const {
    printOptionNoValue(option, width);
  }

  const RmOptionDesc *desc = nullptr;
};

} // namespace llvm::cl

namespace remat {

// An element of a list: as Text, but printed with more care.
struct Item {
  std::string value;
};

} // namespace remat

namespace llvm::cl {

template <> class parser<remat::Item> : public basic_parser<remat::Item> {
public:
  parser(Option &option) : basic_parser(option) {}

  bool parse(Option &, StringRef, StringRef arg, remat::Item &item) {
    item.value = remat::unquoteText(arg);
    return false;
  }

  static void print(raw_ostream &os, const remat::Item &item) {
    os << remat::quoteText(item.value, /*inList=*/true);
  }

  StringRef getValueName() const override { return "string"; }
};

} // namespace llvm::cl

namespace remat {

// One option of one pass or pipeline instance; which member is set depends on
// the kind.
struct OptionValue {
  template <typename T> using One = mlir::detail::PassOptions::Option<T>;
  template <typename T> using Many = mlir::detail::PassOptions::ListOption<T>;

  const RmOptionDesc *desc;
  std::string help;
  std::unique_ptr<One<bool>> flag;
  std::unique_ptr<One<int64_t>> number;
  std::unique_ptr<One<Text>> text;
  std::unique_ptr<Many<Item>> list;
};

// The help text: what the table says, the choices and the default.
std::string describeOption(const RmOptionDesc &desc);

// What stands for a value of the option in --help.
llvm::StringRef nameOfValue(const RmOptionDesc &desc);

bool parseBoolText(const RmOptionDesc &desc);
int64_t parseIntText(const RmOptionDesc &desc);

// Makes an option of `parent`, which is a mlir::Pass or the PassOptions of a
// pipeline; One and Many are the option classes that go with it.
template <template <typename> class One, template <typename> class Many,
          typename Parent>
std::unique_ptr<OptionValue> makeOption(Parent &parent,
                                        const RmOptionDesc &desc) {
  auto value = std::make_unique<OptionValue>();
  value->desc = &desc;
  value->help = describeOption(desc);
  llvm::cl::desc help(value->help);
  llvm::cl::value_desc name(nameOfValue(desc));
  switch (desc.kind) {
  case RM_OPTION_BOOL:
    value->flag = std::make_unique<One<bool>>(
        parent, desc.name, help, llvm::cl::init(parseBoolText(desc)));
    break;
  case RM_OPTION_INT:
    value->number = std::make_unique<One<int64_t>>(
        parent, desc.name, help, name, llvm::cl::init(parseIntText(desc)));
    break;
  case RM_OPTION_LIST:
    value->list = std::make_unique<Many<Item>>(parent, desc.name, help, name);
    break;
  default:
    value->text = std::make_unique<One<Text>>(
        parent, desc.name, help, name, llvm::cl::init(Text{desc.initial}));
    value->text->getParser().desc = &desc;
  }
  return value;
}

struct StatisticValue {
  StatisticValue(mlir::Pass *pass, const RmStatisticDesc &desc)
      : desc(&desc), counter(pass, desc.name, desc.help) {}

  const RmStatisticDesc *desc;
  mlir::Pass::Statistic counter;
};

template <typename T> using PassOption = mlir::Pass::Option<T>;
template <typename T> using PassListOption = mlir::Pass::ListOption<T>;

} // namespace remat

// One run of a pass: its instance, its option values, its counters. Lives as
// long as the pass instance, which runs on one op at a time.
struct RmPassRun {
  std::vector<std::unique_ptr<remat::OptionValue>> options;
  std::vector<std::unique_ptr<remat::StatisticValue>> statistics;
  mlir::Pass *pass = nullptr; // null for a pipeline's options
};

#endif
