// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/tuned_file.h"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "base/error.h"
#include "base/line_text.h"
#include "collectives/rules/number_scanner.h"
#include "collectives/rules/openmpi_algorithms.h"

namespace strata::collectives {
namespace {

constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr const char* kIgnored = "Open MPI ignores the whole file and uses its fixed decisions";

// The collectives for which tuned looks for rules. Source: tuned_module_enable in coll_tuned_module.c.
bool has_algorithms(int id) { return find_operation(openmpi_collective_name(id)).has_value(); }

class TunedReader {
 public:
  TunedReader(const std::string& text, const std::string& file, const Library& library, Reading reading)
      : scanner_(text), library_(library), reading_(reading) {
    rules_.file = file;
  }

  RuleFile read() {
    read_header();
    const std::int64_t count = number("the number of collectives");
    if (count > kNumOpenMpiCollectives) {
      fail(fmt::format("there are {} collectives, not {}", kNumOpenMpiCollectives, count),
           "write how many collectives the file has rules for");
    }
    for (std::int64_t i = 0; i < count; ++i) read_collective(i, count);
    if (const std::optional<ScannedWord> rest = scanner_.word()) {
      add({rest->line, fmt::format("{} comes after the last rule", shown(rest->text)), "Open MPI does not read it",
           "make the numbers of collectives, of communicator sizes and of message sizes those of the rules"});
    }
    return std::move(rules_);
  }

 private:
  [[noreturn]] void fail_at(int line, const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", rules_.file, line), fmt::format("{}, so {}", what, kIgnored), remedy);
  }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const { fail_at(line_, what, remedy); }
  void add(const Remark& what) { remark(rules_, reading_, what); }

  void read_header() {
    const bool knows = knows_version_2(library_);
    std::int64_t version = 1;
    if (knows && scanner_.take_literal("rule-file-version-")) {
      line_ = scanner_.line();
      const std::optional<ScannedNumber> number = scanner_.number_here();
      if (!number) fail("the version is not a number", "write rule-file-version-2");
      version = number->value;
      if (version != 1 && version != 2) {
        add({line_, fmt::format("version {} does not exist", version),
             fmt::format("Open MPI reads it as version {}", version > 1 ? 2 : 1), "write rule-file-version-2"});
      }
    }
    rules_.format = version > 1 ? Format::kTuned2 : Format::kTuned;
  }

  // The next number, not negative. `what`: "the number of collectives".
  std::int64_t number(const std::string& what) {
    const std::optional<ScannedNumber> found = scanner_.number();
    if (!found) {
      line_ = scanner_.line();
      fail("the file ends before " + what, "give all rules that the numbers before them announce");
    }
    line_ = found->line;
    if (found->value < 0 && found->skipped.find("rule-file-version") != std::string::npos) {
      fail(knows_version_2(library_)
               ? "rule-file-version is not at the beginning of the file, and is read as a negative number"
               : fmt::format("{} does not know rule-file-version, and reads it as a negative number",
                             title_of(library_)),
           knows_version_2(library_) ? "make it the first line" : "leave it out; Open MPI 4.1.8 and 5.0.7 know it");
    }
    if (!found->skipped.empty()) {
      add({found->skipped_line, shown(found->skipped) + " is not a number", "Open MPI skips it",
           "write numbers only, or # before a comment"});
    }
    if (!found->is_decimal) {
      add({found->line, fmt::format("{} is not written in base 10", what),
           fmt::format("Open MPI reads {}: 0x begins a number of base 16, and 0 one of base 8", found->value),
           "leave out the 0"});
    }
    if (found->value < 0) fail(fmt::format("{} is {}", what, found->value), "write a number of at least 0");
    return found->value;
  }

  // One that Open MPI keeps in an int.
  int small(const std::string& what) {
    const std::int64_t value = number(what);
    const int kept = static_cast<int>(static_cast<std::uint32_t>(value));
    if (value > kMostInt) {
      add({line_, fmt::format("{} is {}, more than an int holds", what, value), fmt::format("Open MPI uses {}", kept),
           fmt::format("write at most {}", kMostInt)});
    }
    return kept;
  }

  void read_collective(std::int64_t index, std::int64_t count) {
    const std::int64_t id = number(fmt::format("collective {} of {}", index + 1, count));
    if (id >= kNumOpenMpiCollectives) {
      fail(fmt::format("there is no collective {}", id),
           fmt::format("write a number from 0, {}, to {}, {}", openmpi_collective_name(0), kNumOpenMpiCollectives - 1,
                       openmpi_collective_name(kNumOpenMpiCollectives - 1)));
    }
    CollectiveRules collective{.id = static_cast<int>(id), .levels = {LevelRules{.line = line_}}, .line = line_};
    name_ = openmpi_collective_name(collective.id);
    if (!has_algorithms(collective.id)) {
      add({line_, fmt::format("{} has one algorithm only", name_), "Open MPI does not use these rules",
           "leave them out"});
    }
    if (!ids_.insert(collective.id).second) {
      add({line_, fmt::format("{} has rules already", name_), "Open MPI forgets the earlier ones",
           "give all rules of a collective in one place"});
    }
    const std::int64_t sizes = number(fmt::format("{}: the number of communicator sizes", name_));
    for (std::int64_t i = 0; i < sizes; ++i) {
      read_communicator(collective.levels.front(), fmt::format("{}, communicator size {} of {}", name_, i + 1, sizes));
    }
    rules_.collectives.push_back(std::move(collective));
  }

