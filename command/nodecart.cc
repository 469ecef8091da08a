// SPDX-License-Identifier: LGPL-2.1-only
// strata nodecart: places the processes of a Cartesian mesh with knowledge of the nodes (EuroMPI'18), and compares with
// MPI's own order how many partners of a halo exchange are on the same node. JSON: schemas/nodecart.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>

#include "base/dims_text.h"
#include "base/error.h"
#include "base/limits.h"
#include "command/command.h"
#include "command/nodecart_engine.h"
#include "command/nodecart_survey.h"
#include "command/print.h"
#include "mpi_ext/cart/tree_paths.h"
#include "platforms/mesh_drawing.h"
#include "records/record.h"
#include "records/study.h"

namespace strata::command {
namespace {

constexpr size_t kMostDims = 32;  // with more, some are 1, or an int cannot count the processes

struct Options {
  MachineOptions machine;
  std::string dims, periods, method = "nodecart", engine = "smpi", svg;
  std::vector<int> node_sizes;
  int ppn = 0;
  bool json = false;
  double time_limit_s = 600;
};

// The requested mesh, and processes with their places.
struct Problem {
  CartProblem cart;
  std::vector<int> node_sizes;  // of all processes, including those outside the mesh
  std::vector<Binding> ranks;   // on a machine, if one was named; otherwise nodes are filled in order
  std::optional<Machine> machine;
  int np() const { return std::accumulate(node_sizes.begin(), node_sizes.end(), 0); }
};

// Parses "16x8" as numbers of at least `least`.
std::vector<int> parse_list(const std::string& option, const std::string& text, int least, const std::string& right) {
  std::vector<int> list = parse_dims(text, least);
  if (list.empty())
    throw InputError(option, "'" + text + "' is not a list of " + right, "write it as " + option + " 16x8");
  return list;
}

mpix::Mesh mesh_of(const Options& o) {
  mpix::Mesh mesh;
  mesh.dims = parse_list("--dims", o.dims, 1, "dimensions of at least 1");
  if (mesh.dims.size() > kMostDims) {
    throw InputError("--dims", fmt::format("a mesh has 1 to {} dimensions, not {}", kMostDims, mesh.dims.size()),
                     "leave some out");
  }
  long size = 1;
  for (int d : mesh.dims) {
    size *= d;
    if (size > kMostRanksInMemory) {
      throw InputError("--dims", "the mesh " + o.dims + " is too large",
                       fmt::format("its product is at most {}", kMostRanksInMemory));
    }
  }
  mesh.periods.assign(mesh.dims.size(), false);
  if (o.periods.empty()) return mesh;
  const std::vector<int> periods = parse_list("--periods", o.periods, 0, "0 (open) and 1 (periodic)");
  if (periods.size() != mesh.dims.size()) {
    throw InputError("--periods", fmt::format("{} values for {} dimensions", periods.size(), mesh.dims.size()),
                     "give 0 or 1 for each dimension, for example 1x0");
  }
  for (size_t i = 0; i < periods.size(); ++i) {
    if (periods[i] > 1) {
      throw InputError("--periods", fmt::format("{} in '{}' is neither 0 nor 1", periods[i], o.periods),
                       "give 0 (open) or 1 (periodic)");
    }
    mesh.periods[i] = periods[i] == 1;
  }
  return mesh;
}

// Nodes of --ppn processes; the last one may have fewer if the method supports that.
std::vector<int> nodes_of_ppn(const Options& o, const mpix::Mesh& mesh, mpix::CartMethod method) {
  const int size = mesh.size(), rest = size % o.ppn;
  if (rest != 0 && cuts_blocks(method)) {
    throw InputError(
        "--ppn",
        fmt::format("nodes of {} processes do not divide the {} processes of {}", o.ppn, size, dims_text(mesh.dims)),
        fmt::format("{} needs the same number on each node; --method auto does not", name_of(method)));
  }
  std::vector<int> sizes(size / o.ppn, o.ppn);
  if (rest != 0) sizes.push_back(rest);
  return sizes;
}

// Groups ranks by the objects that they share: the deepest objects that cover their bindings.
mpix::Places places_on(const Topology& t, const std::vector<Binding>& ranks) {
  std::vector<mpix::Path> paths;
  paths.reserve(ranks.size());
  for (const Binding& b : ranks) paths.push_back(mpix::path_of(t, t.covering(b.node, b.cpuset)));
  return mpix::places_along(paths);
}

// Fills nodes of these sizes in order, with each rank on its own core.
std::vector<Binding> fill_nodes(const Topology& t, const std::vector<int>& node_sizes) {
  std::vector<Binding> ranks;
  for (size_t node = 0; node < node_sizes.size(); ++node) {
    const int first = t.first_core(t.node_vertex(static_cast<int>(node)));
    for (int i = 0; i < node_sizes[node]; ++i) {
      const int core = t.cores()[first + i];
      ranks.push_back({.node = static_cast<int>(node), .cpuset = t.object(core)->cpuset, .core = core});
    }
  }
  return ranks;
}

// A machine with nodes of which only the sizes are known.
Machine machine_of(const std::vector<int>& node_sizes) {
  return machine_from_tree(
      fmt::format("node:{} core:{}", node_sizes.size(), *std::max_element(node_sizes.begin(), node_sizes.end())));
}

// Checks that the nodes are given in exactly one way, with only the options of that way.
void check_ways(const Options& o) {
  if (o.dims.empty())
    throw InputError("command line", "no mesh is given", "give its dimensions, for example --dims 128x128");
  const bool machine = o.machine.has_machine();
  const int ways = (machine ? 1 : 0) + (o.ppn > 0 ? 1 : 0) + (o.node_sizes.empty() ? 0 : 1);
  if (ways != 1) {
    throw InputError("command line", ways == 0 ? "no nodes are given" : "nodes are given in more than one way",
                     "give one of --ppn N, --node-sizes N,N,..., --machine M and --xml FILE");
  }
  if (!machine && (o.machine.np != 0 || o.machine.has_placement())) {
    throw InputError("command line", "ranks are placed, but no machine is given",
                     "give --machine M or --xml FILE with --np, --map-by, --bind-to, --oversubscribe and --bindings");
  }
  if (std::accumulate(o.node_sizes.begin(), o.node_sizes.end(), 0L) > kMostRanksInMemory) {
    throw InputError("--node-sizes", "too many processes", fmt::format("give at most {}", kMostRanksInMemory));
  }
  if (o.svg == "-" && o.json) throw InputError("--svg", "stdout is taken by the JSON document", "give --svg a file");
}

// As in MPI, a mesh has at most as many processes as the communicator.
void check_size(int size, int np, const std::string& dims) {
  if (size <= np) return;
  throw InputError("--dims", fmt::format("the mesh {} has {} processes, but there are only {} ranks", dims, size, np),
                   fmt::format("give a mesh of at most {}", np));
}

Problem problem_of(const Options& o) {
  check_ways(o);
  Problem p;
  p.cart.mesh = mesh_of(o);
  p.cart.method = *mpix::find_cart_method(o.method);
  const int size = p.cart.mesh.size();
  if (o.machine.has_machine()) {
    MachineOptions options = o.machine;
    if (options.np == 0 && options.bindings.empty()) options.np = size;
    p.machine = options.load(sim::find_installation());
    p.ranks = options.place_on(*p.machine);
    check_size(size, static_cast<int>(p.ranks.size()), o.dims);
    const mpix::Places all = places_on(*p.machine->topology, p.ranks);
    p.node_sizes = mpix::group_sizes(all.nodes());
    p.cart.places = mpix::places_of_first(all, size);
    return p;
  }
  p.node_sizes = o.ppn > 0 ? nodes_of_ppn(o, p.cart.mesh, p.cart.method) : o.node_sizes;
  check_size(size, p.np(), o.dims);
  p.cart.places = mpix::places_of_first(mpix::packed_places(p.node_sizes), size);
  return p;
}

Json count_json(const mpix::PartnerCount& c, int size) {
  return {{"min", c.min}, {"max", c.max}, {"avg", static_cast<double>(c.total) / size}};
}

Json partners_json(const mpix::Partners& p, int size, const char* on, const char* off) {
  return {{on, count_json(p.on, size)}, {off, count_json(p.off, size)}};
}

Json list_or_null(const std::vector<int>& list) { return list.empty() ? Json() : Json(list); }

// The level of nodes.
const LevelPartners& nodes_of(const Problem& p, const CartAnswer& a) { return a.levels[p.cart.places.node_level]; }

Json to_json(const Options& o, const Problem& p, const CartAnswer& a) {
  const int size = p.cart.mesh.size();
  const LevelPartners& nodes = nodes_of(p, a);
  Json document = {{"schema", "strata.nodecart/1"},
                   {"dims", p.cart.mesh.dims},
                   {"ppn", o.ppn > 0 ? Json(o.ppn) : Json()},
                   {"nodes", p.node_sizes.size()}};
  if (o.ppn == 0) {
    document["np"] = p.np();
    document["node_sizes"] = p.node_sizes;
  }
  document["intradims"] = list_or_null(a.mapping.intradims);
  document["interdims"] = list_or_null(a.mapping.interdims);
  const auto both = [&](const LevelPartners& l, const char* on, const char* off) {
    return Json{{"cart", partners_json(l.cart, size, on, off)}, {o.method, partners_json(l.mapped, size, on, off)}};
  };
  document.update(both(nodes, "on_node", "off_node"));
  if (p.cart.method == mpix::CartMethod::kAuto) document["chosen"] = name_of(a.mapping.method);
  if (a.levels.size() > 1) {
    document["levels"] = Json::array();
    for (const LevelPartners& l : a.levels) {
      Json level = {{"level", l.level}, {"groups", l.groups}};
      level.update(both(l, "inside", "outside"));
      document["levels"].push_back(std::move(level));
    }
  }
  document["new_rank"] = a.mapping.new_rank;
  for (int r = size; r < p.np(); ++r) document["new_rank"].push_back(nullptr);
  return document;
}

// "16 each", "7 to 16".
std::string sizes_text(const std::vector<int>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return *least == *most ? fmt::format("{}", *least) : fmt::format("{} to {}", *least, *most);
}

// "1024 nodes of 16".
std::string nodes_text(const std::vector<int>& sizes) {
  return fmt::format("{} node{} of {}", sizes.size(), sizes.size() == 1 ? "" : "s", sizes_text(sizes));
}

std::string periods_text(const mpix::Mesh& mesh) {
  std::vector<int> periodic;
  for (int i = 0; i < mesh.num_dims(); ++i) {
    if (mesh.periods[i]) periodic.push_back(i);
  }
  if (periodic.empty()) return "not periodic";
  if (static_cast<int>(periodic.size()) == mesh.num_dims()) return "periodic";
  return fmt::format("periodic in dimension{} {}", periodic.size() == 1 ? "" : "s", fmt::join(periodic, ", "));
}

// "nodecart", "auto (kdtree)".
std::string method_text(const Problem& p, const CartAnswer& a) {
  std::string text(name_of(p.cart.method));
  if (p.cart.method == mpix::CartMethod::kAuto) text += fmt::format(" ({})", name_of(a.mapping.method));
  return text;
}

std::string mesh_text(const Problem& p) {
  return fmt::format("mesh {}, {}, on {}", dims_text(p.cart.mesh.dims), periods_text(p.cart.mesh),
                     nodes_text(p.node_sizes));
}

std::string blocks_text(const CartAnswer& a) {
  return fmt::format("each node a block of {}, {} of them", dims_text(a.mapping.intradims),
                     dims_text(a.mapping.interdims));
}

// "47 % fewer", "9 % more", "as many".
std::string gain_text(const mpix::Partners& cart, const mpix::Partners& mapped) {
  if (cart.off.total == mapped.off.total) return "as many as in MPI's own order";
  const double change = static_cast<double>(mapped.off.total) / cart.off.total - 1;
  return fmt::format("{:.3g} % {} than in MPI's own order", std::abs(change) * 100, change < 0 ? "fewer" : "more");
}

std::string left_out_text(const Problem& p) {
  const int out = p.np() - p.cart.mesh.size();
  return fmt::format("of {} processes the {} with the highest ranks {} beyond the mesh", p.np(), out,
                     out == 1 ? "is" : "are");
}

std::string as_text(const Problem& p, const CartAnswer& a) {
  const int size = p.cart.mesh.size();
  std::string text = mesh_text(p) + "\n";
  if (p.np() > size) text += left_out_text(p) + "\n";
  if (!a.mapping.intradims.empty()) text += blocks_text(a) + "\n";
  const std::string method = method_text(p, a);
  const int width = static_cast<int>(std::max<size_t>(20, method.size() + 2));
  const auto row = [&](const std::string& name, const mpix::Partners& partners) {
    const auto count = [&](const mpix::PartnerCount& c) {
      return fmt::format("{:>6}{:>5}{:>10.6g}", c.min, c.max, static_cast<double>(c.total) / size);
    };
    text += fmt::format("{:<{}}{}{}\n", name, width, count(partners.on), count(partners.off));
  };
  for (const LevelPartners& l : a.levels) {
    const bool nodes = &l == &nodes_of(p, a);
    const std::string heading = nodes ? "partners" : fmt::format("{} ({})", l.level, l.groups);
    text += fmt::format("\n{:<{}}{:>21}{:>21}\n", heading, width, nodes ? "on the node" : "in the same",
                        nodes ? "off the node" : "in others");
    text += fmt::format("{:<{}}{:>6}{:>5}{:>10}{:>6}{:>5}{:>10}\n", "of a process", width, "min", "max", "avg", "min",
                        "max", "avg");
    row("cart", l.cart);
    if (p.cart.method != mpix::CartMethod::kCart) row(method, l.mapped);
  }
  if (p.cart.method == mpix::CartMethod::kCart) return text;
  const LevelPartners& nodes = nodes_of(p, a);
  return text + "\noff-node partners: " + gain_text(nodes.cart, nodes.mapped) + "\n";
}

std::string as_svg(const Problem& p, const CartAnswer& a) {
  const mpix::Mesh& mesh = p.cart.mesh;
  const int size = mesh.size(), dims = mesh.num_dims();
  const LevelPartners& nodes = nodes_of(p, a);
  std::vector<std::string> title = {mesh_text(p)};
  const std::vector<int> drawn = drawn_dims(mesh.dims);
  if (drawn != mesh.dims) title.push_back("too large to be drawn: here are its first " + dims_text(drawn));
  title.push_back("a colour is a node, as far as there are colours; dark lines part the nodes");
  if (dims >= 2) {
    title.back() += fmt::format("; dimension {} goes down, {} to the right", dims - 2, dims - 1);
  }
  if (dims == 3) title.push_back("slices are along dimension 0: the number above each is its coordinate there");
  if (dims > 3) title.push_back("the numbers above each slice are its coordinates in the dimensions before these");
  const auto panel = [&](const std::string& name, const std::string& heading, const mpix::Partners& partners,
                         const std::vector<int>& new_rank) {
    MeshPanel made{.name = name, .lines = {heading}, .node_of = {}, .rank_of = std::vector<int>(new_rank.size())};
    made.lines.push_back(fmt::format("off-node partners of a process: {:.4g} (min {}, max {})",
                                     static_cast<double>(partners.off.total) / size, partners.off.min,
                                     partners.off.max));
    made.node_of = mpix::groups_by_position(new_rank, p.cart.places.nodes());
    for (size_t r = 0; r < new_rank.size(); ++r) made.rank_of[new_rank[r]] = static_cast<int>(r);
    return made;
  };
  std::vector<int> own_order(size);
  std::iota(own_order.begin(), own_order.end(), 0);
  std::vector<MeshPanel> panels = {panel("cart", "before: MPI's own order", nodes.cart, own_order)};
  if (p.cart.method != mpix::CartMethod::kCart) {
    const std::string blocks = a.mapping.intradims.empty() ? "" : ", blocks of " + dims_text(a.mapping.intradims);
    panels.push_back(panel(std::string(name_of(p.cart.method)), "after: " + method_text(p, a) + blocks, nodes.mapped,
                           a.mapping.new_rank));
  }
  return draw_meshes(mesh.dims, title, panels);
}

int nodecart(const Options& o) {
  Problem p = problem_of(o);
  CartAnswer a;
  if (o.engine == "pure") {
    a = cart_by_core(p.cart);
  } else {
    if (!p.machine) {
      p.machine = machine_of(p.node_sizes);
      p.ranks = fill_nodes(*p.machine->topology, p.node_sizes);
    }
    a = cart_by_smpi(p.cart, *p.machine, p.ranks, o.time_limit_s);
  }
  const std::string svg = o.svg.empty() ? "" : as_svg(p, a);
  if (o.svg == "-") {
    std::fputs(svg.c_str(), stdout);
    return 0;
  }
  if (!o.svg.empty()) write_and_tell(o.svg, svg);
  if (o.json && p.np() > p.cart.mesh.size()) std::fprintf(stderr, "%s\n", left_out_text(p).c_str());
  if (o.json) {
    print(to_json(o, p, a));
  } else {
    print(as_text(p, a), {{"partners", console::Style::kHeading}, {"of a process", console::Style::kHeading}});
  }
  return 0;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const mpix::CartMethod m : mpix::cart_methods()) names.emplace_back(name_of(m));
  return names;
}

}  // namespace

