// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/nodecart_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "check/areas/nodecart_inputs.h"
#include "check/areas/partitions.h"
#include "check/areas/small_meshes.h"
#include "platforms/mesh_drawing.h"

namespace strata::check {
namespace {

using mpix::CartMethod;
using mpix::PlaceLevel;
using mpix::Places;

constexpr int kMostRandom = 1024;          // processes of a random case, which takes a few ms
constexpr int kFewerWithLevels = 3;        // fewer ranks for each additional level, for about the same number of cases
constexpr size_t kMostPositionsText = 64;  // maximum size of a mesh that is drawn as text

// Visits the places of `ranks` ranks on machines with `levels` levels; level number `node` is the nodes.
template <class Visit>
bool each_places(const Bounds& bounds, int ranks, int levels, int node, Visit visit) {
  const int fewer = (levels - 1) * kFewerWithLevels;
  const auto visit_all = [&](const std::vector<Groups>& all) {
    return std::all_of(all.begin(), all.end(), [&](const Groups& groups) { return visit(places_of(groups, node)); });
  };
  if (ranks <= bounds["scattered"] - fewer) return visit_all(all_groups(ranks, levels));
  if (ranks <= bounds["unequal"] - fewer) return visit_all(all_packed_groups(ranks, levels));
  const std::vector<Groups> equal = all_equal_groups(ranks, levels);
  return visit_all(equal) && std::all_of(equal.begin(), equal.end(), [&](const Groups& groups) {
           // Ranks that go round-robin over the nodes, if that differs from the order.
           const Places packed = places_of(groups, node);
           const int of_each = mpix::group_sizes(packed.nodes())[0];
           if (of_each == 1 || of_each == ranks) return true;
           return visit(reordered(packed, round_robin(ranks, of_each)));
         });
}

// The ranks of each group, if there are few.
std::string groups_text(const PlaceLevel& level) {
  std::vector<std::vector<int>> ranks(mpix::group_sizes(level.group).size());
  for (size_t r = 0; r < level.group.size(); ++r) ranks[level.group[r]].push_back(static_cast<int>(r));
  std::string text = level.name + ":";
  if (level.group.size() > kMostPositionsText) return text + fmt::format(" {} groups", ranks.size());
  for (const std::vector<int>& of_group : ranks) text += fmt::format("  {}", fmt::join(of_group, " "));
  return text;
}

// For each position, its node and its rank: one line for each row, and a blank line between slices.
std::string grid_text(const mpix::Mesh& mesh, const MeshPanel& panel) {
  const int columns = mesh.dims.empty() ? 1 : mesh.dims.back();
  const int rows = mesh.dims.size() < 2 ? 1 : mesh.dims[mesh.dims.size() - 2];
  const auto row = [&](const std::vector<int>& values, int first) {
    const size_t width = std::to_string(*std::max_element(values.begin(), values.end())).size();
    std::string text;
    for (int p = first; p < first + columns; ++p) text += fmt::format(" {:>{}}", values[p], width);
    return text;
  };
  std::string text;
  for (int first = 0; first < mesh.size(); first += columns) {
    if (first > 0 && first % (rows * columns) == 0) text += "\n";
    text += fmt::format("   {}   |{}\n", row(panel.node_of, first), row(panel.rank_of, first));
  }
  return text;
}

std::string mesh_text(const mpix::Mesh& mesh) {
  if (mesh.dims.empty()) return "mesh of one process without dimensions";
  std::vector<int> periodic;
  for (int dim = 0; dim < mesh.num_dims(); ++dim) {
    if (mesh.periods[dim]) periodic.push_back(dim);
  }
  return fmt::format(
      "mesh {}, {}", fmt::join(mesh.dims, "x"),
      periodic.empty() ? "not periodic" : fmt::format("periodic in dimension {}", fmt::join(periodic, " and ")));
}

}  // namespace

std::string NodecartDomain::about() const {
  return "positions in Cartesian meshes: all methods, blocks, partners, dimensions";
}

Bounds NodecartDomain::bounds(Effort effort) const {
  const bool full = effort == Effort::kFull;
  return {
      {"positions", full ? 24 : 12, 1, 64, "of a mesh; on equal nodes, in order and round-robin"},
      {"dims", 3, 0, 6, "dimensions of a mesh, those of 1 included"},
      {"levels", full ? 3 : 2, 1, 3, "of a machine, the nodes being each of them"},
      {"unequal", full ? 10 : 7, 0, 14,
       "positions up to which all sizes of nodes are tried, that ranks fill in order (3 less for each further level)"},
      {"scattered", full ? 8 : 5, 0, 10,
       "positions up to which ranks are on nodes in every way (3 less for each further level)"}};
}

long NodecartDomain::random_cases(Effort effort) const { return effort == Effort::kFull ? 2000 : 300; }

std::string NodecartDomain::remark(const Bounds& bounds) const {
  long meshes = 0;
  for (int size = 1; size <= bounds["positions"]; ++size) {
    for (const std::vector<int>& dims : all_dims(size, 0, bounds["dims"])) meshes += 1L << dims.size();
  }
  return fmt::format("{} meshes with their periods, all orders of dimensions", meshes);
}

void NodecartDomain::enumerate(const Bounds& bounds, const Visit& visit) const {
  bool more = true;
  for (int size = 1; size <= bounds["positions"]; ++size) {
    each_mesh(size, 0, bounds["dims"], [&](const mpix::Mesh& mesh) {
      for (int levels = 1; levels <= bounds["levels"]; ++levels) {
        for (int node = 0; node < levels; ++node) {
          more = more && each_places(bounds, size, levels, node, [&](Places places) {
                   return visit({mesh, std::move(places)});
                 });
        }
      }
    });
  }
}

NodecartCase NodecartDomain::random(const Bounds&, Random& random) const {
  NodecartInput input = random_nodecart_input(random, kMostRandom);
  const int ranks = static_cast<int>(input.places.nodes().size());
  std::vector<int> nodes = input.places.nodes();
  Groups groups = {nodes};
  int node = 0;
  // Switches with equally many nodes, except the last one; then sockets of ranks.
  if (random() % 2 == 0) {
    const int of_each = 1 + static_cast<int>(random() % input.node_sizes.size());
    for (int& n : nodes) n /= of_each;
    groups.insert(groups.begin(), numbered_in_order(nodes));
    node = 1;
  }
  if (random() % 2 == 0) {
    const int sockets = 1 + static_cast<int>(random() % 4);
    std::vector<int> socket = input.places.nodes(), next(input.node_sizes.size(), 0);
    for (int r = 0; r < ranks; ++r) {
      const int n = socket[r];
      socket[r] = n * sockets + next[n]++ * sockets / input.node_sizes[n];
    }
    groups.push_back(numbered_in_order(socket));
  }
  return {std::move(input.mesh), places_of(groups, node)};
}

std::uint64_t NodecartDomain::fingerprint(const NodecartCase& c) const {
  std::vector<std::pair<int, bool>> dims;
  for (int dim = 0; dim < c.mesh.num_dims(); ++dim) dims.emplace_back(c.mesh.dims[dim], c.mesh.periods[dim]);
  std::sort(dims.begin(), dims.end());
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits, over numbers instead of bytes
  const auto add = [&](std::uint64_t number) { hash = (hash ^ number) * 0x100000001b3; };
  for (const auto& [length, period] : dims) add(2ULL * length + (period ? 1 : 0));
  add(c.places.node_level);
  for (const PlaceLevel& level : c.places.levels) {
    add(c.places.levels.size());
    for (int g : level.group) add(g);
  }
  return hash ^ hash >> 32;
}

Drawing NodecartDomain::draw(const NodecartCase& c) const {
  const Outcome outcome = run(c);
  std::vector<std::string> title = {mesh_text(c.mesh)};
  for (const PlaceLevel& level : c.places.levels) title.push_back(groups_text(level));
  Drawing drawing{fmt::format("{}\nranks by {}\n", title[0], fmt::join(title.begin() + 1, title.end(), "\nranks by ")),
                  {}};
  // Methods with the same mapping share a panel. cart, the order before, is first, and auto is last.
  std::vector<MeshPanel> panels;
  std::vector<CartMethod> methods = mpix::cart_methods();
  std::rotate(methods.begin(), methods.begin() + 1, methods.end());
  for (CartMethod method : methods) {
    const Outcome::Mapped& mapped = outcome.methods[static_cast<size_t>(method)];
    if (!mapped.mapping) {
      drawing.text += fmt::format("{}: refused\n", name_of(method));
      continue;
    }
    const mpix::Mapping& m = *mapped.mapping;
    if (!is_permutation_of_all(m.new_rank, c.mesh.size())) {
      drawing.text += fmt::format("{}: ranks go to positions {}\n", name_of(method), fmt::join(m.new_rank, " "));
      continue;
    }
    const std::string name(name_of(method));
    MeshPanel panel{name, {name}, mpix::groups_by_position(m.new_rank, c.places.nodes()), m.new_rank};
    for (size_t r = 0; r < m.new_rank.size(); ++r) panel.rank_of[m.new_rank[r]] = static_cast<int>(r);
    const auto same = std::find_if(panels.begin(), panels.end(),
                                   [&](const MeshPanel& other) { return other.rank_of == panel.rank_of; });
    if (same != panels.end()) {
      same->lines[0] += ", " + name;
      continue;
    }
    panel.lines.push_back(fmt::format("{} partners off the node", mapped.partners[c.places.node_level].off.total));
    panels.push_back(std::move(panel));
  }
  for (const MeshPanel& panel : panels) {
    drawing.text += fmt::format("{}: {}\n", panel.lines[0], panel.lines[1]);
    if (c.places.nodes().size() <= kMostPositionsText) drawing.text += grid_text(c.mesh, panel);
  }
  drawing.svg = draw_meshes(c.mesh.dims, title, panels);
  return drawing;
}

std::unique_ptr<Area> nodecart_area() { return area_of(std::make_unique<NodecartDomain>()); }

}  // namespace strata::check
