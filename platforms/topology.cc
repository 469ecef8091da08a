// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/topology.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/error.h"

namespace strata {

int NetworkGroup::count_nodes() const {
  int n = nodes;
  for (const NetworkGroup& g : groups) n += g.count_nodes();
  return n;
}

namespace {

// A switch without nodes is not a level. Without a name, users could not refer to it.
void require_nodes(const NetworkGroup& group) {
  if (group.nodes < 0 || group.count_nodes() < 1)
    throw std::invalid_argument("topology: a network group without nodes");
  if (group.level.empty()) throw std::invalid_argument("topology: a network group without a level's name");
  for (const NetworkGroup& g : group.groups) require_nodes(g);
}

}  // namespace

Topology::Topology(const NetworkGroup& network, std::vector<std::shared_ptr<const NodeTree>> nodes)
    : nodes_(std::move(nodes)) {
  if (nodes_.empty() || network.count_nodes() != static_cast<int>(nodes_.size())) {
    throw std::invalid_argument("topology: the network has " + std::to_string(network.count_nodes()) + " nodes, " +
                                std::to_string(nodes_.size()) + " are given");
  }
  for (const NetworkGroup& g : network.groups) require_nodes(g);
  node_vertex_.resize(nodes_.size());
  int next_node = 0;
  add_network(network, -1, next_node);

  const int n = num_vertices();
  // Children are counted and then placed. Preorder keeps siblings in order.
  first_child_.assign(n + 1, 0);
  for (int v = 1; v < n; ++v) ++first_child_[parent_[v] + 1];
  for (int v = 0; v < n; ++v) first_child_[v + 1] += first_child_[v];
  children_.resize(n - 1);
  std::vector<int> next(first_child_.begin(), first_child_.end() - 1);
  for (int v = 1; v < n; ++v) children_[next[parent_[v]]++] = v;
  // A subtree ends where the next vertex of the same or smaller depth begins.
  subtree_end_.assign(n, n);
  for (int v = n - 1; v >= 0; --v) {
    const auto kids = children(v);
    subtree_end_[v] = kids.empty() ? v + 1 : subtree_end_[kids.back()];
  }
  first_core_.assign(n + 1, 0);
  for (int v = 0; v < n; ++v) {
    first_core_[v] = static_cast<int>(cores_.size());
    const NodeObject* o = object(v);
    if (o != nullptr && o->is_core) cores_.push_back(v);
  }
  first_core_[n] = static_cast<int>(cores_.size());
}

int Topology::add_vertex(int parent, int node, int object) {
  parent_.push_back(parent);
  depth_.push_back(parent < 0 ? 0 : depth_[parent] + 1);
  node_.push_back(node);
  object_.push_back(object);
  return num_vertices() - 1;
}

void Topology::add_network(const NetworkGroup& group, int parent, int& next_node) {
  network_names_.push_back(parent < 0 ? std::string(kClusterName) : group.level);
  const int v = add_vertex(parent, -1, static_cast<int>(network_names_.size()) - 1);
  for (const NetworkGroup& g : group.groups) add_network(g, v, next_node);
  for (int i = 0; i < group.nodes; ++i) add_node(next_node++, v);
}

void Topology::add_node(int node, int parent) {
  const std::vector<NodeObject>& objects = nodes_[node]->objects();
  const int base = num_vertices();
  node_vertex_[node] = base;
  for (int i = 0; i < static_cast<int>(objects.size()); ++i) {
    add_vertex(i == 0 ? parent : base + objects[i].parent, node, i);
  }
}

ObjectType Topology::type(int v) const { return node_[v] < 0 ? ObjectType::kNetwork : object(v)->type; }

const std::string& Topology::name(int v) const { return node_[v] < 0 ? network_names_[object_[v]] : object(v)->name; }

const NodeObject* Topology::object(int v) const {
  return node_[v] < 0 ? nullptr : &nodes_[node_[v]]->objects()[object_[v]];
}

int Topology::covering(int node, const Cpuset& cpuset) const {
  const int object = nodes_[node]->covering(cpuset);
  return object < 0 ? -1 : node_vertex_[node] + object;
}

int Topology::lowest_common_ancestor(int a, int b) const {
  while (a != b) (a > b ? a : b) = parent_[a > b ? a : b];
  return a;
}

void Topology::check_invariants() const {
  const auto fail = [](int v, const std::string& what) {
    throw std::logic_error("topology: vertex " + std::to_string(v) + ": " + what);
  };
  const int n = num_vertices();
  std::vector<int> cores_below(n, 0), size(n, 1), machines(n, 0);
  for (int v = n - 1; v >= 0; --v) {
    const int p = parent_[v];
    if ((v == 0) != (p < 0) || p >= v) fail(v, "its parent does not come before it");
    if (depth_[v] != (v == 0 ? 0 : depth_[p] + 1)) fail(v, "its depth is not its parent's plus one");
    if (v > 0 && node_[p] >= 0 && node_[p] != node_[v]) fail(v, "it lies in another node than its parent");
    if (v > 0 && node_[p] < 0 && node_[v] >= 0 && type(v) != ObjectType::kMachine) fail(v, "a node that is no Machine");
    if (subtree_end_[v] != v + size[v]) fail(v, "its subtree is not contiguous");
    const NodeObject* o = object(v);
    if (o != nullptr && o->is_core) ++cores_below[v];
    if (num_cores(v) != cores_below[v]) fail(v, "it does not count the cores below it");
    bool inside_core = false;
    for (int up = p; up >= 0 && !inside_core; up = parent_[up])
      inside_core = object(up) != nullptr && object(up)->is_core;
    if (cores_below[v] == 0 && !inside_core) fail(v, "no core below it");
    if (name(v).empty()) fail(v, "it has no name");
    int before = v;
    for (int c : children(v)) {
      if (parent_[c] != v) fail(v, "a child has another parent");
      if (c <= before) fail(v, "its children are out of order");
      before = c;
    }
    if (type(v) == ObjectType::kMachine && node_vertex_[node_[v]] != v) fail(v, "it is not its node's vertex");
    if (v > 0) {
      size[p] += size[v];
      cores_below[p] += cores_below[v];
    }
  }
  for (int node = 0; node < num_nodes(); ++node) {
    if (type(node_vertex_[node]) != ObjectType::kMachine)
      fail(node_vertex_[node], "a node's vertex that is no Machine");
    if (node > 0 && node_vertex_[node] <= node_vertex_[node - 1]) fail(node_vertex_[node], "nodes are out of order");
  }
}

std::shared_ptr<const Topology> flat_cluster(const std::shared_ptr<const NodeTree>& node, int nodes) {
  return std::make_shared<const Topology>(NetworkGroup{.level = "", .groups = {}, .nodes = nodes},
                                          std::vector(nodes, node));
}

TreeLine parse_tree_line(const std::string& line) {
  const std::string where = "tree '" + line + "'";
  const std::string remedy = "write for example 'switch:2 node:3 pack:2 core:4'";
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; text >> word;) words.push_back(word);
  const auto is_node = [](const std::string& word) { return word.rfind("node:", 0) == 0; };
  const auto node_word = std::find_if(words.begin(), words.end(), is_node);
  TreeLine tree;
  tree.network.nodes = 1;
  const auto inside_begin = node_word == words.end() ? words.begin() : node_word + 1;
  // From the inside out: first the nodes of the lowest level, then the groups of each level.
  long nodes = 1;
  if (node_word != words.end()) {
    for (auto word = node_word + 1; word != words.begin();) {
      --word;
      const size_t colon = word->find(':');
      int count = 0;
      if (colon != std::string::npos) {
        const char* end = word->data() + word->size();
        if (std::from_chars(word->data() + colon + 1, end, count).ptr != end) count = 0;
      }
      if (count <= 0 || colon == 0) throw InputError(where, "'" + *word + "' is not NAME:COUNT", remedy);
      nodes *= count;
      if (nodes > kMaxNodes) {
        throw InputError(where, "more than " + std::to_string(kMaxNodes) + " nodes", "give fewer");
      }
      if (word == node_word) {
        tree.network.nodes = count;
      } else {
        tree.network.level = word->substr(0, colon);
        tree.network = NetworkGroup{.level = "", .groups = std::vector(count, tree.network), .nodes = 0};
      }
    }
  }
  for (auto word = inside_begin; word != words.end(); ++word) tree.node += (tree.node.empty() ? "" : " ") + *word;
  if (tree.node.empty()) throw InputError(where, "nothing says what is inside a node", remedy);
  return tree;
}

std::shared_ptr<const Topology> parse_tree(const std::string& line) {
  const TreeLine tree = parse_tree_line(line);
  return std::make_shared<const Topology>(tree.network,
                                          std::vector(tree.network.count_nodes(), import_node_synthetic(tree.node)));
}

}  // namespace strata
