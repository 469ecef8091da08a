// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/dragonfly.h"

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/parts.h"

namespace strata {
namespace {

class Dragonfly : public Fabric {
 public:
  explicit Dragonfly(const DragonflyShape& shape)
      : groups_(shape.groups),
        rows_(shape.rows),
        columns_(shape.columns),
        per_group_(shape.rows * shape.columns),
        between_(shape.global_links) {
    if (groups_ < 1 || rows_ < 1 || columns_ < 1 || between_ < 1 || shape.nodes_per_router < 1) {
      throw std::invalid_argument("dragonfly: a number below 1");
    }
    first_column_link_ = num_routers() * (columns_ - 1);
    first_global_link_ = first_column_link_ + num_routers() * (rows_ - 1);
    for (const auto& [there, name, index] : {std::tuple{columns_ > 1, "row", &row_kind_},
                                             {rows_ > 1, "column", &column_kind_},
                                             {groups_ > 1, "global", &global_kind_}}) {
      if (!there) continue;
      *index = static_cast<int>(kinds_.size());
      kinds_.emplace_back(name);
    }
  }

  int num_routers() const override { return groups_ * per_group_; }
  int num_links() const override { return first_global_link_ + groups_ * (groups_ - 1) * between_; }
  const std::vector<std::string>& kinds() const override { return kinds_; }

  int kind(int link) const override {
    return link < first_column_link_ ? row_kind_ : link < first_global_link_ ? column_kind_ : global_kind_;
  }

  Ends ends(int link) const override {
    if (link < first_column_link_) {
      const int from = link / (columns_ - 1), column = from % columns_;
      return {from, from - column + other(link % (columns_ - 1), column)};
    }
    link -= first_column_link_;
    if (link < num_routers() * (rows_ - 1)) {
      const int from = link / (rows_ - 1), row = from % per_group_ / columns_;
      return {from, from + (other(link % (rows_ - 1), row) - row) * columns_};
    }
    const auto [from, to, which] = global(link + first_column_link_);
    return {global_end(from, to, which), global_end(to, from, which)};
  }

  std::string describe(int link) const override {
    const Ends e = ends(link);
    std::string text = kinds_[kind(link)] + " link ";
    if (link >= first_global_link_ && between_ > 1) text += std::to_string(global(link).which) + " ";
    return text + "from router " + name(e.from) + " to " + name(e.to);
  }

  void route(int a, int b, int /*seat*/, std::vector<int>& links) const override {
    const int from = a / per_group_, to = b / per_group_;
    if (from == to) return route_in_group(a, b, links);
    const int rounds = (between_ + per_group_ - 1) / per_group_;  // with more links than routers, count the column too
    const int row = b % per_group_ / columns_, column = b % columns_;
    const int which = (a % per_group_ + row + per_group_ * (column % rounds)) % between_;
    route_in_group(a, global_end(from, to, which), links);
    links.push_back(first_between(from, to) + which);
    route_in_group(global_end(to, from, which), b, links);
  }

  void spread(int a, int b, std::vector<Part>& parts) const override {
    const int from = a / per_group_, to = b / per_group_;
    if (from == to) return spread_in_group(a, b, 1, parts);
    const auto first = static_cast<long>(parts.size());
    const double part = 1.0 / between_;
    for (int which = 0; which < between_; ++which) {
      spread_in_group(a, global_end(from, to, which), part, parts);
      parts.push_back({first_between(from, to) + which, part});
      spread_in_group(global_end(to, from, which), b, part, parts);
    }
    merge(parts, first);
  }

 private:
  struct GlobalLink {
    int from, to;  // groups
    int which;     // number among the links between the two
  };

  // Lists of "all others" omit oneself: the number of the i-th other, and the index of an other.
  static int other(int i, int self) { return i < self ? i : i + 1; }
  static int index_of(int other, int self) { return other < self ? other : other - 1; }

  // The number of groups in between.
  int distance(int from, int to) const { return (to - from + groups_) % groups_ - 1; }

