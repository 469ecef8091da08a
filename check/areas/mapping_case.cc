// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/mapping_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "check/engine/key.h"

namespace strata::check {
namespace {

constexpr long kMostBytes = 1'000'000'000'000;
constexpr int kMostRanks = 1024;

class Reader {
 public:
  explicit Reader(const std::string& key) : key_(key) {}

  MappingCase read() {
    c_.machine = read_machine(key_);
    check_network();
    expect('+', "vertices of the processes");
    do read_place();
    while (key_.take('.'));
    expect('+', "entries of bytes from rank to rank");
    if (KeyReader rest = key_; rest.take("none") && rest.at_end()) return std::move(c_);
    do read_flow();
    while (key_.take(','));
    if (!key_.at_end()) key_.fail(fmt::format("'{}'", key_.next()), "a comma and a further entry, or the end");
    return std::move(c_);
  }

 private:
  void expect(char letter, const std::string& of) {
    if (!key_.take(letter))
      key_.fail("no " + of, fmt::format("machine+vertices+entries: s2mm+1.2+0-1=5; here a '{}'", letter));
  }

  long number(long least, long most, const std::string& what) {
    const std::optional<long> found = key_.number(least, most);
    if (!found) key_.fail("no " + what, fmt::format("a number from {} to {}", least, most));
    return *found;
  }

  // In a Topology, the switches below a vertex come before its nodes.
  void check_network() const {
    std::vector<char> has_node(c_.machine.size(), 0);
    for (int v = 1; v < c_.machine.size(); ++v) {
      const int parent = c_.machine.parent[v];
      if (c_.machine.node[v] < 0 && has_node[parent] != 0)
        key_.fail(fmt::format("vertex {}: a switch after a node", v),
                  "the switches below a switch first, then its nodes");
      if (c_.machine.node[v] >= 0) has_node[parent] = 1;
    }
  }

  void read_place() {
    const size_t begin = key_.at();
    const auto v = static_cast<int>(number(0, c_.machine.size() - 1, "vertex of the machine"));
    if (c_.machine.node[v] < 0) {
      key_.go_to(begin);
      key_.fail(fmt::format("vertex {} is of the network", v), "a vertex of a node");
    }
    if (c_.ranks() == kMostRanks)
      key_.fail("more processes than " + std::to_string(kMostRanks), "at most so many vertices");
    c_.place.push_back(v);
  }

  void read_flow() {
    const size_t begin = key_.at();
    Flow flow;
    flow.from = static_cast<int>(number(0, c_.ranks() - 1, "rank that sends"));
    expect('-', "rank that receives");
    flow.to = static_cast<int>(number(0, c_.ranks() - 1, "rank that receives"));
    expect('=', "bytes");
    flow.bytes = static_cast<double>(number(1, kMostBytes, "bytes"));
    if (!c_.flows.empty()) {
      const Flow& last = c_.flows.back();
      if (std::pair(last.from, last.to) >= std::pair(flow.from, flow.to)) {
        key_.go_to(begin);
        key_.fail("an entry that does not come after the one before", "each pair once, in order");
      }
    }
    c_.flows.push_back(flow);
  }

