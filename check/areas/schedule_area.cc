// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/schedule_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "check/areas/partitions.h"
#include "check/engine/key.h"

namespace strata::check {
namespace {

using mpix::Nbc;

constexpr std::array kCollectives = {Nbc::kBcast,  Nbc::kReduce, Nbc::kAllreduce, Nbc::kScatter,
                                     Nbc::kGather, Nbc::kScan,   Nbc::kBarrier};
constexpr const char* kForm =
    "COLLECTIVE,ranks=N[,root=R],arity=M[,steps=S][,in-place][,ordered][,nodes=A.B.C...], such as "
    "'reduce,ranks=8,root=3,arity=2,steps=1'";
constexpr int kMostRanks = 4096, kMostArity = 64;  // limits for keys

bool has_arity(Nbc collective) { return collective != Nbc::kScan; }
bool has_order(Nbc collective) { return is_reduction(collective); }

int choose(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

// Sets parameters that do not apply to a case to their default, and limits others to their range.
ScheduleCase tidied(ScheduleCase c) {
  c.root = has_root(c.collective) ? std::min(c.root, c.ranks - 1) : 0;
  if (!has_arity(c.collective)) c.arity = 2;
  if (!can_be_in_place(c.collective)) c.in_place = false;
  if (!has_order(c.collective)) c.commutes = true;
  if (!c.node_of_rank.empty()) {
    c.node_of_rank.resize(c.ranks);
    c.node_of_rank = numbered_in_order(c.node_of_rank);
  }
  c.steps = std::min(c.steps, height_of(c));
  return c;
}

class ScheduleDomain : public Domain<ScheduleCase, ScheduleOutcome> {
 public:
  std::string name() const override { return "schedule"; }
  std::string about() const override {
    return "nonblocking collectives: their schedules, at every number of split steps, run on values";
  }

  Bounds bounds(Effort effort) const override {
    const bool full = effort == Effort::kFull;
    return {{"ranks", full ? 32 : 9, 1, 64, "ranks of a communicator whose nodes are not told"},
            {"arity", full ? 4 : 3, 2, 8, "of the tree, from 2"},
            {"noded-ranks", full ? 7 : 5, 1, 8, "ranks that are dealt to nodes in every way"}};
  }

  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 2000 : 100; }

  std::string remark(const Bounds&) const override {
    return "a bcast and a reduce that commutes count once for all roots where no nodes are told";
  }

  std::vector<Property<ScheduleCase, ScheduleOutcome>> properties() const override { return schedule_properties(); }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    const int flat = bounds["ranks"], noded = bounds["noded-ranks"];
    for (int ranks = 1; ranks <= std::max(flat, noded); ++ranks) {
      for (const Nbc collective : kCollectives) {
        ScheduleCase c{.collective = collective, .ranks = ranks};
        if (ranks <= flat && !enumerate_tree(bounds, c, visit)) return;
        const auto over_nodes = [&](const std::vector<int>& nodes) {
          c.node_of_rank = nodes;
          return enumerate_tree(bounds, c, visit);
        };
        if (ranks <= noded && !for_each_partition(ranks, over_nodes)) return;
      }
    }
  }

  ScheduleCase random(const Bounds& bounds, Random& random) const override {
    ScheduleCase c;
    c.collective = kCollectives[choose(random, 0, kCollectives.size() - 1)];
    c.ranks = choose(random, bounds["ranks"] + 1, choose(random, 0, 3) == 0 ? 200 : 70);
    c.root = choose(random, 0, c.ranks - 1);
    c.arity = choose(random, 2, bounds["arity"] + 4);
    c.in_place = choose(random, 0, 1) == 1;
    c.commutes = choose(random, 0, 2) > 0;
    if (choose(random, 0, 1) == 1) {
      const int nodes = choose(random, 1, 12);
      for (int rank = 0; rank < c.ranks; ++rank) c.node_of_rank.push_back(choose(random, 0, nodes - 1));
    }
    c.steps = c.ranks;
    c = tidied(c);
    c.steps = choose(random, 0, c.steps);
    return c;
  }

  std::uint64_t fingerprint(const ScheduleCase& c) const override {
    ScheduleCase same = c;
    const bool rotates = c.collective == Nbc::kBcast || (c.collective == Nbc::kReduce && c.commutes);
    if (rotates && c.node_of_rank.empty()) same.root = 0;
    return std::hash<std::string>()(schedule_key(same));
  }

  ScheduleOutcome run(const ScheduleCase& c) const override { return schedule_outcome(c); }
  std::string key(const ScheduleCase& c) const override { return schedule_key(c); }
  ScheduleCase read(const std::string& key) const override { return read_schedule_key(key); }
  Drawing draw(const ScheduleCase& c) const override { return draw_schedule(c); }

