// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fat_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "platforms/fabric.h"

namespace strata {
namespace {

long product(const std::vector<int>& factors, size_t from) {
  long all = 1;
  for (size_t i = from; i < factors.size(); ++i) all *= factors[i];
  return all;
}

class FatTree : public Fabric {
 public:
  explicit FatTree(const FatTreeShape& shape) : nodes_per_leaf_(shape.nodes_per_router), kinds_(shape.levels) {
    const size_t n = shape.down.size();
    if (n == 0 || shape.up.size() != n - 1 || shape.cables.size() != n - 1 || shape.levels.size() != n - 1) {
      throw std::invalid_argument("fat tree: levels that do not match");
    }
    for (const std::vector<int>* counts : {&shape.down, &shape.up, &shape.cables}) {
      if (std::any_of(counts->begin(), counts->end(), [](int c) { return c < 1; })) {
        throw std::invalid_argument("fat tree: a number below 1");
      }
    }
    if (shape.nodes_per_router != shape.down.front()) throw std::invalid_argument("fat tree: nodes_per_router");
    int width = 1, leaves = 1;
    for (size_t l = 0; l < n; ++l) {
      if (l > 0) leaves *= shape.down[l];
      const int trees = static_cast<int>(product(shape.down, l + 1));
      levels_.push_back({.first = num_switches_, .width = width, .leaves = leaves, .first_link = num_links_});
      num_switches_ += trees * width;
      if (l + 1 == n) break;
      levels_.back().up = shape.up[l];
      levels_.back().cables = shape.cables[l];
      levels_.back().parts = shape.down[l + 1];
      num_links_ += 2 * trees * width * shape.up[l] * shape.cables[l];
      width *= shape.up[l];
    }
  }

  int num_routers() const override { return num_switches_; }
  int num_links() const override { return num_links_; }
  const std::vector<std::string>& kinds() const override { return kinds_; }

  int kind(int link) const override {
    size_t l = kinds_.size() - 1;
    while (link < levels_[l].first_link) --l;
    return static_cast<int>(l);
  }

  Ends ends(int link) const override {
    const size_t l = kind(link);
    const Level& level = levels_[l];
    const int cable = (link - level.first_link) / 2;
    const int below = cable / level.cables / level.up, digit = cable / level.cables % level.up;
    const int tree = below / level.width / level.parts, number = below % level.width + digit * level.width;
    const int low = level.first + below, high = levels_[l + 1].first + tree * levels_[l + 1].width + number;
    return is_up(link) ? Ends{low, high} : Ends{high, low};
  }

  std::string describe(int link) const override {
    const Level& level = levels_[kind(link)];
    std::string text = is_up(link) ? "up link " : "down link ";
    if (level.cables > 1) text += std::to_string((link - level.first_link) / 2 % level.cables) + " ";
    return text + "from switch " + name(ends(link).from) + " to " + name(ends(link).to);
  }

  void route(int a, int b, int seat, std::vector<int>& links) const override {
    const long target = static_cast<long>(b) * nodes_per_leaf_ + seat;
    const size_t top = meeting(a, b);
    const auto link = [&](int leaf, size_t l) {
      const long above = target / levels_[l + 1].width;
      return link_up(l, leaf, static_cast<int>(target % levels_[l + 1].width),
                     static_cast<int>(above % levels_[l].cables));
    };
    for (size_t l = 0; l < top; ++l) links.push_back(link(a, l));
    for (size_t l = top; l-- > 0;) links.push_back(link(b, l) + 1);
  }

  void spread(int a, int b, std::vector<Part>& parts) const override {
    const size_t top = meeting(a, b);
    const auto add = [&](int leaf, size_t l, int direction) {
      const int width = levels_[l + 1].width, cables = levels_[l].cables;
      const double part = 1.0 / width / cables;
      for (int number = 0; number < width; ++number) {
        for (int cable = 0; cable < cables; ++cable) {
          parts.push_back({link_up(l, leaf, number, cable) + direction, part});
        }
      }
    };
    for (size_t l = 0; l < top; ++l) add(a, l, 0);
    for (size_t l = top; l-- > 0;) add(b, l, 1);
  }

 private:
  struct Level {
    int first;   // first of its switches
    int width;   // switches of a subtree
    int leaves;  // leaf switches of a subtree
    int first_link;
    int up = 0, cables = 0, parts = 0;  // per switch; subtrees in a subtree of the level above
  };

  static bool is_up(int link) { return link % 2 == 0; }

  // The lowest level at which one subtree contains both leaf switches.
  size_t meeting(int a, int b) const {
    size_t l = 0;
    while (a / levels_[l].leaves != b / levels_[l].leaves) ++l;
    return l;
  }

  // The link up from level `l` above a leaf switch to switch `number` of the subtree above. The next link is the one
  // down.
  int link_up(size_t l, int leaf, int number, int cable) const {
    const Level& level = levels_[l];
    const int below = leaf / level.leaves * level.width + number % level.width;
    return level.first_link + 2 * ((below * level.up + number / level.width) * level.cables + cable);
  }

  // The level, counted from 1, and the number of the switch in it.
  std::string name(int router) const {
    size_t l = levels_.size() - 1;
    while (router < levels_[l].first) --l;
    return "(" + std::to_string(l + 1) + "," + std::to_string(router - levels_[l].first) + ")";
  }

  const int nodes_per_leaf_;
  const std::vector<std::string> kinds_;
  std::vector<Level> levels_;
  int num_switches_ = 0, num_links_ = 0;
};

}  // namespace

std::unique_ptr<const Fabric> make_fat_tree(const FatTreeShape& shape) {
  return std::make_unique<const FatTree>(shape);
}

NetworkGroup tree_of(const FatTreeShape& shape) {
  NetworkGroup part{.level = "", .groups = {}, .nodes = shape.down.front()};
  for (size_t i = 0; i + 1 < shape.down.size(); ++i) {
    const int parts = shape.down[i + 1];
    if (parts == 1) continue;
    if (part.nodes == 1) {
      part.nodes = parts;
      continue;
    }
    part.level = shape.levels[i];
    part = {.level = "", .groups = std::vector(parts, std::move(part)), .nodes = 0};
  }
  return part;
}

std::string describe(const FatTreeShape& shape) {
  return fmt::format("fat tree of {} leaf switches with {} nodes each, {} switches at the top", product(shape.down, 1),
                     shape.down.front(), product(shape.up, 0));
}

}  // namespace strata