  // The first link from one group to another.
  int first_between(int from, int to) const {
    return first_global_link_ + (from * (groups_ - 1) + distance(from, to)) * between_;
  }

  GlobalLink global(int link) const {
    link -= first_global_link_;
    const int from = link / between_ / (groups_ - 1);
    const int to = (from + link / between_ % (groups_ - 1) + 1) % groups_;
    return {from, to, link % between_};
  }

  // The router of group `from` to which this link to group `to` is attached.
  int global_end(int from, int to, int which) const {
    const std::int64_t slots = static_cast<std::int64_t>(groups_ - 1) * between_;
    const std::int64_t slot = static_cast<std::int64_t>(which) * (groups_ - 1) + distance(from, to);
    return from * per_group_ + static_cast<int>(slot * per_group_ / slots);
  }

  void route_in_group(int a, int b, std::vector<int>& links) const {
    const int corner = a + b % columns_ - a % columns_;
    if (a != corner) links.push_back(row_link(a, corner));
    if (corner != b) links.push_back(column_link(corner, b));
  }

  void spread_in_group(int a, int b, double whole, std::vector<Part>& parts) const {
    const int apart = b % columns_ - a % columns_;
    const int row_first = a + apart, column_first = b - apart;
    if (row_first == b || column_first == b) {
      if (a != b) parts.push_back({row_first == b ? row_link(a, b) : column_link(a, b), whole});
      return;
    }
    parts.push_back({row_link(a, row_first), whole / 2});
    parts.push_back({column_link(row_first, b), whole / 2});
    parts.push_back({column_link(a, column_first), whole / 2});
    parts.push_back({row_link(column_first, b), whole / 2});
  }

  // The links between two routers of a row, and of a column.
  int row_link(int a, int b) const { return a * (columns_ - 1) + index_of(b % columns_, a % columns_); }
  int column_link(int a, int b) const {
    const int row = a % per_group_ / columns_, to_row = b % per_group_ / columns_;
    return first_column_link_ + a * (rows_ - 1) + index_of(to_row, row);
  }

  std::string name(int router) const {
    const int in_group = router % per_group_;
    return "(" + std::to_string(router / per_group_) + "," + std::to_string(in_group / columns_) + "," +
           std::to_string(in_group % columns_) + ")";
  }

  const int groups_, rows_, columns_, per_group_, between_;
  int first_column_link_, first_global_link_;
  int row_kind_ = -1, column_kind_ = -1, global_kind_ = -1;
  std::vector<std::string> kinds_;
};

// A group of `count` equal parts, or the part itself if `count` is 1.
NetworkGroup level(const std::string& name, int count, NetworkGroup part) {
  if (count == 1) return part;
  if (part.level.empty()) return {.level = name, .groups = {}, .nodes = count * part.nodes};  // the part is a node
  return {.level = name, .groups = std::vector(count, std::move(part)), .nodes = 0};
}

}  // namespace

std::unique_ptr<const Fabric> make_dragonfly(const DragonflyShape& shape) {
  return std::make_unique<const Dragonfly>(shape);
}

NetworkGroup tree_of(const DragonflyShape& shape) {
  NetworkGroup part{.level = "", .groups = {}, .nodes = 1};
  part = level(shape.router, shape.nodes_per_router, std::move(part));
  part = level(shape.row, shape.columns, std::move(part));
  part = level(shape.group, shape.rows, std::move(part));
  if (part.level.empty()) return {.level = "", .groups = {}, .nodes = shape.groups};
  return {.level = "", .groups = std::vector(shape.groups, std::move(part)), .nodes = 0};
}

std::string describe(const DragonflyShape& shape) {
  const auto counted = [](int n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
  };
  std::string text = "dragonfly of " + counted(shape.groups, "group") + " of " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.columns) + " routers";
  if (shape.nodes_per_router > 1) text += ", " + counted(shape.nodes_per_router, "node") + " a router";
  if (shape.groups > 1) text += ", " + counted(shape.global_links, "link") + " between any two groups";
  return text;
}

}  // namespace strata
