// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/fixed_decisions.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/line_text.h"

namespace strata::collectives {
namespace {

// See the header. "reduce not-commutative" begins the table for operations that do not commute.
constexpr std::string_view kTable = R"(
allreduce
  2: 4 8:3 4096:4 8192:3 16384:4 65536:5 262144:6
  4: 4 16:3 8192:6
  8: 3 8192:6
  16: 5 64:3 4096:6
  32: 5 128:6
  64: 3 262144:6
  128: 2 131072:3 262144:6
  256: 2 4096:6
  512: 2 2048:3 16384:6
  2048: 2 2048:5 4096:3 16384:6
  4096: 2 2048:5 16384:3 32768:6
allreduce not-commutative
  2: 3 131072:1
  4: 3
  8: 3 1048576:2
  16: 3
  128: 2 131072:3 524288:2
  256: 2 4096:3 524288:2
  512: 2 2048:3
alltoall
  2: 2 2:5 4:2 16:5 64:2 256:5 4096:2 32768:4 262144:5 1048576:2
  3: 4 8192:1 16384:4 65536:1 524288:2 1048576:1
  8: 4 262144:1
  16: 4 4:3 512:4 8192:1 32768:4 262144:1 524288:4
  32: 3 512:1 524288:4
  64: 3 1024:1 2048:4 4096:1 262144:2
  128: 3 1024:4 2048:1 262144:2
  256: 3 1024:4 8192:1 32768:2
  512: 3 512:4 8192:1 16384:4 131072:1 262144:2
  1024: 3 512:4 1024:1 2048:4 16384:1 262144:4
  2048: 3 1024:4 4096:1 8192:4 131072:1
  4096: 3 2048:4 8192:1 16384:4 32768:1 65536:4
alltoallv
  2: 2
  4: 1
  64: 2
  128: 1
  256: 2
  1024: 1
barrier
  2: 3
  4: 1
  8: 3
  64: 4
  256: 6
  512: 4
  1024: 6
  4096: 4
bcast
  2: 3 32:5 256:3 512:7 1024:1 32768:5 131072:2 262144:1 524288:6 1048576:5
  4: 5 64:6 128:5 2048:6 8192:1 1048576:2
  8: 7 8:5 64:7 4096:5 16384:6 32768:1
  16: 7 4096:6 1048576:8
  32: 6 2048:7
  64: 7
  128: 6 2:5 16384:1 32768:5 65536:7
  256: 7 16384:4 32768:7
  1024: 7 524288:8
  2048: 7 262144:8
  4096: 7 8192:5 16384:7 262144:8
reduce
  2: 7 8:4 16:3 32:1 262144:3 524288:2 1048576:3
  4: 4 4096:2 65536:5 262144:1 524288:5 1048576:1
  8: 4 8192:5
  16: 4 4096:5
  32: 5
  256: 5 8192:6 16384:5
  512: 5
  2048: 5 512:6 1024:5 8192:6 16384:5
  4096: 5 16:6 32:5 1024:6 2048:5 8192:6 16384:5
reduce not-commutative
  2: 6 8:1
  4: 1
  8: 6 1024:1 8192:6 16384:1 262144:6
  16: 6
  128: 6 512:1 1024:6
  256: 6
reduce_scatter
  2: 3 65536:4 131072:3
  4: 1 8:2 262144:3
  8: 2 262144:3
  32: 1 64:2 2048:4 524288:3
  64: 1 256:2 512:4 2048:2 4096:4
  128: 1 256:2 512:4
  256: 1 256:2 1024:4
  512: 1 512:2 2048:4 8192:2 16384:4
  1024: 1 512:2 4096:4 16384:2 32768:4
  2048: 1 512:2 4096:4
  4096: 1 1024:2 8192:4
reduce_scatter not-commutative
  2: 1
reduce_scatter_block
  2: 2 4:4 8:3 16:4 128:3 256:4 4096:3 8192:4 131072:1
  4: 3 8:2 32:4 256:3 8192:4 16384:3 1048576:1
  8: 1 4:3 32:4 128:3 524288:1 4194304:4
  16: 1 32:3 524288:1 2097152:3 4194304:4
  32: 3 4:1 16:4 65536:1 262144:4
reduce_scatter_block not-commutative
  2: 1
allgather
  2: 6
  3: 3
  32: 3 1024:5 65536:4
  64: 3 512:5 65536:4
  128: 3 512:5 131072:4 524288:5 1048576:4
  256: 3 32:2 128:3 1024:5 131072:4 524288:5 1048576:4
  512: 3 64:2 256:3 2048:5
  1024: 3 4:2 8:3 16:2 32:3 256:2 512:3 4096:5
  2048: 2 32:3 128:2 512:3 4096:5
  4096: 3 2:2 8:3 16:2 512:3 4096:5
allgatherv
  2: 3 2048:5 4096:3 8192:5
  3: 1 256:4 4096:3 8192:4 16384:2 262144:4
  8: 1 1024:2
  16: 1 128:2 262144:3
  32: 1 256:2 8192:3
  64: 1 256:2 4096:3
  128: 2 1024:4 65536:3
  256: 2 1024:3
  512: 2 512:1 1024:2 4096:4 1048576:3
  1024: 2 4096:4
gather
  2: 3 2:1 4:2 32768:1 65536:2 131072:3
  4: 2 1024:1 8192:2 32768:1 262144:3
  8: 2
  256: 2 2048:1 8192:2
  512: 2
scatter
  2: 3 2:1 131072:3 262144:1
  4: 2 2048:1 4096:2 8192:1 32768:3 1048576:1
  8: 2 16384:3 1048576:1
  16: 2 16384:1 32768:3
  32: 2 512:3 8192:2 16384:3
  64: 2 512:3
)";

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) throw std::logic_error("fixed_decisions.cc: a number");
  return value;
}

