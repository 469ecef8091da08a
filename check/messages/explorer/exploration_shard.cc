// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/exploration_shard.h"

#include <algorithm>
#include <utility>

namespace strata::check {
namespace {

bool wakes(const std::vector<Step>& asleep, const Step& step) {
  return std::any_of(asleep.begin(), asleep.end(), [&](const Step& s) { return Dependence::may_be(s, step); });
}

// Extends a prefix by one step, in all possible ways.
void lengthen(Application& application, const Prefix& prefix, Prefixes& result) {
  application.restart(prefix.steps);
  std::vector<Actor> actors = application.actors();
  std::erase_if(actors, [](const Actor& a) { return !a.enabled; });
  if (actors.empty()) {
    result.all.push_back(prefix);
    result.all.back().ended = true;
    return;
  }
  ++result.states;
  std::map<long, std::vector<Step>> before = prefix.asleep;  // including actors that were tried here before
  bool there = true;
  for (const Actor& actor : actors) {
    if (prefix.asleep.count(actor.id) > 0) continue;
    std::vector<Step> taken;
    for (int choice = 0; choice < actor.choices; ++choice) {
      if (!std::exchange(there, false)) application.restart(prefix.steps);
      Prefix longer{.steps = prefix.steps};
      ++result.transitions;
      try {
        const Step step = application.take(actor.id, choice);
        taken.push_back(step);
        longer.steps.push_back(step);
        for (const auto& [id, steps] : before) {
          if (id != actor.id && !wakes(steps, step)) longer.asleep[id] = steps;
        }
      } catch (const Died&) {  // the search of this prefix finds the same error
        longer.steps.push_back({.actor = actor.id, .choice = choice});
        longer.ended = true;
      }
      result.all.push_back(std::move(longer));
    }
    before[actor.id] = std::move(taken);
  }
}

void add(SearchCounts& sum, const SearchCounts& more) {
  sum.states += more.states;
  sum.transitions += more.transitions;
  sum.replayed += more.replayed;
  sum.executions += more.executions;
  sum.redundant += more.redundant;
  sum.cut += more.cut;
}

}  // namespace

Prefixes lay_out_prefixes(Application& application, std::size_t most_steps, std::size_t least) {
  Prefixes result{.all = {Prefix{}}};
  for (std::size_t length = 0; length < most_steps && result.all.size() < least; ++length) {
    if (std::all_of(result.all.begin(), result.all.end(), [](const Prefix& p) { return p.ended; })) break;
    const std::vector<Prefix> shorter = std::exchange(result.all, {});
    for (const Prefix& prefix : shorter) {
      if (prefix.ended) {
        result.all.push_back(prefix);
      } else {
        lengthen(application, prefix, result);
      }
    }
  }
  return result;
}

ShardResult search_shard(Application& application, const Prefixes& prefixes, int number, int of, bool reduce,
                         std::size_t most_steps, const std::function<void(const SearchCounts&)>& progressed) {
  ShardResult result;
  application.begin();
  if (number == 1) {
    result.counts.states = prefixes.states;
    result.counts.transitions = prefixes.transitions;
  }
  for (auto i = static_cast<std::size_t>(number - 1); i < prefixes.all.size(); i += static_cast<std::size_t>(of)) {
    Search search(application, reduce, most_steps, [&](const SearchCounts& counts) {
      SearchCounts sum = result.counts;
      add(sum, counts);
      progressed(sum);
    });
    search.start_after(prefixes.all[i].steps, prefixes.all[i].asleep);
    result.found = search.run();
    add(result.counts, search.counts());
    result.prefix = i;
    if (result.found.wrong != Wrong::kNothing) break;
  }
  return result;
}

}  // namespace strata::check
