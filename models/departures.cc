// SPDX-License-Identifier: LGPL-2.1-only
#include "models/departures.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace strata::models {

Departures::Departures(const MessageCosts& costs, std::span<const Way> ways)
    : costs_(costs),
      ways_(ways),
      links_(num_link_indexes(costs.machine())),
      cores_(costs.topology().num_vertices()),
      demand_(costs) {
  for (const Way& way : ways) {
    for_each_link(costs, way.from, way.to, way.payload_bytes, [&](const Link& link) {
      LinkState& state = links_[link_index(link, costs.machine())];
      state.link = link;
      if (state.first_core < 0) state.first_core = way.from;
      state.several_cores = state.several_cores || state.first_core != way.from;
      ++state.messages;
    });
  }
}

void Departures::add(int number, double flow_s, double bytes, double bandwidth) {
  events_.push(
      {.time_s = flow_s, .begins = true, .number = number, .change = 0, .bytes = bytes, .bandwidth = bandwidth});
}

std::span<const Departures::Arrival> Departures::arrive() {
  arrivals_.clear();
  while (arrivals_.empty() && !events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    if (event.begins) {
      begin(event);
    } else if (event.change == cores_[event.number].changes) {
      end(event);
    }
  }
  return arrivals_;
}

void Departures::begin(const Event& event) {
  const auto [from, to, payload_bytes] = ways_[event.number];
  Flow flow{
      .number = event.number, .uses = {}, .bound = event.bandwidth, .left_bytes = event.bytes, .since_s = event.time_s};
  for_each_link(costs_, from, to, payload_bytes, [&](const Link& link) {
    const size_t index = link_index(link, costs_.machine());
    const LinkState& state = links_[index];
    // A link that only ever carries this message matters only if it is too narrow for it.
    if (state.messages > 1 || state.link.capacity_bytes_per_s < link.weight * flow.bound) {
      flow.uses.push_back({index, link.weight, state.several_cores});
      if (state.several_cores) demand_.change(event.time_s, state.link, 1, 0);
    }
  });
  cores_[from].flows.push_back(std::move(flow));
  share(from, event.time_s);
}

void Departures::end(const Event& event) {
  std::vector<Flow>& flows = cores_[event.number].flows;
  std::erase_if(flows, [&](const Flow& flow) {
    if (flow.done_s > event.time_s) return false;
    arrivals_.push_back({flow.number, flow.done_s});
    for (const Use& use : flow.uses) {
      if (use.with_others) demand_.change(event.time_s, links_[use.link].link, -1, -use.weight * flow.rate);
    }
    return true;
  });
  share(event.number, event.time_s);
}

void Departures::share(int core, double now_s) {
  Core& at = cores_[core];
  ++at.changes;
  if (at.flows.empty()) return;
  find_shares(at.flows);
  double next_s = std::numeric_limits<double>::infinity();
  for (Flow& flow : at.flows) {
    if (flow.next_rate != flow.rate) {
      for (const Use& use : flow.uses) {
        if (use.with_others) demand_.change(now_s, links_[use.link].link, 0, use.weight * (flow.next_rate - flow.rate));
      }
      flow.left_bytes = std::max(0.0, flow.left_bytes - flow.rate * (now_s - flow.since_s));
      flow.since_s = now_s;
      flow.rate = flow.next_rate;
      flow.done_s = now_s + flow.left_bytes / flow.rate;
    }
    next_s = std::min(next_s, flow.done_s);
  }
  events_.push({.time_s = next_s, .begins = false, .number = core, .change = at.changes, .bytes = 0, .bandwidth = 0});
}

// Progressive filling: all rates rise together. A flow stops rising when it reaches its own bound, or when one of its
// links is full.
void Departures::find_shares(std::vector<Flow>& flows) {
  for (Flow& flow : flows) {
    flow.fixed = false;
    for (const Use& use : flow.uses) {
      links_[use.link].left = links_[use.link].link.capacity_bytes_per_s;
      links_[use.link].takers = 0;
      links_[use.link].num_takers = 0;
    }
  }
  for (const Flow& flow : flows) {
    for (const Use& use : flow.uses) {
      links_[use.link].takers += use.weight;
      ++links_[use.link].num_takers;
    }
  }
  for (size_t left = flows.size(); left > 0;) {
    double least_share = std::numeric_limits<double>::infinity(), least_bound = least_share;
    size_t fullest = 0;
    for (const Flow& flow : flows) {
      if (flow.fixed) continue;
      least_bound = std::min(least_bound, flow.bound);
      for (const Use& use : flow.uses) {
        const double share = links_[use.link].left / links_[use.link].takers;
        if (share < least_share) std::tie(least_share, fullest) = std::tuple(share, use.link);
      }
    }
    for (Flow& flow : flows) {
      if (flow.fixed) continue;
      const auto takes_fullest = [&](const Use& use) { return use.link == fullest; };
      if (least_bound <= least_share ? flow.bound > least_share : std::ranges::none_of(flow.uses, takes_fullest)) {
        continue;
      }
      fix(flow, std::min(flow.bound, least_share));
      --left;
    }
  }
}

void Departures::fix(Flow& flow, double rate) {
  flow.fixed = true;
  flow.next_rate = rate;
  for (const Use& use : flow.uses) {
    LinkState& state = links_[use.link];
    state.left -= use.weight * rate;
    // Without takers, the sum is reset to 0 so that no rounding error remains.
    state.takers = --state.num_takers == 0 ? 0 : state.takers - use.weight;
  }
}

}  // namespace strata::models