// "2: 3 32:5".
CommunicatorRule row_of(std::string_view line) {
  CommunicatorRule row;
  bool is_first = true;
  for (const std::string_view word : words_of(line)) {
    const size_t colon = word.find(':');
    if (is_first) {
      row.from_ranks = static_cast<int>(number_of(word.substr(0, colon)));
    } else {
      MessageRule rule;
      if (colon != std::string_view::npos) rule.from_bytes = number_of(word.substr(0, colon));
      rule.choice.algorithm =
          static_cast<int>(number_of(colon == std::string_view::npos ? word : word.substr(colon + 1)));
      row.rules.push_back(rule);
    }
    is_first = false;
  }
  return row;
}

std::vector<CollectiveRules> parse(bool is_commutative) {
  std::vector<CollectiveRules> all;
  std::string_view rest = kTable.substr(1);
  bool takes = false;  // the rows of the last heading
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.starts_with(' ')) {
      if (takes) all.back().levels.front().communicators.push_back(row_of(line));
      continue;
    }
    const std::vector<std::string_view> words = words_of(line);
    const int id = openmpi_id(words.front());
    const bool is_other = words.size() > 1;  // not-commutative
    takes = is_commutative ? !is_other : true;
    if (!takes) continue;
    if (is_other) {
      all.back().levels.front().communicators.clear();  // comes after the table of those that commute
    } else {
      all.push_back({.id = id, .levels = {LevelRules{}}});
    }
  }
  return all;
}

// The last one whose lower bound is at most `value`; or null.
template <class Rule, class Bound>
const Rule* last_from(const std::vector<Rule>& rules, std::int64_t value, Bound Rule::*from) {
  const Rule* last = nullptr;
  for (const Rule& r : rules) {
    if (r.*from <= value) last = &r;
  }
  return last;
}

}  // namespace

std::vector<CollectiveRules> fixed_decisions(bool is_commutative) {
  static const std::vector<CollectiveRules> commutative = parse(true), others = parse(false);
  return is_commutative ? commutative : others;
}

std::optional<Choice> fixed_decision(const Call& call) {
  static const std::vector<CollectiveRules> commutative = parse(true), others = parse(false);
  for (const CollectiveRules& c : call.is_commutative ? commutative : others) {
    if (c.id != openmpi_id(call.operation)) continue;
    const CommunicatorRule* row = last_from(c.levels.front().communicators, call.ranks, &CommunicatorRule::from_ranks);
    if (row == nullptr) return std::nullopt;
    return last_from(row->rules, tuned_fixed_bytes(call), &MessageRule::from_bytes)->choice;
  }
  return std::nullopt;
}

}  // namespace strata::collectives
