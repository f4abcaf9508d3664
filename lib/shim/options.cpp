// lib/shim/options.cpp - values of options, and how text survives a round trip.
//
// MLIR takes a value up to the next space, keeps {...}, '...' and "..."
// together while it looks for that space, drops one such pair around the whole
// and trims. Its pass-pipeline parser counts braces and knows no quotes. So
// text whose brackets balance is printed as {text} if it has no quotes;
// whatever else is not plain is printed character by character as \HH, as in
// MLIR's string literals. The parser turns \HH back and leaves other
// backslashes alone.
#include "shim/options.h"

extern "C" {
#include "support/bytes.h"
}
#include "support/require.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace remat;

// Whether all brackets close in the order in which they opened.
static bool bracketsBalance(StringRef text) {
  constexpr StringLiteral opening("{([<"), closing("})]>");
  SmallVector<char> expected;
  for (char c : text) {
    if (size_t kind = opening.find(c); kind != StringRef::npos)
      expected.push_back(closing[kind]);
    else if (closing.contains(c) &&
             (expected.empty() || expected.pop_back_val() != c))
      return false;
  }
  return expected.empty();
}

static bool isPlain(char c, bool inList) {
  if (inList)
    return llvm::isAlnum(c) || StringRef("_-./:*?%+@#!;=~$&^|").contains(c);
  return !llvm::isSpace(c) && !StringRef("{}'\"\\").contains(c);
}

// A backslash that unquoteText would take for an escape.
static bool startsEscape(StringRef text) {
  return text.size() >= 3 && text[0] == '\\' && llvm::isHexDigit(text[1]) &&
         llvm::isHexDigit(text[2]);
}

static bool needsOnlyBraces(StringRef text) {
  if (!bracketsBalance(text) || text != text.trim())
    return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (StringRef("'\"\n\t\r\v\f").contains(text[i]) ||
        startsEscape(text.substr(i)))
      return false;
  return true;
}

std::string remat::quoteText(StringRef text, bool inList) {
  auto plain = [&](char c) { return isPlain(c, inList); };
  if (!text.empty() && llvm::all_of(text, plain))
    return text.str();
  if (!inList && needsOnlyBraces(text))
    return "{" + text.str() + "}";
  std::string out;
  for (char c : text)
    if (plain(c))
      out += c;
    else
      out +=
          {'\\', llvm::hexdigit((unsigned char)c >> 4), llvm::hexdigit(c & 15)};
  return out;
}

std::string remat::unquoteText(StringRef text) {
  std::string out;
  for (; !text.empty(); text = text.drop_front()) {
    if (!startsEscape(text)) {
      out += text.front();
      continue;
    }
    out += (char)(llvm::hexDigitValue(text[1]) * 16 +
                  llvm::hexDigitValue(text[2]));
    text = text.drop_front(2);
  }
  return out;
}

static int findChoice(const RmOptionDesc &desc, StringRef text) {
  SmallVector<StringRef> choices;
  StringRef(desc.choices).split(choices, '|');
  auto *found = llvm::find(choices, text);
  return found == choices.end() ? -1 : (int)(found - choices.begin());
}

LogicalResult remat::parsePipelineText(StringRef text, OpPassManager &manager,
                                       std::string &error) {
  std::string output;
  llvm::raw_string_ostream stream(output);
  if (succeeded(parsePassPipeline(text, manager, stream)))
    return success();
  StringRef line = StringRef(output).split('\n').first;
  // The parser's own place in the text and the line under it are left out.
  auto [place, message] = line.split("error: ");
  error = (message.empty() ? place : message).str();
  return failure();
}

static std::string checkPipeline(StringRef text) {
  OpPassManager manager("builtin.module");
  std::string error;
  if (failed(parsePipelineText(text, manager, error)))
    return "not a pass pipeline: " + error;
  return "";
}

