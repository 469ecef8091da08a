// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "platforms/fabric.h"
#include "platforms/parts.h"

namespace strata {
namespace {

constexpr std::array<const char*, kMaxTorusDimensions> kNames = {"x", "y", "z", "a", "b", "c"};

class Torus : public Fabric {
 public:
  explicit Torus(const TorusShape& shape) {
    const size_t n = shape.dims.size();
    if (n == 0 || n > kMaxTorusDimensions || shape.wrap.size() != n) {
      throw std::invalid_argument("torus: dimensions and wraps that do not match");
    }
    dimensions_.resize(n);
    for (size_t d = n; d-- > 0;) {
      if (shape.dims[d] < 1) throw std::invalid_argument("torus: a dimension without routers");
      dimensions_[d] = {.size = shape.dims[d], .wraps = shape.wrap[d], .stride = num_routers_, .first_link = 0};
      num_routers_ *= shape.dims[d];
    }
    for (size_t d = 0; d < n; ++d) {
      dimensions_[d].first_link = num_links_;
      num_links_ += 2 * (num_routers_ / dimensions_[d].size) * dimensions_[d].cables();
      kinds_.emplace_back(kNames[d]);
    }
  }

  int num_routers() const override { return num_routers_; }
  int num_links() const override { return num_links_; }
  const std::vector<std::string>& kinds() const override { return kinds_; }

  int kind(int link) const override {
    int d = static_cast<int>(dimensions_.size()) - 1;
    while (link < dimensions_[d].first_link) --d;
    return d;
  }

  Ends ends(int link) const override {
    const Dimension& d = dimensions_[kind(link)];
    const int cable = (link - d.first_link) / 2;
    const int inner = cable % d.stride, low = cable / d.stride % d.cables(), outer = cable / d.stride / d.cables();
    const int base = outer * d.size * d.stride + inner;
    const int below = base + low * d.stride, above = base + (low + 1) % d.size * d.stride;
    return is_up(d, link) ? Ends{below, above} : Ends{above, below};
  }

  std::string describe(int link) const override {
    const int d = kind(link);
    return kinds_[d] + (is_up(dimensions_[d], link) ? "+" : "-") + " link of router " + name(ends(link).from);
  }

  void route(int a, int b, int /*seat*/, std::vector<int>& links) const override {
    int coordinates = 0;  // sum over both routers
    for (const Dimension& d : dimensions_) coordinates += d.coordinate(a) + d.coordinate(b);
    for (const Dimension& d : dimensions_) {
      const int to = d.coordinate(b);
      int at = d.coordinate(a);
      if (at == to) continue;
      bool up = to > at;
      if (d.wraps) {
        const int ups = (to - at + d.size) % d.size;
        up = 2 * ups < d.size || (2 * ups == d.size && (coordinates - to) % 2 == 0);
      }
      a += (to - at) * d.stride;
      const int line = first_link_of_line(d, a) + (up ? 0 : 1);
      while (at != to) {
        const int next = up ? (at + 1 == d.size ? 0 : at + 1) : (at == 0 ? d.size : at) - 1;
        links.push_back(line + 2 * (up ? at : next) * d.stride);
        at = next;
      }
    }
  }

  void spread(int a, int b, std::vector<Part>& parts) const override {
    std::vector<Step> steps;
    int ties = 0;
    for (const Dimension& d : dimensions_) {
      const int from = d.coordinate(a), to = d.coordinate(b);
      if (from == to) continue;
      const int ups = (to - from + d.size) % d.size, downs = d.size - ups;
      const bool up = d.wraps ? ups <= downs : to > from;
      steps.push_back({.d = &d, .from = from, .up = up, .hops = up ? ups : downs, .tie = d.wraps && ups == downs});
      ties += steps.back().tie ? 1 : 0;
    }
    const auto first = static_cast<long>(parts.size());
    for (int ways_round = 0; ways_round < 1 << ties; ++ways_round) {
      int tie = 0;
      for (Step& s : steps) {
        if (s.tie) s.up = (ways_round >> tie++ & 1) == 0;
      }
      spread_in_box(a, steps, 1.0 / (1 << ties), parts);
    }
    if (ties > 0) merge(parts, first);
  }

 private:
  struct Dimension {
    int size;
    bool wraps;
    int stride;      // between the numbers of neighbouring routers
    int first_link;  // first of the links in this dimension

