// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/slurm_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/yaml_reader.h"
#include "platforms/hostlist.h"
#include "platforms/level_name.h"

namespace strata {
namespace {

constexpr int kMostLevels = 64;  // deeper trees are errors
constexpr const char* kExpected = "Slurm's topology.conf or topology.yaml";

// A switch or a block, as described in the file.
struct Described {
  std::string name, where;
  std::vector<std::string> children = {}, nodes = {};
};

struct Description {
  std::string type;              // "tree" or "block"
  std::vector<Described> parts;  // in the order of the file
  std::vector<int> sizes = {};   // of blocks, in nodes
  std::string where_of_sizes = {};
};

// --- checks of both kinds ------------------------------------------------------------------------------------------

std::map<std::string, size_t> index_names(const std::vector<Described>& parts, const std::string& kind) {
  std::map<std::string, size_t> index;
  std::map<std::string, const Described*> owner;
  size_t nodes = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Described& part = parts[i];
    const auto [known, is_new] = index.emplace(part.name, i);
    if (!is_new) {
      throw InputError(part.where, fmt::format("{} {} is described twice", kind, shown(part.name)),
                       "keep one; the other is " + parts[known->second].where);
    }
    nodes += part.nodes.size();
    if (nodes > kMaxNodes) throw InputError(part.where, fmt::format("more than {} nodes", kMaxNodes), "give fewer");
    for (const std::string& node : part.nodes) {
      const auto [before, first] = owner.emplace(node, &part);
      if (first) continue;
      const bool same = before->second == &part;
      throw InputError(
          part.where,
          fmt::format("node {} is {}", shown(node), same ? "named twice" : "also below " + shown(before->second->name)),
          same ? "name it once" : "keep one; the other is " + before->second->where);
    }
  }
  return index;
}

// --- trees ---------------------------------------------------------------------------------------------------------

class TreeOfSwitches {
 public:
  TreeOfSwitches(const std::vector<Described>& switches, SlurmTopology& into)
      : switches_(switches),
        index_(index_names(switches, "switch")),
        into_(into),
        same_as_(switches.size()),
        parent_(switches.size(), kNone),
        below_(switches.size()),
        height_(switches.size(), 1),
        state_(switches.size(), State::kNew) {}

