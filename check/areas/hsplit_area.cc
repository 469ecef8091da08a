// SPDX-License-Identifier: LGPL-2.1-only
// Cases are all machines and bindings up to the order of siblings (small_machines.h). Indexes and roots depend on that
// order, which a single representative would hide. Therefore machines of up to kBothOrders vertices are also checked
// with all siblings in reverse order, if that gives a different case. Larger machines have one order and the other
// alternately.
//
// With r ranks on a tree of depth d, at most 1 + r * d vertices are on a path to a rank. With 4 ranks and depth 3 these
// are 13 vertices, so larger machines only add objects without ranks.
#include "check/areas/hsplit_area.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "check/areas/hsplit_case.h"
#include "check/areas/hsplit_properties.h"
#include "check/areas/small_machines.h"
#include "check/engine/domain.h"

namespace strata::check {
namespace {

constexpr int kBothOrders = 10;

MachineBounds machine_bounds(const Bounds& bounds) {
  return {bounds["depth"], bounds["arity"], bounds["nodes"], bounds["vertices"], 2};
}

class HsplitDomain : public Domain<HsplitCase, HsplitOutcome> {
 public:
  std::string name() const override { return "hsplit"; }
  std::string about() const override { return "communicators of the hierarchy: split, guided, hinted, with keys"; }

  Bounds bounds(Effort effort) const override {
    const bool full = effort == Effort::kFull;
    return {{"depth", 3, 0, 8, "levels of the tree below its root, the network's included"},
            {"arity", 3, 1, 8, "children of an object"},
            {"nodes", 3, 1, 8, "nodes in all, alone, under a root, or under switches"},
            {"vertices", full ? 13 : 8, 1, kMostPus, "of the tree in all"},
            {"ranks", 4, 1, 8, "each bound to an object of a node"}};
  }

  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 10'000 : 500; }

  std::string remark(const Bounds& bounds) const override {
    SmallMachines machines(machine_bounds(bounds));
    long trees = 0, ordered = 0;
    for (int n = 1; n <= bounds["vertices"]; ++n) {
      for (const SmallMachine& m : machines.of(n)) {
        ++trees;
        ordered += orders_of(m);
      }
    }
    return fmt::format("{} trees, which stand for {} ordered ones", trees, ordered);
  }

  std::vector<Property<HsplitCase, HsplitOutcome>> properties() const override { return hsplit_properties(); }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    SmallMachines machines(machine_bounds(bounds));
    for (int n = 1; n <= bounds["vertices"]; ++n) {
      std::vector<Pair> pairs;
      for (SmallMachine& m : machines.of(n)) pairs.emplace_back(std::move(m));
      for (int ranks = 1; ranks <= bounds["ranks"]; ++ranks) {
        for (const Pair& pair : pairs) {
          if (!visit_both(pair, ranks, visit)) return;
        }
      }
    }
  }

  HsplitCase random(const Bounds&, Random& random) const override { return random_hsplit_case(random); }
  std::uint64_t fingerprint(const HsplitCase& c) const override { return check::fingerprint(c.tree(), c.bindings); }
  HsplitOutcome run(const HsplitCase& c) const override { return run_hsplit(c); }
  std::string key(const HsplitCase& c) const override { return key_of(c); }
  HsplitCase read(const std::string& key) const override { return read_hsplit_case(key); }
  std::vector<HsplitCase> smaller(const HsplitCase& c) const override { return smaller_cases(c); }
  Drawing draw(const HsplitCase& c) const override { return draw_hsplit_case(c); }

 private:
  // A machine, and the same with all siblings in reverse order.
  struct Pair {
    explicit Pair(SmallMachine m) {
      SmallMachine other = mirrored(m, vertex);
      same = other.parent == m.parent;
      one = std::make_shared<HsplitMachine>(std::move(m));
      opposite = same ? one : std::make_shared<HsplitMachine>(std::move(other));
    }
    std::shared_ptr<const HsplitMachine> one, opposite;
    std::vector<int> vertex;  // by vertex of the first: its position in the second
    bool same = false;
  };

  static bool visit_both(const Pair& pair, int ranks, const Visit& visit) {
    HsplitCase one{pair.one, std::vector<Pus>(ranks)}, opposite{pair.opposite, std::vector<Pus>(ranks)};
    const bool both = pair.one->tree.size() <= kBothOrders;
    bool turn = false;
    return for_each_binding(pair.one->tree, ranks, [&](const std::vector<int>& bound) {
      for (int r = 0; r < ranks; ++r) {
        one.bindings[r] = pair.one->tree.pus[bound[r]];
        opposite.bindings[r] = pair.opposite->tree.pus[pair.vertex[bound[r]]];
      }
      turn = !turn;
      if (!both) return visit(turn ? one : opposite);
      return visit(one) && ((pair.same && one.bindings == opposite.bindings) || visit(opposite));
    });
  }
};

}  // namespace

std::unique_ptr<Area> hsplit_area() { return area_of(std::make_unique<HsplitDomain>()); }

}  // namespace strata::check