    int coordinate(int router) const { return router / stride % size; }
    // In a line of routers. Each cable is a link up and a link down; the i-th link up begins at coordinate i.
    int cables() const { return size == 1 ? 0 : wraps ? size : size - 1; }
  };

  // The path along one dimension.
  struct Step {
    const Dimension* d;
    int from;
    bool up;
    int hops;
    bool tie;

    // The coordinate after this many hops.
    int after(int hops) const {
      const int to = up ? from + hops : from - hops;
      return to < 0 ? to + d->size : to >= d->size ? to - d->size : to;
    }
  };

  // Distributes a message over all shortest paths that go in one direction along each dimension. It visits the routers
  // of the box between the two ends in order of the hops done, so the share that enters a router is known before it is
  // passed on.
  static void spread_in_box(int a, const std::vector<Step>& steps, double whole, std::vector<Part>& parts) {
    int routers = 1, hops_left = 0;
    std::vector<int> stride(steps.size());  // in the box, where the dimension of the first step changes fastest
    for (size_t i = 0; i < steps.size(); ++i) {
      stride[i] = routers;
      routers *= steps[i].hops + 1;
      hops_left += steps[i].hops;
    }
    std::vector<double> here(routers, 0);
    here[0] = whole;
    std::vector<int> done(steps.size(), 0);
    for (int at = 0; at + 1 < routers; ++at) {
      int router = a;
      for (size_t i = 0; i < steps.size(); ++i) {
        router += (steps[i].after(done[i]) - steps[i].from) * steps[i].d->stride;
      }
      for (size_t i = 0; i < steps.size(); ++i) {
        const Step& s = steps[i];
        if (done[i] == s.hops) continue;
        const double part = here[at] * (s.hops - done[i]) / hops_left;
        const int low = s.after(s.up ? done[i] : done[i] + 1);  // coordinate at which the cable's link up begins
        parts.push_back({first_link_of_line(*s.d, router) + 2 * low * s.d->stride + (s.up ? 0 : 1), part});
        here[at + stride[i]] += part;
      }
      for (size_t i = 0; i < steps.size(); ++i) {
        --hops_left;
        if (++done[i] <= steps[i].hops) break;
        hops_left += done[i];
        done[i] = 0;
      }
    }
  }

  static bool is_up(const Dimension& d, int link) { return (link - d.first_link) % 2 == 0; }

  // The link up from coordinate 0 in the line of `router` along `d`. The link up from each next coordinate is 2 *
  // stride later. After each link up comes its link down.
  static int first_link_of_line(const Dimension& d, int router) {
    const int outer = router / (d.stride * d.size), inner = router % d.stride;
    return d.first_link + 2 * (outer * d.cables() * d.stride + inner);
  }

  std::string name(int router) const {
    std::string text;
    for (const Dimension& d : dimensions_) text += (text.empty() ? "(" : ",") + std::to_string(d.coordinate(router));
    return text + ")";
  }

  std::vector<Dimension> dimensions_;
  std::vector<std::string> kinds_;
  int num_routers_ = 1, num_links_ = 0;
};

}  // namespace

std::unique_ptr<const Fabric> make_torus(const TorusShape& shape) { return std::make_unique<const Torus>(shape); }

NetworkGroup tree_of(const TorusShape& shape) {
  int routers = 1;
  for (int n : shape.dims) routers *= n;
  if (shape.nodes_per_router == 1) return {.level = "", .groups = {}, .nodes = routers};
  const NetworkGroup router{.level = shape.router, .groups = {}, .nodes = shape.nodes_per_router};
  return {.level = "", .groups = std::vector(routers, router), .nodes = 0};
}

std::string describe(const TorusShape& shape) {
  const bool mesh = std::none_of(shape.wrap.begin(), shape.wrap.end(), [](bool wraps) { return wraps; });
  std::vector<const char*> open;
  for (size_t d = 0; d < shape.dims.size(); ++d) {
    if (!mesh && !shape.wrap[d]) open.push_back(kNames[d]);
  }
  std::string text = fmt::format("{} {}", mesh ? "mesh" : "torus", fmt::join(shape.dims, " x "));
  if (!open.empty()) text += fmt::format(" (open in {})", fmt::join(open, ", "));
  if (shape.nodes_per_router > 1) text += fmt::format(", {} nodes a router", shape.nodes_per_router);
  return text;
}

}  // namespace strata
