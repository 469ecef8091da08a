// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/hostfile.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/input_file.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// The lines of a file without comments and blank lines.
class Lines {
 public:
  Lines(fs::path file, const char* example)
      : file_(std::move(file)), example_(example), in_(open_input(file_, write_example())) {}

  bool next(std::string& line) {
    while (std::getline(in_, line)) {
      ++number_;
      line.erase(std::min(line.find('#'), line.size()));
      line.erase(line.find_last_not_of(" \t\r") + 1);
      line.erase(0, line.find_first_not_of(" \t"));
      if (!line.empty()) return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", file_.string(), number_), what, remedy);
  }
  [[noreturn]] void fail(const std::string& what) const { fail(what, write_example()); }
  [[noreturn]] void fail_file(const std::string& what) const {
    throw InputError(file_.string(), what, write_example());
  }

 private:
  std::string write_example() const { return fmt::format("write lines such as `{}`", example_); }

  fs::path file_;
  const char* example_;
  std::ifstream in_;
  int number_ = 0;
};

std::optional<int> whole(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

// Maps the names in a file to nodes.
class Names {
 public:
  Names(const Lines& lines, const Topology& t, const std::vector<std::string>& names)
      : lines_(lines), nodes_(t.num_nodes()), names_(names) {
    for (size_t i = 0; i < names.size(); ++i) known_.emplace(names[i], static_cast<int>(i));
  }

  int node(const std::string& name) {
    static const RE2 ours(R"((?:node|\+n)(\d{1,9}))", RE2::Latin1);
    int number = 0;
    const bool numbered = RE2::FullMatch(name, ours, &number);
    const auto known = known_.find(name);
    const Manner manner = known != known_.end() && manner_ != Manner::kNumbers ? Manner::kKnown
                          : numbered                                           ? Manner::kNumbers
                                                                               : Manner::kForeign;
    if (manner_ == Manner::kKnown ? manner != Manner::kKnown
                                  : !manner_ && manner == Manner::kForeign && !known_.empty())
      lines_.fail(fmt::format("no node of the machine is called '{}'", name), "its nodes are called " + few_names());
    if (manner_.value_or(manner) != manner)
      lines_.fail(fmt::format("'{}' is beside names of another kind", name), "call nodes node0, node1, ... throughout");
    manner_ = manner;
    if (manner == Manner::kKnown) return known->second;
    if (manner == Manner::kNumbers) return check(number, name);
    return check(foreign_.emplace(name, static_cast<int>(foreign_.size())).first->second, name);
  }

 private:
  enum class Manner { kKnown, kNumbers, kForeign };  // names of the machine's nodes; node0 or +n0; others

  int check(int node, const std::string& name) const {
    if (node < nodes_) return node;
    lines_.fail(fmt::format("'{}' is node {} of the machine, which has {}", name, node, nodes_),
                nodes_ == 1 ? "its only node is node0" : fmt::format("its nodes are node0 to node{}", nodes_ - 1));
  }

  // The first and the last name.
  std::string few_names() const {
    return names_.size() == 1 ? names_.front() : fmt::format("{} to {}", names_.front(), names_.back());
  }

  const Lines& lines_;
  int nodes_;
  const std::vector<std::string>& names_;
  std::map<std::string, int> known_, foreign_;
  std::optional<Manner> manner_;  // the kind of the file's names so far
};

// The numbers in a list such as "0-3,8", or all if it is "*".
std::vector<int> numbers_of(const std::string& list, int all, const Lines& lines) {
  std::vector<int> numbers;
  if (list == "*") {
    for (int i = 0; i < all; ++i) numbers.push_back(i);
    return numbers;
  }
  const std::optional<Cpuset> set = Cpuset::parse(list);
  if (!set || set->first() < 0) lines.fail(fmt::format("'{}' is not a list of numbers", list));
  for (int i = set->first(); i >= 0; i = set->next(i)) {
    if (i >= all) lines.fail(fmt::format("core {} does not exist", i), fmt::format("give 0 to {}", all - 1));
    numbers.push_back(i);
  }
  return numbers;
}

// The cores below a vertex, as indexes into Topology::cores().
std::vector<int> cores_below(const Topology& t, int v) {
  std::vector<int> cores;
  for (int i = t.first_core(v); i < t.first_core(v) + t.num_cores(v); ++i) cores.push_back(i);
  return cores;
}

Binding binding_of(const Topology& t, int node, const std::string& slot, const Lines& lines) {
  const int machine = t.node_vertex(node);
  std::vector<int> cores = cores_below(t, machine);
  std::string list = slot;
  const size_t colon = slot.find(':');
  if (colon != std::string::npos) {
    std::vector<int> sockets;
    for (int v = machine; v < t.subtree_end(machine); ++v) {
      if (t.type(v) == ObjectType::kPackage) sockets.push_back(v);
    }
    const std::optional<int> socket = whole(slot.substr(0, colon));
    if (!socket || *socket >= static_cast<int>(sockets.size()))
      lines.fail(fmt::format("node {} has no socket '{}'", node, slot.substr(0, colon)),
                 fmt::format("it has {}, counted from 0", sockets.size()));
    cores = cores_below(t, sockets[*socket]);
    list = slot.substr(colon + 1);
  } else {
    // By logical index; the order in the tree may differ.
    std::sort(cores.begin(), cores.end(), [&t](int a, int b) {
      return t.object(t.cores()[a])->logical_index < t.object(t.cores()[b])->logical_index;
    });
  }
  Binding b{node, {}, -1};
  int first = -1;
  for (const int number : numbers_of(list, static_cast<int>(cores.size()), lines)) {
    const int core = cores[number];
    const Cpuset& pus = t.object(t.cores()[core])->cpuset;
    for (int pu = pus.first(); pu >= 0; pu = pus.next(pu)) b.cpuset.add(pu);
    if (first < 0 || core < first) first = core;
  }
  b.core = t.cores()[first];
  return b;
}

}  // namespace

std::vector<HostSlots> read_hostfile(const fs::path& file, const Topology& t, const std::vector<std::string>& known) {
  Lines lines(file, "node0 slots=4");
  Names names(lines, t, known);
  struct Host {
    int node = 0, named = 0;
    std::string name;
    std::optional<int> stated = {};
  };
  std::vector<Host> hosts;
  for (std::string line; lines.next(line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    std::optional<int> slots;
    const size_t colon = name.find(':');
    if (colon != std::string::npos) {
      slots = whole(name.substr(colon + 1));
      if (!slots) lines.fail(fmt::format("'{}' is not a number of slots", name.substr(colon + 1)));
      name.erase(colon);
    }
    for (std::string word; words >> word;) {
      const size_t equal = word.find('=');
      const std::string key = word.substr(0, equal);
      if (key == "max_slots" || key == "max-slots") continue;
      if (key != "slots" || equal == std::string::npos) lines.fail(fmt::format("'{}' is not understood", word));
      slots = whole(word.substr(equal + 1));
      if (!slots) lines.fail(fmt::format("'{}' is not a number of slots", word.substr(equal + 1)));
    }
    const int node = names.node(name);
    auto at = std::find_if(hosts.begin(), hosts.end(), [node](const Host& h) { return h.node == node; });
    if (at == hosts.end()) at = hosts.insert(hosts.end(), {.node = node, .name = name});
    ++at->named;
    if (slots) at->stated = at->stated.value_or(0) + *slots;
  }
  if (hosts.empty()) lines.fail_file("names no node");
  std::vector<HostSlots> result;
  for (const Host& h : hosts) {
    const int unstated = h.named > 1 ? h.named : t.num_cores(t.node_vertex(h.node));
    result.push_back({h.node, h.stated.value_or(unstated), h.name});
  }
  return result;
}

std::vector<Binding> place_on_hosts(const Topology& t, const std::vector<HostSlots>& given, int np,
                                    const PlacementOptions& options) {
  // The order in which ranks take the cores of a node is that of placing as many ranks on the machine as have room.
  PlacementOptions all = options;
  all.oversubscribe = false;
  std::map<int, std::vector<Binding>> of_node;
  for (const Binding& b : place(t, room_for_ranks(t, all), all)) of_node[b.node].push_back(b);
  std::vector<HostSlots> hosts = given;
  if (options.cores_per_rank > 1) {  // at most as many ranks as have room
    for (HostSlots& h : hosts) h.slots = std::min(h.slots, static_cast<int>(of_node[h.node].size()));
  }
  int slots = 0;
  for (const HostSlots& h : hosts) slots += h.slots;
  if (slots == 0) throw InputError("--hostfile", "it has no slots", "give slots=N with N above 0");
  if (np == 0) np = slots;
  if (np > slots && !options.oversubscribe) {
    throw InputError("--hostfile", fmt::format("{} ranks, but it has {} slots", np, slots),
                     "name more nodes, give slots=N, or add --oversubscribe");
  }
  std::vector<int> taken(hosts.size());
  std::vector<Binding> ranks;
  const auto take = [&](size_t host) {
    const std::vector<Binding>& cores = of_node[hosts[host].node];
    const auto number = static_cast<size_t>(taken[host]++);
    if (number >= cores.size() && !options.oversubscribe) {
      throw InputError("--hostfile",
                       fmt::format("{} has {} cores, but gets more ranks", hosts[host].name, cores.size()),
                       "give it fewer slots, or add --oversubscribe");
    }
    ranks.push_back(cores[number % cores.size()]);
  };
  const bool in_turn = options.map_by.value() == Dealing::kNode;
  while (static_cast<int>(ranks.size()) < np) {
    const int pass = 1 + static_cast<int>(ranks.size()) / slots;  // after the first pass, nodes are oversubscribed
    for (size_t h = 0; h < hosts.size(); ++h) {
      const int free = hosts[h].slots * pass - taken[h], wanted = np - static_cast<int>(ranks.size());
      for (int i = 0; i < std::min(in_turn ? std::min(free, 1) : free, wanted); ++i) take(h);
    }
  }
  return ranks;
}

std::vector<Binding> read_rankfile(const fs::path& file, const Topology& t, const std::vector<std::string>& known,
                                   int np) {
  Lines lines(file, "rank 0=node0 slot=0-3");
  Names names(lines, t, known);
  static const RE2 form(R"(rank\s+(\d{1,9})\s*=\s*(\S+)\s+slots?\s*=\s*(\S+))", RE2::Latin1);
  std::map<int, Binding> by_rank;
  for (std::string line; lines.next(line);) {
    int rank = 0;
    std::string node, slots;
    if (!RE2::FullMatch(line, form, &rank, &node, &slots)) lines.fail(fmt::format("'{}' is not understood", line));
    const Binding binding = binding_of(t, names.node(node), slots, lines);
    if (!by_rank.emplace(rank, binding).second)
      lines.fail(fmt::format("rank {} is there twice", rank), "give each rank one line");
  }
  std::vector<Binding> ranks;
  for (const auto& [rank, binding] : by_rank) {
    if (rank != static_cast<int>(ranks.size())) lines.fail_file(fmt::format("rank {} is missing", ranks.size()));
    ranks.push_back(binding);
  }
  if (ranks.empty()) lines.fail_file("places no rank");
  if (np != 0 && np != static_cast<int>(ranks.size())) {
    throw InputError(file.string(), fmt::format("places {} ranks, but -n says {}", ranks.size(), np),
                     "leave -n out, or give a line for each rank");
  }
  return ranks;
}

}  // namespace strata