  void read_communicator(LevelRules& level, const std::string& where) {
    CommunicatorRule communicator;
    communicator.from_ranks = small(where + ": the number of ranks");
    communicator.line = line_;
    if (!level.communicators.empty() && communicator.from_ranks <= level.communicators.back().from_ranks) {
      add({line_,
           fmt::format("{} has the rules from {} ranks on after those from {} on", name_, communicator.from_ranks,
                       level.communicators.back().from_ranks),
           library_.from(6) ? "Open MPI applies the first whose range contains a communicator, and some to none"
                            : "Open MPI stops at the first that is too large, and never applies some",
           "write the sizes in increasing order, each once"});
    }
    const std::int64_t sizes = number(where + ": the number of message sizes");
    for (std::int64_t i = 0; i < sizes; ++i) {
      read_rule(communicator, fmt::format("{}, message size {} of {}", where, i + 1, sizes));
    }
    level.communicators.push_back(std::move(communicator));
  }

  void read_rule(CommunicatorRule& communicator, const std::string& where) {
    MessageRule rule;
    rule.from_bytes = number(where + ": the number of bytes");
    rule.line = line_;
    const int line = line_;
    rule.choice.algorithm = small(where + ": the algorithm");
    const int algorithm_line = line_;
    rule.choice.faninout = small(where + ": the fan-in and fan-out");
    rule.choice.segment_bytes = small(where + ": the bytes of a segment");
    if (rules_.format == Format::kTuned2 && scanner_.is_digit_next()) {
      rule.choice.max_requests = small(where + ": the number of requests");
    }
    if (communicator.rules.empty() && rule.from_bytes != 0) {
      fail_at(line, fmt::format("the first message size of {} is {}", name_, rule.from_bytes),
              "begin with a rule from 0 bytes on, such as 0 0 0 0");
    }
    if (!communicator.rules.empty() && rule.from_bytes <= communicator.rules.back().from_bytes) {
      add({line,
           fmt::format("{} has the rule from {} B on after that from {} B on", name_, rule.from_bytes,
                       communicator.rules.back().from_bytes),
           library_.from(6) ? "Open MPI applies the first whose range contains a message, and some to none"
                            : "Open MPI stops at the first that is too large, and never applies some",
           "write the sizes in increasing order, each once"});
    }
    check_algorithm(rule.choice.algorithm, algorithm_line);
    communicator.rules.push_back(std::move(rule));
  }

  void check_algorithm(int algorithm, int line) {
    const std::optional<Operation> operation = find_operation(name_);
    if (!operation) return;
    const auto algorithms = tuned_algorithms(*operation, library_);
    if (algorithm >= 0 && algorithm < static_cast<int>(algorithms.size())) return;
    add({line, fmt::format("{} has no algorithm {} in {}", name_, algorithm, title_of(library_)),
         fmt::format("the program's {} returns the error MPI_ERR_ARG", name_),
         fmt::format("write 0 to {}, {}", algorithms.size() - 1, algorithms.back())});
  }

  NumberScanner scanner_;
  const Library& library_;
  const Reading reading_;
  RuleFile rules_;
  std::string name_;  // of the collective
  std::set<int> ids_;
  int line_ = 1;
};

}  // namespace

bool knows_version_2(const Library& l) { return l.from(5) ? l.from(5, 0, 7) : l.from(4, 1, 8); }

RuleFile read_tuned(const std::string& text, const std::string& file, const Library& library, Reading reading) {
  return TunedReader(text, file, library, reading).read();
}

std::string write_tuned(const RuleFile& file) {
  std::string text;
  if (file.format == Format::kTuned2) text += "rule-file-version-2\n";
  text += fmt::format("{}  # number of collectives\n", file.collectives.size());
  for (const CollectiveRules& collective : file.collectives) {
    const auto& communicators = collective.levels.front().communicators;
    text += fmt::format("{}  # {}\n{}  # number of communicator sizes\n", collective.id,
                        openmpi_collective_name(collective.id), communicators.size());
    for (const CommunicatorRule& c : communicators) {
      text +=
          fmt::format("{}  # ranks\n{}  # number of message sizes: bytes, algorithm, fan-in and fan-out, segment{}\n",
                      c.from_ranks, c.rules.size(), file.format == Format::kTuned2 ? ", requests" : "");
      for (const MessageRule& r : c.rules) {
        text += fmt::format("{} {} {} {}", r.from_bytes, r.choice.algorithm, r.choice.faninout, r.choice.segment_bytes);
        if (r.choice.max_requests && file.format == Format::kTuned2) text += fmt::format(" {}", *r.choice.max_requests);
        text += '\n';
      }
    }
  }
  return text;
}

}  // namespace strata::collectives
