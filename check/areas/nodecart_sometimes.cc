// SPDX-License-Identifier: LGPL-2.1-only
// Properties that at least one case of the area nodecart must have.
#include <algorithm>
#include <optional>

#include "check/areas/nodecart_judging.h"
#include "check/areas/slow_orders.h"

namespace strata::check {

using namespace nodecart;
using mpix::CartMethod;
using Case = NodecartCase;
using Outcome = NodecartOutcome;
using Mapped = NodecartOutcome::Mapped;

std::vector<NodecartProperty> nodecart_sometimes() {
  std::vector<NodecartProperty> all;
  const auto add = [&](const char* name, const char* statement, const char* source, auto has) {
    all.push_back(sometimes<Case, Outcome>(name, statement, source, has));
  };
  const auto periodic = [](int length) {
    return [length](const Case& c, const Outcome&) {
      for (size_t i = 0; i < c.mesh.dims.size(); ++i) {
        if (c.mesh.dims[i] == length && c.mesh.periods[i]) return true;
      }
      return false;
    };
  };
  const auto below_cart = [](CartMethod method, bool above) {
    return [method, above](const Case& c, const Outcome& o) {
      if (!of(o, method).mapping) return false;
      const int node = c.places.node_level;
      const long is = of(o, method).partners[node].off.total, cart = of(o, CartMethod::kCart).partners[node].off.total;
      return above ? is > cart : is < cart;
    };
  };
  const auto takes = [](CartMethod method) {
    return [method](const Case&, const Outcome& o) { return of(o, CartMethod::kAuto).mapping->method == method; };
  };
  add("unequal-nodes", "a machine has nodes of different sizes", "EuroMPI'18, Section 2.1, assumes that none has",
      [](const Case& c, const Outcome&) { return !has_equal_nodes(c); });
  add("ranks-not-in-order", "the ranks of a node are not consecutive", "our bindings",
      [](const Case& c, const Outcome&) { return !is_packed(c.places.nodes()); });
  add("further-levels", "a machine has switches or sockets", kMultilevelPaper,
      [](const Case& c, const Outcome&) { return c.places.levels.size() > 1; });
  add("some-refusal", "a method refuses, others do not", kHeader, [](const Case&, const Outcome& o) {
    return std::any_of(o.methods.begin(), o.methods.end(), [](const Mapped& m) { return !m.mapping; });
  });
  add("block-does-not-fit", "a number of ranks has a factor that divides no dimension", kNodecartPaper,
      [](const Case&, const Outcome& o) { return !o.block; });
  add("tie-to-shortest", "of equal extents the rule takes that of the shortest block", "EuroMPI'18, Table 3",
      [](const Case& c, const Outcome&) {
        const std::optional<FactorRule> rule = slow_factor_rule(c.mesh.dims, node_sizes(c)[0]);
        return rule && rule->shortest_decided;
      });
  add("tie-to-first", "of equal extents and blocks the rule takes the first", kNodecartPaper,
      [](const Case& c, const Outcome&) {
        const std::optional<FactorRule> rule = slow_factor_rule(c.mesh.dims, node_sizes(c)[0]);
        return rule && rule->first_decided;
      });
  add("periodic-of-one", "a process is its own partner", "MPI 4.0, Section 8.5.6", periodic(1));
  add("periodic-of-two", "a partner comes twice", "MPI 4.0, Section 8.5.6", periodic(2));
  add("auto-below-cart", "auto has fewer partners off the node than cart", "EuroMPI'18, Table 3",
      below_cart(CartMethod::kAuto, false));
  add("nodecart-above-cart", "the paper's method has more partners off the node than cart", "docs/cartesian.md",
      below_cart(CartMethod::kNodecart, true));
  add("auto-takes-nodecart", "nodecart is the first of the best", kHeader, takes(CartMethod::kNodecart));
  add("auto-takes-multilevel", "multilevel is the first of the best", kHeader, takes(CartMethod::kMultilevel));
  add("auto-takes-blocks", "blocks is the first of the best", kHeader, takes(CartMethod::kBlocks));
  add("auto-takes-hyperplane", "hyperplane is the first of the best", kHeader, takes(CartMethod::kHyperplane));
  add("auto-takes-kdtree", "kdtree is the first of the best", kHeader, takes(CartMethod::kKdTree));
  add("auto-takes-strips", "strips is the first of the best", kHeader, takes(CartMethod::kStrips));
  add("auto-is-optimal", "no assignment has fewer partners off the node than auto", "brute force",
      [](const Case& c, const Outcome& o) {
        return o.fewest && of(o, CartMethod::kAuto).partners[c.places.node_level].off.total == *o.fewest;
      });
  add("auto-above-optimum", "an assignment has fewer partners off the node than auto: the gap", "brute force",
      [](const Case& c, const Outcome& o) {
        return o.fewest && of(o, CartMethod::kAuto).partners[c.places.node_level].off.total > *o.fewest;
      });
  return all;
}

}  // namespace strata::check