  std::vector<ScheduleCase> smaller(const ScheduleCase& c) const override {
    std::vector<ScheduleCase> all;
    const auto add = [&](const std::function<void(ScheduleCase&)>& change) {
      ScheduleCase less = c;
      change(less);
      less = tidied(less);
      if (less != c && std::ranges::find(all, less) == all.end()) all.push_back(less);
    };
    if (c.ranks > 3) add([](ScheduleCase& s) { s.ranks /= 2; });
    if (c.ranks > 1) {
      add([](ScheduleCase& s) { --s.ranks; });
      for (int rank = 0; rank + 1 < c.ranks && !c.node_of_rank.empty(); ++rank) {
        add([&](ScheduleCase& s) {
          --s.ranks;
          s.root -= s.root > rank ? 1 : 0;
          s.node_of_rank.erase(s.node_of_rank.begin() + rank);
        });
      }
    }
    add([](ScheduleCase& s) { s.node_of_rank.clear(); });
    for (int rank = 1; rank < std::ssize(c.node_of_rank); ++rank) {
      add([&](ScheduleCase& s) { s.node_of_rank[rank] = s.node_of_rank[rank - 1]; });
    }
    add([](ScheduleCase& s) { s.root = 0; });
    add([](ScheduleCase& s) { s.root = std::max(0, s.root - 1); });
    add([](ScheduleCase& s) { s.arity = 2; });
    add([](ScheduleCase& s) { s.arity = std::max(2, s.arity - 1); });
    add([](ScheduleCase& s) { s.steps = 0; });
    add([](ScheduleCase& s) { s.steps = std::max(0, s.steps - 1); });
    add([](ScheduleCase& s) { s.in_place = false; });
    add([](ScheduleCase& s) { s.commutes = true; });
    return all;
  }

 private:
  // Enumerates all parameters except the collective, the ranks and the nodes.
  static bool enumerate_tree(const Bounds& bounds, ScheduleCase c, const Visit& visit) {
    for (c.root = 0; c.root < (has_root(c.collective) ? c.ranks : 1); ++c.root) {
      for (c.arity = 2; c.arity <= (has_arity(c.collective) ? bounds["arity"] : 2); ++c.arity) {
        for (const bool in_place : {false, true}) {
          if (in_place && !can_be_in_place(c.collective)) continue;
          for (const bool commutes : {true, false}) {
            if (!commutes && !has_order(c.collective)) continue;
            c.in_place = in_place;
            c.commutes = commutes;
            const int height = height_of(c);
            for (c.steps = 0; c.steps <= height; ++c.steps) {
              if (!visit(c)) return false;
            }
          }
        }
      }
    }
    return true;
  }
};

}  // namespace

ScheduleOutcome schedule_outcome(const ScheduleCase& c) {
  ScheduleOutcome o;
  o.schedules = schedules_of(c);
  for (int rank = 0; rank < c.ranks; ++rank) {
    o.most_steps.push_back(most_steps(of_rank(c, rank)));
    o.trees.push_back(must_be_over_nodes(c) ? mpix::level_tree_over_nodes(rank, c.node_of_rank, top_of(c), c.arity)
                                            : mpix::level_tree(rank, c.ranks, top_of(c), c.arity));
  }
  if (must_be_over_nodes(c)) {
    o.height_in_nodes = mpix::height_in_nodes(c.node_of_rank, c.arity);
  } else if (!c.node_of_rank.empty()) {
    ScheduleCase flat = c;
    flat.node_of_rank.clear();
    o.without_nodes = schedules_of(flat);
  }
  o.run = run_schedules(c, o.schedules);
  return o;
}

std::string schedule_key(const ScheduleCase& c) {
  std::string key = fmt::format("{},ranks={}", mpix::name_of(c.collective), c.ranks);
  if (has_root(c.collective)) key += fmt::format(",root={}", c.root);
  if (has_arity(c.collective)) key += fmt::format(",arity={}", c.arity);
  if (has_steps(c.collective)) key += fmt::format(",steps={}", c.steps);
  if (c.in_place) key += ",in-place";
  if (!c.commutes) key += ",ordered";
  if (!c.node_of_rank.empty()) key += ",nodes=" + with_dots(c.node_of_rank);
  return key;
}

ScheduleCase read_schedule_key(const std::string& key) {
  std::vector<std::string> names;
  for (const Nbc collective : kCollectives) names.emplace_back(mpix::name_of(collective));
  KeyFields fields(key, kForm);
  ScheduleCase c;
  c.collective = kCollectives[fields.one_of(names)];
  c.ranks = fields.number("ranks", 1, kMostRanks);
  if (has_root(c.collective)) c.root = fields.number("root", 0, c.ranks - 1);
  if (has_arity(c.collective)) c.arity = fields.number("arity", 2, kMostArity);
  if (has_steps(c.collective)) c.steps = fields.number("steps", 0, kMostRanks);
  if (can_be_in_place(c.collective)) c.in_place = fields.flag("in-place");
  if (has_order(c.collective)) c.commutes = !fields.flag("ordered");
  if (fields.at_field("nodes")) {
    c.node_of_rank = fields.numbers("nodes", 0, c.ranks - 1);
    if (std::ssize(c.node_of_rank) != c.ranks) {
      fields.refuse(fmt::format("{} nodes told for {} ranks", c.node_of_rank.size(), c.ranks));
    }
    if (c.node_of_rank != numbered_in_order(c.node_of_rank)) {
      fields.refuse("nodes are not numbered in the order of their first ranks");
    }
  }
  fields.end();
  if (c.steps > height_of(c)) fields.refuse(fmt::format("{} steps of a tree of {} levels", c.steps, height_of(c)));
  return c;
}

std::unique_ptr<Area> schedule_area() { return area_of(std::make_unique<ScheduleDomain>()); }

}  // namespace strata::check
