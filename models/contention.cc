// SPDX-License-Identifier: LGPL-2.1-only
#include "models/contention.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "platforms/payload.h"

namespace strata::models {
namespace {

// Smaller differences are rounding: of the ratio of demand to capacity above 1, and of a time relative to the time
// since the start. For example, one message begins on a link when another ends there, and the two times were computed
// along different paths.
constexpr double kRounding = 1e-9;

std::string gigabytes_per_s(double bytes_per_s) {
  const double gb = bytes_per_s / 1e9;
  return gb < 1000 ? fmt::format("{:.3g} GB/s", gb) : fmt::format("{:.0f} GB/s", gb);
}

}  // namespace

LinkDemand::LinkDemand(const MessageCosts& costs)
    : machine_(costs.machine()), loads_(num_link_indexes(costs.machine())), worst_ratio_(1 + kRounding) {}

void LinkDemand::change(double time_s, const Link& link, int messages, double bytes_per_s) {
  Load& load = loads_[link_index(link, machine_)];
  judge(link, load, time_s);
  load.messages += messages;
  // Restarts an idle link from zero, so that rounding does not accumulate.
  load.demand_bytes_per_s = load.messages == 0 ? 0 : load.demand_bytes_per_s + bytes_per_s;
  load.since_s = time_s;
  load.change = ++changes_;
}

void LinkDemand::judge(const Link& link, const Load& load, double until_s) {
  if (until_s - load.since_s <= kRounding * until_s) return;
  const double ratio = load.demand_bytes_per_s / link.capacity_bytes_per_s;
  // A link replaces the worst one only if its ratio is higher by more than rounding. Among equal links, the first is
  // reported.
  const bool as_bad = worst_ && ratio * (1 + kRounding) >= worst_ratio_ && load.change < worst_change_;
  if (ratio <= worst_ratio_ * (worst_ ? 1 + kRounding : 1) && !as_bad) return;
  worst_ratio_ = ratio;
  worst_change_ = load.change;
  worst_ = Contention{.link = link, .messages = load.messages, .demand_bytes_per_s = load.demand_bytes_per_s};
}

std::optional<Contention> find_memory_contention(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                                 const std::vector<Transfer>& transfers,
                                                 const std::vector<Combination>& combinations) {
  if (costs.memory() == nullptr || combinations.empty()) return std::nullopt;
  struct Change {
    double time_s;
    int messages;
    Link link;
    double bytes_per_s;
  };
  std::vector<Change> changes;
  const auto ask = [&](double from_s, double until_s, double bytes, const std::vector<MemoryUse>& uses) {
    if (until_s <= from_s) return;
    for (const MemoryUse& use : uses) {
      const Link link = link_of(use, costs.machine());
      const double demand = use.weight * bytes / (until_s - from_s);
      changes.push_back({from_s, 1, link, demand});
      changes.push_back({until_s, -1, link, -demand});
    }
  };
  for (const Transfer& t : transfers) {
    const int from = ranks[t.from].core, to = ranks[t.to].core;
    ask(t.flow_s, t.arrival_s, t.bytes + kEnvelopeBytes, costs.memory_uses(from, to, t.bytes));
  }
  for (const Combination& c : combinations) {
    ask(c.start_s, c.done_s, c.bytes, costs.memory()->of_combination(ranks[c.rank].core, c.bytes));
  }
  // At equal times, flows end before others begin.
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time_s, a.messages) < std::tie(b.time_s, b.messages);
  });
  LinkDemand demand(costs);
  for (const Change& c : changes) demand.change(c.time_s, c.link, c.messages, c.bytes_per_s);
  return demand.worst();
}

std::string describe(const Contention& c, const Machine& machine) {
  const bool works =
      c.link.kind == Link::Kind::kMemory || c.link.kind == Link::Kind::kCore || c.link.kind == Link::Kind::kCache;
  return fmt::format("contention: {} {} at once on the {} ask for {} of {}", c.messages,
                     works ? "messages and combinations" : "messages", describe(c.link, machine),
                     gigabytes_per_s(c.demand_bytes_per_s), gigabytes_per_s(c.link.capacity_bytes_per_s));
}

std::optional<CrowdedCard> find_crowded_card(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                             const std::vector<Transfer>& transfers) {
  struct Leaving {
    int card, node;
    double at_s, gap_s;
  };
  std::vector<Leaving> all;
  for (const Transfer& x : transfers) {
    const MessageCost c = costs.between(ranks[x.from].core, ranks[x.to].core, x.bytes);
    if (c.gap_s > 0)
      all.push_back({costs.card(ranks[x.from].core), ranks[x.from].node, x.start_s + c.overhead_s, c.gap_s});
  }
  std::stable_sort(all.begin(), all.end(), [](const Leaving& a, const Leaving& b) {
    return std::tie(a.card, a.at_s) < std::tie(b.card, b.at_s);
  });
  std::optional<CrowdedCard> worst;
  double least_ratio = 1 - kRounding;
  for (size_t i = 1; i < all.size(); ++i) {
    const double apart_s = all[i].at_s - all[i - 1].at_s;
    if (all[i].card != all[i - 1].card || apart_s >= least_ratio * all[i - 1].gap_s) continue;
    least_ratio = apart_s / all[i - 1].gap_s;
    worst = CrowdedCard{.node = all[i].node, .apart_s = apart_s, .gap_s = all[i - 1].gap_s};
  }
  return worst;
}