std::string remat::checkText(const RmOptionDesc &desc, StringRef text) {
  int64_t bytes;
  if (desc.kind == RM_OPTION_SIZE &&
      !rm_bytes_parse(text.str().c_str(), &bytes))
    return ("'" + text +
            "' is no size; write bytes, or a number with B, kB, "
            "MB, GB, KiB, MiB or GiB")
        .str();
  if (desc.kind == RM_OPTION_ENUM && findChoice(desc, text) < 0)
    return ("'" + text + "' is none of " + desc.choices).str();
  if (desc.kind == RM_OPTION_PIPELINE)
    return checkPipeline(text);
  return "";
}

StringRef remat::nameOfValue(const RmOptionDesc &desc) {
  switch (desc.kind) {
  case RM_OPTION_INT:
    return "int";
  case RM_OPTION_SIZE:
    return "size";
  case RM_OPTION_ENUM:
    return desc.choices;
  case RM_OPTION_LIST:
    return "string,...";
  case RM_OPTION_PIPELINE:
    return "pipeline";
  default:
    return "string";
  }
}

std::string remat::describeOption(const RmOptionDesc &desc) {
  if (!*desc.initial)
    return desc.help;
  return std::string(desc.help) + " (" + desc.initial + ")";
}

bool remat::parseBoolText(const RmOptionDesc &desc) {
  return StringRef(desc.initial) == "true";
}

int64_t remat::parseIntText(const RmOptionDesc &desc) {
  return *desc.initial ? strtoll(desc.initial, nullptr, 10) : 0;
}

static OptionValue &findOption(RmPassRun *run, const char *name) {
  for (auto &option : run->options)
    if (!strcmp(option->desc->name, name))
      return *option;
  fprintf(stderr, "remat: no option is called '%s'\n", name);
  abort();
}

bool rm_option_bool(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  rm_require(option.flag, "an option of kind BOOL");
  return *option.flag;
}

int64_t rm_option_int(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  rm_require(option.number, "an option of kind INT");
  return *option.number;
}

int64_t rm_option_size(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  int64_t bytes = 0;
  rm_require(option.desc->kind == RM_OPTION_SIZE &&
                 rm_bytes_parse(option.text->value.c_str(), &bytes),
             "an option of kind SIZE");
  return bytes;
}

const char *rm_option_string(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  rm_require(option.text, "an option that is text");
  return option.text->value.c_str();
}

int rm_option_choice(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  rm_require(option.desc->kind == RM_OPTION_ENUM, "an option of kind ENUM");
  return findChoice(*option.desc, option.text->value);
}

int rm_option_count(RmPassRun *run, const char *name) {
  OptionValue &option = findOption(run, name);
  rm_require(option.list, "an option of kind LIST");
  return (int)option.list->size();
}

const char *rm_option_item(RmPassRun *run, const char *name, int i) {
  rm_require(i >= 0 && i < rm_option_count(run, name), "an item in the list");
  return (*findOption(run, name).list)[i].value.c_str();
}

// The option's value as text, or "" if it is the default.
static std::string printOption(const OptionValue &option) {
  const RmOptionDesc &desc = *option.desc;
  if (option.flag && *option.flag != parseBoolText(desc))
    return *option.flag ? "true" : "false";
  if (option.number && *option.number != parseIntText(desc))
    return std::to_string(*option.number);
  if (option.text && option.text->value != desc.initial)
    return quoteText(option.text->value, /*inList=*/false);
  if (!option.list)
    return "";
  std::vector<std::string> items;
  for (const Item &item : *option.list)
    items.push_back(quoteText(item.value, /*inList=*/true));
  return llvm::join(items, ",");
}

char *rm_options_print(RmPassRun *run) {
  std::string text;
  for (auto &option : run->options)
    if (std::string value = printOption(*option); !value.empty())
      text += (text.empty() ? "" : " ") + std::string(option->desc->name) +
              "=" + value;
  return strdup(text.c_str());
}

void rm_statistic_add(RmPassRun *run, const char *name, int64_t amount) {
  for (auto &statistic : run->statistics)
    if (!strcmp(statistic->desc->name, name)) {
      statistic->counter += (uint64_t)amount;
      return;
    }
  rm_require(false, "a statistic of the pass");
}