  KeyReader key_;
  MappingCase c_;
};

std::vector<int> children_counts(const SmallMachine& machine) {
  std::vector<int> count(machine.size(), 0);
  for (int v = 1; v < machine.size(); ++v) ++count[machine.parent[v]];
  return count;
}

// The case without vertex `gone`, whose parent gets its children and processes. No value if the rest is not a machine.
std::optional<MappingCase> without_vertex(const MappingCase& c, int gone) {
  const SmallMachine& m = c.machine;
  std::vector<int> children = children_counts(m);
  const int parent = m.parent[gone];
  const bool is_node = m.node[gone] >= 0 && m.node_vertex[m.node[gone]] == gone;
  const bool has_rank = std::find(c.place.begin(), c.place.end(), gone) != c.place.end();
  if (parent < 0 && (m.node[gone] >= 0 || children[gone] != 1)) return std::nullopt;
  if (is_node && (has_rank || children[gone] > 0)) return std::nullopt;
  if (parent >= 0) {
    children[parent] += children[gone] - 1;
    if (m.node[parent] < 0 && children[parent] == 0) return std::nullopt;
  }
  std::string text;
  for (int v = 0; v < m.size(); ++v) {
    if (v == gone) continue;
    char letter = letter_of(m, v);
    if (letter == 'o' && children[v] == 0) letter = 'c';
    text += letter;
    if (children[v] > 0) text += std::to_string(children[v]);
  }
  text += '+';
  for (int r = 0; r < c.ranks(); ++r) {
    const int v = c.place[r] == gone ? parent : c.place[r];
    text += fmt::format("{}{}", r == 0 ? "" : ".", v > gone ? v - 1 : v);
  }
  try {
    MappingCase smaller = read_mapping(text + "+none");
    smaller.flows = c.flows;
    return smaller;
  } catch (const InputError&) {
    return std::nullopt;  // a switch would come after a node
  }
}

MappingCase without_ranks(const MappingCase& c, int first, int end) {
  MappingCase smaller{.machine = c.machine, .place = {}, .flows = {}};
  for (int r = 0; r < c.ranks(); ++r) {
    if (r < first || r >= end) smaller.place.push_back(c.place[r]);
  }
  const auto stays = [&](int rank) { return rank < first || rank >= end; };
  const auto name = [&](int rank) { return rank < first ? rank : rank - (end - first); };
  for (const Flow& flow : c.flows) {
    if (stays(flow.from) && stays(flow.to)) smaller.flows.push_back({name(flow.from), name(flow.to), flow.bytes});
  }
  return smaller;
}

// Ranges of `size` items to remove: halves, quarters, ..., and single items if there are few.
std::vector<std::pair<int, int>> parts_of(int size) {
  constexpr int kFew = 24, kMostParts = 16;
  std::vector<std::pair<int, int>> parts;
  const auto cut = [&](int count) {
    for (int i = 0; i < count; ++i) parts.emplace_back(size * i / count, size * (i + 1) / count);
  };
  for (int count = 2; count <= kMostParts && count < size && size > kFew; count *= 2) cut(count);
  if (size <= kFew) cut(size);
  return parts;
}

}  // namespace

std::string mapping_key(const MappingCase& c) {
  std::string key = text_of(c.machine) + "+";
  for (int r = 0; r < c.ranks(); ++r) key += fmt::format("{}{}", r == 0 ? "" : ".", c.place[r]);
  key += "+";
  if (c.flows.empty()) return key + "none";
  for (size_t i = 0; i < c.flows.size(); ++i) {
    const Flow& flow = c.flows[i];
    key += fmt::format("{}{}-{}={}", i == 0 ? "" : ",", flow.from, flow.to, static_cast<long>(flow.bytes));
  }
  return key;
}

MappingCase read_mapping(const std::string& key) { return Reader(key).read(); }

std::vector<MappingCase> smaller_mappings(const MappingCase& c) {
  std::vector<MappingCase> smaller;
  if (c.ranks() > 1) {
    for (const auto& [first, end] : parts_of(c.ranks())) smaller.push_back(without_ranks(c, first, end));
  }
  for (int v = 0; v < c.machine.size(); ++v) {
    if (std::optional<MappingCase> less = without_vertex(c, v)) smaller.push_back(std::move(*less));
  }
  for (const auto& [first, end] : parts_of(static_cast<int>(c.flows.size()))) {
    MappingCase& less = smaller.emplace_back(c);
    less.flows.erase(less.flows.begin() + first, less.flows.begin() + end);
  }
  for (const auto& [first, end] : parts_of(static_cast<int>(c.flows.size()))) {
    MappingCase less = c;
    bool lighter = false;
    for (int i = first; i < end; ++i) lighter = std::exchange(less.flows[i].bytes, 1) > 1 || lighter;
    if (lighter) smaller.push_back(std::move(less));
  }
  return smaller;
}

std::uint64_t fingerprint(const MappingCase& c) {
  const auto of = [&](const Permutation& name) {
    std::vector<Pus> bindings(c.place.size());
    for (size_t r = 0; r < c.place.size(); ++r) bindings[name[r]] = c.machine.pus[c.place[r]];
    std::uint64_t sum = fingerprint(c.machine, bindings);
    for (const Flow& flow : c.flows) {
      // A sum does not depend on the order of its terms. The constants are FNV's offset basis and prime.
      std::uint64_t term = 14695981039346656037U;
      for (std::uint64_t part : {static_cast<std::uint64_t>(name[flow.from]), static_cast<std::uint64_t>(name[flow.to]),
                                 static_cast<std::uint64_t>(flow.bytes)}) {
        term = (term ^ (part + 1)) * 1099511628211U;
        term ^= term >> 29;
      }
      sum += term * term;
    }
    return sum;
  };
  if (c.ranks() > kNamesTried) return of(identity_of(c.ranks()));
  std::uint64_t least = ~std::uint64_t{0};
  for (const Permutation& name : permutations_of(c.ranks())) least = std::min(least, of(name));
  return least;
}

}  // namespace strata::check