void add_nodecart(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand(
      "nodecart", "Place a Cartesian mesh of processes on nodes, and count neighbours on and off the node");
  sub->add_option("--dims", o->dims, "dimensions of the mesh, for example 128x128");
  sub->add_option("--periods", o->periods,
                  "1 for each periodic dimension, 0 for others, for example 1x0 (default: none is periodic)");
  auto* ppn = sub->add_option("--ppn", o->ppn, "processes per node; ranks fill nodes in order")
                  ->check(cli::Range(1, kMostRanksInMemory));
  sub->add_option("--node-sizes", o->node_sizes,
                  "number of processes on each node, for example 16,16,7, instead of --ppn")
      ->delimiter(',')
      ->check(cli::Range(1, kMostRanksInMemory))
      ->excludes(ppn);
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option(
         "--method", o->method,
         "nodecart (the paper's method, default), auto (the best of all, and the library's default), multilevel, "
         "blocks, hyperplane, kdtree, strips, or cart (MPI's own order)")
      ->check(cli::IsMember(method_names()));
  sub->add_option("--engine", o->engine,
                  "smpi: run the MPI code in a simulation (default); pure: only compute the result, without MPI")
      ->check(cli::IsMember({"smpi", "pure"}));
  sub->add_option("--limit", o->time_limit_s, "stop the simulation after this many seconds of wall time (default 600)")
      ->check(cli::PositiveNumber)
      ->formerly("--time-limit");
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->add_option("--svg", o->svg, "draw the mesh, before and after, into this file (-: stdout)")
      ->writes(cli::Written::kFile);
  sub->require_subcommand(0, 1);
  add_nodecart_survey(*sub, action);
  sub->footer(
      "Examples:\n  strata nodecart --dims 64x64 --ppn 16\n"
      "  strata nodecart --dims 32x32x16 --ppn 16 --engine pure --json\n"
      "  strata nodecart --dims 24x10 --machine ntw10e5 --map-by numa --method multilevel --svg mesh.svg\n"
      "  strata nodecart --dims 13x3 --node-sizes 16,16,7 --method auto\n"
      "  strata nodecart --dims 128x128 --ppn 16 --engine pure --svg table3.svg\n"
      "  strata nodecart survey --inputs 1000");
  sub->callback([o, &action] { action = [o] { return nodecart(*o); }; });
}

}  // namespace strata::command