  void build() {
    for (size_t i = 0; i < switches_.size(); ++i) visit(i, 0);
    into_.network = group_of(root());
    name_levels(into_.network);
    into_.network.level.clear();
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  enum class State { kNew, kOpen, kDone };

  // Visits the switches below a switch first, so that switches with the same ones below them are recognized as one.
  void visit(size_t i, int depth) {
    const Described& s = switches_[i];
    if (state_[i] == State::kDone) return;
    if (state_[i] == State::kOpen) {
      throw InputError(s.where, fmt::format("switch {} is below itself", shown(s.name)), "list what hangs below it");
    }
    if (s.children.empty() && s.nodes.empty()) {
      throw InputError(s.where, fmt::format("switch {} has nothing below it", shown(s.name)),
                       "give its nodes, or its switches");
    }
    require_few_levels(s, depth);
    state_[i] = State::kOpen;
    for (const std::string& name : s.children) {
      const auto child = index_.find(name);
      if (child == index_.end()) {
        throw InputError(s.where, fmt::format("switch {} is not described", shown(name)), "add its line");
      }
      visit(child->second, depth + 1);
      height_[i] = std::max(height_[i], height_[child->second] + 1);
      const size_t one = same_as_[child->second];
      if (std::find(below_[i].begin(), below_[i].end(), one) == below_[i].end()) below_[i].push_back(one);
    }
    require_few_levels(s, height_[i]);
    state_[i] = State::kDone;
    same_as_[i] = i;
    if (s.nodes.empty()) {
      std::vector<size_t> sorted = below_[i];
      std::sort(sorted.begin(), sorted.end());
      same_as_[i] = first_above_.emplace(std::move(sorted), i).first->second;
    }
    if (same_as_[i] != i) return note_same(s, switches_[same_as_[i]]);
    for (const size_t child : below_[i]) hang(child, i);
  }

  static void require_few_levels(const Described& s, int levels) {
    if (levels > kMostLevels) throw InputError(s.where, fmt::format("more than {} levels", kMostLevels), "give fewer");
  }

  void note_same(const Described& s, const Described& first) {
    into_.notes.push_back(fmt::format("{}: switch {} connects what {} does; both are one group", s.where, shown(s.name),
                                      shown(first.name)));
  }

  void hang(size_t child, size_t above) {
    if (parent_[child] != kNone) {
      throw InputError(switches_[above].where,
                       fmt::format("switch {} is also below {}, which has other switches below it",
                                   shown(switches_[child].name), shown(switches_[parent_[child]].name)),
                       "describe a tree; for the cables of a network that is none, see --ibnetdiscover");
    }
    parent_[child] = above;
  }

  // The root of the tree with the most nodes, the first among equals. Notes report the other trees.
  size_t root() const {
    std::vector<size_t> roots, sizes;
    for (size_t i = 0; i < switches_.size(); ++i) {
      if (same_as_[i] != i || parent_[i] != kNone) continue;
      roots.push_back(i);
      sizes.push_back(nodes_below(i));
    }
    const size_t best = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    for (size_t r = 0; r < roots.size(); ++r) {
      if (r == best) continue;
      const Described& s = switches_[roots[r]];
      into_.notes.push_back(fmt::format(
          "{}: switch {} and its {} left out: nothing connects them with switch {}, which "
          "has {}",
          s.where, shown(s.name), counted(sizes[r]), shown(switches_[roots[best]].name), counted(sizes[best])));
    }
    return roots[best];
  }

  size_t nodes_below(size_t i) const {
    size_t nodes = switches_[i].nodes.size();
    for (const size_t child : below_[i]) nodes += nodes_below(child);
    return nodes;
  }

  static std::string counted(size_t nodes) { return fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s"); }

  // In the order of the file: switches before nodes.
  NetworkGroup group_of(size_t i) {
    const Described& s = switches_[i];
    if (below_[i].size() == 1 && s.nodes.empty()) return group_of(below_[i].front());
    NetworkGroup group;
    for (const size_t child : below_[i]) group.groups.push_back(group_of(child));
    group.nodes = static_cast<int>(s.nodes.size());
    into_.nodes.insert(into_.nodes.end(), s.nodes.begin(), s.nodes.end());
    return group;
  }

  // Names levels by their height above the leaf switches. Returns the height.
  static int name_levels(NetworkGroup& group) {
    int height = 1;
    for (NetworkGroup& below : group.groups) height = std::max(height, name_levels(below) + 1);
    group.level = level_name("Switch", height);
    return height;
  }

  const std::vector<Described>& switches_;
  const std::map<std::string, size_t> index_;
  SlurmTopology& into_;
  std::vector<size_t> same_as_;             // the first switch that has the same ones below it
  std::vector<size_t> parent_;              // only of first ones
  std::vector<std::vector<size_t>> below_;  // first ones only
  std::vector<int> height_;
  std::vector<State> state_;
  std::map<std::vector<size_t>, size_t> first_above_;
};

// --- blocks --------------------------------------------------------------------------------------------------------

// Groups of `count` successive groups form the level above.
std::vector<NetworkGroup> gathered(std::vector<NetworkGroup> groups, size_t count, const std::string& level) {
  std::vector<NetworkGroup> above;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i % count == 0) above.push_back({.level = level, .groups = {}, .nodes = 0});
    above.back().groups.push_back(std::move(groups[i]));
  }
  return above;
}

void build_blocks(const Description& description, SlurmTopology& into) {
  index_names(description.parts, "block");
  std::vector<NetworkGroup> groups;
  for (const Described& block : description.parts) {
    if (block.nodes.empty()) throw InputError(block.where, fmt::format("block {} has no nodes", shown(block.name)), "");
    groups.push_back({.level = "Block", .groups = {}, .nodes = static_cast<int>(block.nodes.size())});
    into.nodes.insert(into.nodes.end(), block.nodes.begin(), block.nodes.end());
  }
  int height = 1;
  for (size_t i = 1; i < description.sizes.size(); ++i) {
    const int below = description.sizes[i - 1], size = description.sizes[i];
    const int count = below < 1 ? 0 : size / below;
    if (count < 2 || size % below != 0 || (count & (count - 1)) != 0) {
      throw InputError(description.where_of_sizes, fmt::format("a block size of {} above one of {}", size, below),
                       "each is a power of two times the one before: 30,120");
    }
    if (static_cast<size_t>(count) >= groups.size()) break;  // a single group: this is the network's root
    groups = gathered(std::move(groups), count, level_name("Block", ++height));
  }
  if (groups.size() == 1) {
    into.network = std::move(groups.front());
    into.network.level.clear();
  } else {
    into.network.groups = std::move(groups);
  }
}

// --- topology.conf -------------------------------------------------------------------------------------------------

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// A line with its continuation lines, without a comment.
std::string whole_line(LineReader& file) {
  std::string line(file.text());
  while (!line.empty() && line.back() == '\\') {
    line.pop_back();
    if (!file.next()) break;
    line += file.text();
  }
  const size_t comment = line.find('#');
  return comment == std::string::npos ? line : line.substr(0, comment);
}

std::vector<int> sizes_of(std::string_view list, const LineReader& file) {
  std::vector<int> sizes;
  for (bool more = true; more;) {
    const size_t comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
    int size = 0;
    if (std::from_chars(item.data(), item.data() + item.size(), size).ptr != item.data() + item.size() || size < 1)
      file.fail(fmt::format("{} is not a number of nodes", shown(item)), "write for example BlockSizes=30,120");
    sizes.push_back(size);
  }
  return sizes;
}

class ConfReader {
 public:
  explicit ConfReader(const std::filesystem::path& path) : file_(path, kExpected) {}

