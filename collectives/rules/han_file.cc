// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/han_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/line_text.h"
#include "base/nearest.h"
#include "collectives/rules/number_scanner.h"
#include "collectives/rules/openmpi_algorithms.h"

namespace strata::collectives {
namespace {

constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr const char* kIgnored = "Open MPI ignores the whole file and uses the parameters coll_han_*_dynamic_*_module";

// Source: ompi_coll_han_available_components in coll_han_component.c.
constexpr const char* kComponents[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han"};

// The operations for which HAN looks for rules. Source: mca_coll_han_is_coll_dynamic_implemented in coll_han_dynamic.c.
bool uses_rules(int id, const Library& library) {
  const std::optional<Operation> operation = find_operation(openmpi_collective_name(id));
  if (!operation) return library.from(6) && (id == openmpi_id("gatherv") || id == openmpi_id("scatterv"));
  switch (*operation) {
    case Operation::kAllgather:
    case Operation::kAllgatherv:
    case Operation::kAllreduce:
    case Operation::kBarrier:
    case Operation::kBcast:
    case Operation::kGather:
    case Operation::kReduce:
    case Operation::kScatter:
      return true;
    case Operation::kAlltoall:
    case Operation::kAlltoallv:
      return library.from(6);
    default:
      return false;
  }
}

// As strtol reads a whole word.
std::optional<int> number_in(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

class HanReader {
 public:
  HanReader(const std::string& text, const std::string& file, const Library& library, Reading reading)
      : scanner_(text), library_(library), reading_(reading) {
    rules_.format = Format::kHan;
    rules_.file = file;
  }

  RuleFile read() {
    const std::int64_t count = number("the number of collectives");
    if (count == 0) fail("the number of collectives is 0", "write a number of at least 1");
    for (std::int64_t i = 0; i < count; ++i) read_collective(i, count);
    if (const std::optional<ScannedWord> rest = scanner_.word()) {
      add({rest->line, fmt::format("{} comes after the last rule", shown(rest->text)), "Open MPI does not read it",
           "make the numbers of collectives, levels and sizes those of the rules"});
    }
    return std::move(rules_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", rules_.file, line_), fmt::format("{}, so {}", what, kIgnored), remedy);
  }
  void add(const Remark& what) { remark(rules_, reading_, what); }

  std::int64_t number(const std::string& what, bool is_decimal = false) {
    const std::optional<ScannedNumber> found = scanner_.number(is_decimal);
    if (!found) {
      line_ = scanner_.line();
      fail("the file ends before " + what, "give all rules that the numbers before them announce");
    }
    line_ = found->line;
    if (!found->skipped.empty()) {
      add({found->skipped_line, shown(found->skipped) + " is not a number", "Open MPI skips it",
           "write " + what + " there, or # before a comment"});
    }
    if (!found->is_decimal) {
      add({found->line, fmt::format("{} is not written in base 10", what),
           fmt::format("Open MPI reads {}: 0x begins a number of base 16, and 0 one of base 8", found->value),
           "leave out the 0"});
    }
    if (found->value < 0) fail(fmt::format("{} is {}", what, found->value), "write a number of at least 0");
    return found->value;
  }

  std::string word(const std::string& what) {
    const std::optional<ScannedWord> found = scanner_.word();
    line_ = found ? found->line : scanner_.line();
    if (!found) fail("the file ends before " + what, "give all rules that the numbers before them announce");
    return found->text;
  }

  void read_collective(std::int64_t index, std::int64_t count) {
    const std::string text = word(fmt::format("collective {} of {}", index + 1, count));
    int id = openmpi_id(text);
    if (id < 0) id = number_in(text).value_or(-1);
    if (id < 0 || id >= kNumOpenMpiCollectives) {
      fail(shown(text) + " is not a collective",
           did_you_mean(text, {std::begin(kOpenMpiCollectives), std::end(kOpenMpiCollectives)}));
    }
    name_ = openmpi_collective_name(id);
    if (!uses_rules(id, library_)) {
      add({line_, fmt::format("HAN has no {} in {}", name_, title_of(library_)), "Open MPI does not use these rules",
           "leave them out"});
    }
    const int line = line_;
    for (const CollectiveRules& other : rules_.collectives) {
      if (other.id != id) continue;
      add({line, fmt::format("{} has rules already", name_), "Open MPI uses the last ones",
           "give all rules of a collective in one place"});
    }
    CollectiveRules collective{.id = id, .levels = {}, .line = line};
    const std::int64_t levels = number(fmt::format("{}: the number of levels", name_));
    for (std::int64_t i = 0; i < levels; ++i) {
      read_level(collective, fmt::format("{}, level {} of {}", name_, i + 1, levels));
    }
    rules_.collectives.push_back(std::move(collective));
  }

  Level level_of(const std::string& text) {
    const std::optional<Level> named = find_word(kLevels, text);
    const std::optional<int> number = named ? static_cast<int>(*named) : number_in(text);
    if (named && !library_.from(5)) {
      fail(fmt::format("{} reads the number of a level, not {}", title_of(library_), text),
           fmt::format("write {}", *number));
    }
    if (!number || *number < 0 || *number > 2) {
      fail(shown(text) + " is not a level",
           library_.from(5) ? "write " + choice_of(names_of(kLevels)) : "write 0, 1 or 2");
    }
    return static_cast<Level>(*number);
  }

  void read_level(CollectiveRules& collective, const std::string& where) {
    LevelRules level{.level = level_of(word(where)), .communicators = {}, .line = line_};
    for (const LevelRules& other : collective.levels) {
      if (other.level != level.level) continue;
      add({line_, fmt::format("{} has rules for this level already", name_), "Open MPI uses the last ones",
           "give all rules of a level in one place"});
    }
    const std::int64_t sizes = number(where + ": the number of communicator sizes");
    for (std::int64_t i = 0; i < sizes; ++i) {
      read_communicator(level, fmt::format("{}, communicator size {} of {}", where, i + 1, sizes));
    }
    collective.levels.push_back(std::move(level));
  }

  void read_communicator(LevelRules& level, const std::string& where) {
    const std::int64_t ranks = number(where + ": the number of ranks");
    if (ranks < 1 || (level.communicators.empty() && ranks > 1)) {
      fail(fmt::format("{} communicator size of {} is {}", level.communicators.empty() ? "the first" : "a", name_,
                       ranks),
           level.communicators.empty() ? "begin with rules from 1 rank on" : "write a number of at least 1");
    }
    CommunicatorRule rule{
        .from_ranks = static_cast<int>(static_cast<std::uint32_t>(ranks)), .rules = {}, .line = line_};
    if (ranks > kMostInt) {
      add({line_, fmt::format("{} ranks are more than an int holds", ranks),
           fmt::format("Open MPI uses {}", rule.from_ranks), fmt::format("write at most {}", kMostInt)});
    }
    if (!level.communicators.empty() && rule.from_ranks <= level.communicators.back().from_ranks) {
      add({line_,
           fmt::format("{} has the rules from {} ranks on after those from {} on", name_, rule.from_ranks,
                       level.communicators.back().from_ranks),
           "Open MPI uses the last rules that a communicator reaches, and never those before them",
           "write the sizes in increasing order, each once"});
    }
    const std::int64_t sizes = number(where + ": the number of message sizes");
    for (std::int64_t i = 0; i < sizes; ++i) {
      read_rule(level.level, rule, fmt::format("{}, message size {} of {}", where, i + 1, sizes));
    }
    level.communicators.push_back(std::move(rule));
  }

  void read_rule(Level level, CommunicatorRule& communicator, const std::string& where) {
    MessageRule rule;
    rule.from_bytes = number(where + ": the number of bytes", true);
    rule.line = line_;
    if (communicator.rules.empty() && rule.from_bytes > 1) {
      fail(fmt::format("the first message size of {} is {}", name_, rule.from_bytes), "begin with a rule from 0 B on");
    }
    if (!communicator.rules.empty() && rule.from_bytes <= communicator.rules.back().from_bytes) {
      add({line_,
           fmt::format("{} has the rule from {} B on after that from {} B on", name_, rule.from_bytes,
                       communicator.rules.back().from_bytes),
           "Open MPI uses the last rule that a message reaches, and never those before it",
           "write the sizes in increasing order, each once"});
    }
    rule.choice.component = word(where + ": the component");
    if (!is_han_component(rule.choice.component)) {
      const bool is_joined = rule.choice.component.starts_with("han@");
      fail(shown(rule.choice.component) + " is not a component of HAN",
           is_joined ? "write a blank before the @" : fmt::format("write one of {}", fmt::join(kComponents, ", ")));
    }
    const bool is_han = rule.choice.component == "han";
    if (is_han && level != Level::kGlobal) {
      add({line_, "han is only for level 2, global_communicator", "Open MPI finds no component for this rule",
           "write another component"});
    }
    if (is_han && library_.from(5) && scanner_.takes('@').value_or(false)) read_algorithm(rule.choice, where);
    if (scanner_.takes('[').value_or(false)) read_segments(where);
    communicator.rules.push_back(std::move(rule));
  }

  void read_algorithm(Choice& choice, const std::string& where) {
    const std::string text = word(where + ": the algorithm");
    const std::optional<Operation> operation = find_operation(name_);
    const auto algorithms = operation ? han_algorithms(*operation, library_) : std::span<const char* const>{};
    std::optional<int> number = number_of(algorithms, text);
    if (!number) number = number_in(text);
    if (!number && text == "default") number = 0;
    const int most = std::max<int>(static_cast<int>(algorithms.size()) - 1, 0);
    if (!number || *number < 0 || *number > most) {
      fail(fmt::format("HAN's {} has no algorithm {} in {}", name_, shown(text), title_of(library_)),
           algorithms.empty() ? "write default" : fmt::format("write one of {}", fmt::join(algorithms, ", ")));
    }
    choice.algorithm = *number;
  }

  void read_segments(const std::string& where) {
    const int line = line_;
    while (true) {
      const std::optional<bool> ends = scanner_.takes(']');
      if (ends.value_or(false)) break;
      number(where + ": the end of the list of segment lengths");
    }
    add({line, "there is a list of segment lengths", "Open MPI reads it and does not use it", "leave it out"});
  }

  NumberScanner scanner_;
  const Library& library_;
  const Reading reading_;
  RuleFile rules_;
  std::string name_;  // of the collective
  int line_ = 1;
};

}  // namespace

bool is_han_component(std::string_view name) {
  return std::find(std::begin(kComponents), std::end(kComponents), name) != std::end(kComponents);
}

RuleFile read_han(const std::string& text, const std::string& file, const Library& library, Reading reading) {
  return HanReader(text, file, library, reading).read();
}

std::string write_han(const RuleFile& file) {
  std::string text = fmt::format("{}  # number of collectives\n", file.collectives.size());
  for (const CollectiveRules& collective : file.collectives) {
    text +=
        fmt::format("{}\n{}  # number of levels\n", openmpi_collective_name(collective.id), collective.levels.size());
    for (const LevelRules& level : collective.levels) {
      text += fmt::format("{}  # {}\n{}  # number of communicator sizes\n", static_cast<int>(level.level),
                          word_of(kLevels, level.level), level.communicators.size());
      for (const CommunicatorRule& c : level.communicators) {
        text +=
            fmt::format("{}  # ranks\n{}  # number of message sizes: bytes, component\n", c.from_ranks, c.rules.size());
        for (const MessageRule& r : c.rules) {
          text += fmt::format("{} {}", r.from_bytes, r.choice.component);
          if (r.choice.algorithm != 0) text += fmt::format(" @{}", r.choice.algorithm);
          text += '\n';
        }
      }
    }
  }
  return text;
}

}  // namespace strata::collectives