std::string describe(const CrowdedCard& c) {
  return fmt::format("gap: two messages leave node {} within {:.3g} us, its network card takes {:.3g} us for each",
                     c.node, c.apart_s * 1e6, c.gap_s * 1e6);
}

std::optional<CrowdedCache> find_crowded_cache(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                               const std::vector<Transfer>& transfers,
                                               const std::vector<Combination>& combinations) {
  if (costs.memory() == nullptr) return std::nullopt;
  struct Change {
    double time_s;
    bool begins;
    CacheNeed need;
  };
  std::vector<Change> changes;
  bool in_question = false;
  const auto ask = [&](double from_s, double until_s, const std::vector<CacheNeed>& needs) {
    until_s -= kRounding * until_s;
    if (until_s <= from_s) return;
    for (const CacheNeed& n : needs) {
      if (n.bytes <= 0) continue;
      in_question = in_question || (n.fits_alone && !n.always_fits);
      changes.push_back({from_s, true, n});
      changes.push_back({until_s, false, n});
    }
  };
  for (const Transfer& t : transfers) {
    const int from = ranks[t.from].core, to = ranks[t.to].core;
    const MessageCost c = costs.between(from, to, t.bytes);
    ask(t.flow_s - c.wire_s(), t.arrival_s, costs.memory()->needs_of_message(from, to, t.bytes));
  }
  for (const Combination& c : combinations) {
    ask(c.start_s, c.done_s, costs.memory()->needs_of_combination(ranks[c.rank].core, c.bytes));
  }
  if (!in_question) return std::nullopt;
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time_s, a.begins) < std::tie(b.time_s, b.begins);
  });
  std::map<int, std::vector<CacheNeed>> under_way;  // by cache
  for (const Change& c : changes) {
    std::vector<CacheNeed>& all = under_way[c.need.cache];
    if (!c.begins) {
      all.erase(std::find_if(all.begin(), all.end(),
                             [&](const CacheNeed& n) { return n.core == c.need.core && n.bytes == c.need.bytes; }));
      continue;
    }
    all.push_back(c.need);
    std::map<int, double> by_core;
    for (const CacheNeed& n : all) by_core[n.core] += n.bytes;
    const auto size = static_cast<double>(costs.topology().object(c.need.cache)->cache_bytes);
    for (const CacheNeed& n : all) {
      if (!n.fits_alone || n.always_fits) continue;
      double needed = n.bytes;
      for (const auto& [core, bytes] : by_core) needed += core == n.core ? 0 : std::min(bytes, n.bytes);
      if (needed > size) return CrowdedCache{c.need.cache, static_cast<int>(by_core.size()), needed};
    }
  }
  return std::nullopt;
}

std::string describe(const CrowdedCache& c, const Machine& machine) {
  const Topology& t = *machine.topology;
  constexpr double kMB = 1e6;  // B
  return fmt::format("cache: {} cores at once need {:.3g} MB of {:.3g} MB of the {} {} of node {}", c.cores,
                     c.needed_bytes / kMB, static_cast<double>(t.object(c.cache)->cache_bytes) / kMB, t.name(c.cache),
                     t.object(c.cache)->logical_index, t.node(c.cache));
}

std::optional<LinkLoad> busiest_link(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                     const Schedule& schedule) {
  Paged<LinkLoad> loads(num_link_indexes(costs.machine()));
  const LinkLoad* busiest = nullptr;
  for (size_t r = 0; r < schedule.size(); ++r) {
    for (const Operation& o : schedule[r]) {
      if (o.kind != Operation::Kind::kSend && o.kind != Operation::Kind::kStartSend) continue;
      for_each_link(costs, ranks[r].core, ranks[o.peer].core, o.amount, [&](const Link& link) {
        LinkLoad& load = loads[link_index(link, costs.machine())];
        load.link = link;
        ++load.messages;
        load.bytes += link.weight * (o.amount + kEnvelopeBytes);
      });
    }
  }
  loads.for_each([&](const LinkLoad& load) {
    if (load.messages > 0 && (busiest == nullptr || load.seconds() > busiest->seconds())) busiest = &load;
  });
  return busiest == nullptr ? std::nullopt : std::optional(*busiest);
}

}  // namespace strata::models