  Description read() {
    while (file_.next()) read_line();
    if (description_.parts.empty()) file_.fail("no SwitchName= and no BlockName=");
    return std::move(description_);
  }

 private:
  void read_line() {
    where_ = file_.where();
    const std::string line = whole_line(file_);
    Described part{.name = "", .where = where_};
    std::string type;
    for (const std::string_view word : words_of(line)) {
      const size_t equals = word.find('=');
      if (equals == std::string_view::npos || equals + 1 == word.size()) {
        file_.fail(shown(word) + " is not KEY=VALUE", "write for example SwitchName=s1 Nodes=node[01-16]");
      }
      std::string_view value = word.substr(equals + 1);
      if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
      const std::string key = lower(word.substr(0, equals));
      if (key == "switchname" || key == "blockname") {
        part.name = value;
        type = key == "switchname" ? "tree" : "block";
      } else if (key == "switches") {
        part.children = expand_hostlist(value, where_);
      } else if (key == "nodes") {
        part.nodes = expand_hostlist(value, where_);
      } else if (key == "blocksizes") {
        description_.sizes = sizes_of(value, file_);
        description_.where_of_sizes = where_;
      } else if (key != "linkspeed") {  // Slurm does not use it either
        file_.fail("unknown key " + shown(word.substr(0, equals)),
                   "the keys are SwitchName, Switches, Nodes, LinkSpeed, BlockName and BlockSizes");
      }
    }
    if (type.empty()) {
      if (!part.children.empty() || !part.nodes.empty())
        file_.fail("has no name", "begin with SwitchName= or BlockName=");
      return;
    }
    if (!description_.type.empty() && type != description_.type)
      file_.fail("mixes switches and blocks", "describe a tree or blocks");
    if (type == "block" && !part.children.empty()) file_.fail("a block has no switches below it", "give its Nodes=");
    description_.type = type;
    description_.parts.push_back(std::move(part));
  }

  LineReader file_;
  std::string where_;  // where the current line begins
  Description description_;
};

// --- topology.yaml -------------------------------------------------------------------------------------------------

std::vector<std::string> names_at(const YamlReader& part, const std::string& key) {
  if (!part.has(key)) return {};
  const YamlReader at = part.at(key);
  return expand_hostlist(at.text(), at.where());
}

Description description_of(const YamlReader& topology) {
  Description description;
  const bool tree = topology.has("tree");
  if (tree == topology.has("block")) {
    topology.fail("is neither a tree nor of blocks", "give a topology with `tree:` or with `block:`");
  }
  description.type = tree ? "tree" : "block";
  const YamlReader body = topology.at(description.type);
  for (const YamlReader& part : body.at(tree ? "switches" : "blocks").items()) {
    description.parts.push_back({.name = part.at(tree ? "switch" : "block").text(),
                                 .where = part.where(),
                                 .children = tree ? names_at(part, "children") : std::vector<std::string>(),
                                 .nodes = names_at(part, "nodes")});
  }
  if (description.parts.empty()) body.fail("is empty", "list its switches or blocks");
  if (!tree && body.has("block_sizes")) {
    const YamlReader sizes = body.at("block_sizes");
    for (const YamlReader& size : sizes.items())
      description.sizes.push_back(static_cast<int>(size.integer(1, kMaxNodes)));
    description.where_of_sizes = sizes.where();
  }
  return description;
}

Description read_yaml(const std::filesystem::path& path, std::vector<std::string>& notes) {
  const YamlReader file(path.string(), load_yaml_list(path, std::string("give ") + kExpected));
  const std::vector<YamlReader> topologies = file.items();
  if (topologies.empty()) file.fail("has no topology", "");
  if (topologies.size() == 1) return description_of(topologies.front());
  for (const YamlReader& topology : topologies) {
    if (!topology.has("cluster_default") || !topology.at("cluster_default").boolean()) continue;
    notes.push_back(fmt::format("{}: the cluster's default topology is used, {}", topology.where(),
                                shown(topology.at("topology").text())));
    return description_of(topology);
  }
  file.fail(fmt::format("has {} topologies and no default", topologies.size()),
            "write `cluster_default: true` in the one to use");
}

// Whether the file begins with an item of a list.
bool is_yaml(const std::filesystem::path& path) {
  LineReader file(path, kExpected);
  while (file.next()) {
    if (!file.text().empty() && file.text().front() != '#') return file.text().front() == '-';
  }
  return false;
}

}  // namespace

SlurmTopology read_slurm_topology(const std::filesystem::path& path) {
  SlurmTopology topology;
  const Description description = is_yaml(path) ? read_yaml(path, topology.notes) : ConfReader(path).read();
  topology.type = description.type;
  if (description.type == "block") {
    build_blocks(description, topology);
  } else {
    TreeOfSwitches(description.parts, topology).build();
  }
  return topology;
}

}  // namespace strata
