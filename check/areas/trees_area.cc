// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/trees_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "check/engine/key.h"

namespace strata::check {
namespace {

constexpr std::array kShapes = {Shape::kChain, Shape::kBinary, Shape::kBinomial, Shape::kInOrderBinomial,
                                Shape::kInOrderBinary};
const std::vector<std::string> kNames = {"chain", "binary", "binomial", "in-order-binomial", "in-order-binary"};
constexpr const char* kForm =
    "SHAPE[,fanout=F],ranks=N[,root=R], such as 'chain,fanout=3,ranks=8,root=2' and 'in-order-binary,ranks=8'";
constexpr int kMostRanks = 1 << 20;  // limit for keys

bool has_root(Shape shape) { return shape != Shape::kInOrderBinary; }

mpix::Tree view(const TreeCase& c, int rank) {
  switch (c.shape) {
    case Shape::kChain:
      return mpix::chain_tree(rank, c.ranks, c.root, c.fanout);
    case Shape::kBinary:
      return mpix::binary_tree(rank, c.ranks, c.root);
    case Shape::kBinomial:
      return mpix::binomial_tree(rank, c.ranks, c.root);
    case Shape::kInOrderBinomial:
      return mpix::in_order_binomial_tree(rank, c.ranks, c.root);
    default:
      return mpix::in_order_binary_tree(rank, c.ranks);
  }
}

int choose(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

class TreesDomain : public Domain<TreeCase, TreeOutcome> {
 public:
  std::string name() const override { return "trees"; }
  std::string about() const override {
    return "blocking collectives: the trees that they send along, seen by each rank";
  }

  Bounds bounds(Effort effort) const override {
    const bool full = effort == Effort::kFull;
    return {{"ranks", full ? 80 : 24, 1, 1000, "ranks of a communicator, with every root"},
            {"fanout", full ? 9 : 5, 1, 100, "chains that hang from the root, from 1: the pipeline"}};
  }

  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 1000 : 100; }
  std::string remark(const Bounds&) const override { return "trees that are one another's rotations count once"; }
  std::vector<Property<TreeCase, TreeOutcome>> properties() const override { return tree_properties(); }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    for (int ranks = 1; ranks <= bounds["ranks"]; ++ranks) {
      for (const Shape shape : kShapes) {
        for (int fanout = 1; fanout <= (shape == Shape::kChain ? bounds["fanout"] : 1); ++fanout) {
          for (int root = 0; root < (has_root(shape) ? ranks : 1); ++root) {
            if (!visit({shape, ranks, root, fanout})) return;
          }
        }
      }
    }
  }

  TreeCase random(const Bounds& bounds, Random& random) const override {
    TreeCase c{.shape = kShapes[choose(random, 0, kShapes.size() - 1)]};
    c.ranks = choose(random, bounds["ranks"] + 1, bounds["ranks"] + (choose(random, 0, 9) == 0 ? 5000 : 500));
    if (has_root(c.shape)) c.root = choose(random, 0, c.ranks - 1);
    if (c.shape == Shape::kChain) c.fanout = choose(random, 1, 4 * bounds["fanout"]);
    return c;
  }

  std::uint64_t fingerprint(const TreeCase& c) const override {
    TreeCase same = c;
    same.root = 0;
    return std::hash<std::string>()(tree_key(same));
  }

  TreeOutcome run(const TreeCase& c) const override { return tree_outcome(c); }
  std::string key(const TreeCase& c) const override { return tree_key(c); }
  TreeCase read(const std::string& key) const override { return read_tree_key(key); }

  std::vector<TreeCase> smaller(const TreeCase& c) const override {
    std::vector<TreeCase> all;
    const auto add = [&](int ranks, int root, int fanout) {
      if (ranks < 1) return;
      const TreeCase less{c.shape, ranks, std::clamp(root, 0, ranks - 1), std::max(1, fanout)};
      if (less != c && std::ranges::find(all, less) == all.end()) all.push_back(less);
    };
    add(c.ranks / 2, c.root, c.fanout);
    add(c.ranks - 1, c.root, c.fanout);
    add(c.ranks, 0, c.fanout);
    add(c.ranks, c.root - 1, c.fanout);
    add(c.ranks, c.root, 1);
    add(c.ranks, c.root, c.fanout - 1);
    return all;
  }

  // The tree as text: the children of each rank are below it, in the order of service.
  Drawing draw(const TreeCase& c) const override {
    const TreeOutcome o = run(c);
    const int root = c.shape == Shape::kInOrderBinary ? c.ranks - 1 : c.root;
    std::string text = fmt::format("{} of {} ranks", kNames[static_cast<size_t>(c.shape)], c.ranks);
    if (c.shape == Shape::kChain) text += fmt::format(", {} chains", c.fanout);
    text += fmt::format(", root {}\n", root);
    int left = 2 * c.ranks;  // lines, so that it ends if children form a cycle
    draw_below(c, o, root, 0, left, text);
    for (int rank = 0; rank < c.ranks; ++rank) {
      for (const int child : o.views[rank].children) {
        if (child >= 0 && child < c.ranks && o.views[child].parent == rank) continue;
        text += fmt::format("wrong: rank {} has the child {}, which does not agree\n", rank, child);
      }
    }
    return {.text = text, .svg = {}};
  }

 private:
  static void draw_below(const TreeCase& c, const TreeOutcome& o, int rank, int depth, int& left, std::string& text) {
    if (--left < 0) return;
    text += fmt::format("{:{}}{}\n", "", 2 * depth, rank);
    if (rank < 0 || rank >= c.ranks || depth > c.ranks) return;
    for (const int child : o.views[rank].children) draw_below(c, o, child, depth + 1, left, text);
  }
};

}  // namespace

TreeOutcome tree_outcome(const TreeCase& c) {
  TreeOutcome o;
  for (int rank = 0; rank < c.ranks; ++rank) {
    o.views.push_back(view(c, rank));
    if (c.shape == Shape::kInOrderBinomial) o.spans.push_back(mpix::in_order_span(rank, c.ranks));
  }
  return o;
}

std::string tree_key(const TreeCase& c) {
  std::string key = kNames[static_cast<size_t>(c.shape)];
  if (c.shape == Shape::kChain) key += fmt::format(",fanout={}", c.fanout);
  key += fmt::format(",ranks={}", c.ranks);
  if (has_root(c.shape)) key += fmt::format(",root={}", c.root);
  return key;
}

TreeCase read_tree_key(const std::string& key) {
  KeyFields fields(key, kForm);
  TreeCase c;
  c.shape = kShapes[fields.one_of(kNames)];
  if (c.shape == Shape::kChain) c.fanout = fields.number("fanout", 1, kMostRanks);
  c.ranks = fields.number("ranks", 1, kMostRanks);
  if (has_root(c.shape)) c.root = fields.number("root", 0, c.ranks - 1);
  fields.end();
  return c;
}

std::unique_ptr<Area> trees_area() { return area_of(std::make_unique<TreesDomain>()); }

}  // namespace strata::check
