// SPDX-License-Identifier: LGPL-2.1-only
#include "command/timed_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/open_mpi.h"
#include "collectives/tuning/candidates.h"
#include "collectives/tuning/own_candidates.h"
#include "command/collective_times.h"
#include "console/progress.h"
#include "replay/error_bar.h"
#include "replay/in_threads.h"

namespace strata::command {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them
using collectives::Choice;    // not that of an option's word

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr const char* kSize = "--bytes";

// MPICH looks at the nodes.
Collective call_on(const Grid& grid, const Cell& cell) {
  Collective call = call_of(cell, kSize);
  if (!grid.library.is_openmpi()) call.nodes = grid.nodes.at(cell.ranks);
  return call;
}

Attempt time_of(const Grid& grid, const Machine& machine, const Chooser& chooser, const Chosen& chosen,
                const Cell& cell, double until_s) {
  return time_on(machine, grid.cores.at(cell.ranks), chooser, chosen, call_on(grid, cell), grid.most_steps, until_s);
}

// The library's choice is executed with the settings that it has without rules, every other one under a rule.
Timer timer(const Grid& grid, const Chooser& chooser, const Cell& cell, const Chosen& own) {
  const auto on = [&, cell, own](const Machine& machine) {
    return [&, cell, own](const Choice& choice, double until_s) {
      const bool is_own = own.algorithm != nullptr && choice == numbered(cell.operation, own.decision.choice);
      const Chosen chosen = is_own ? own : chosen_by_rule(chooser, call_on(grid, cell), choice);
      return time_of(grid, machine, chooser, chosen, cell, until_s);
    };
  };
  return {.time = on(grid.machine), .at_least = on(grid.uncontended)};
}

// The cells of an operation and a number of ranks, by size: what wins for one size often wins for the next.
using Chain = std::vector<std::size_t>;

// The longest chains first, so that no thread is left with one at the end.
std::vector<Chain> chains_of(const std::vector<Cell>& cells) {
  std::map<std::pair<Operation, int>, Chain> by_communicator;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    by_communicator[{cells[i].operation, cells[i].ranks}].push_back(i);
  }
  std::vector<Chain> chains;
  for (auto& [communicator, chain] : by_communicator) {
    std::sort(chain.begin(), chain.end(), [&](auto a, auto b) { return cells[a].bytes < cells[b].bytes; });
    chains.push_back(std::move(chain));
  }
  std::stable_sort(chains.begin(), chains.end(),
                   [&](const Chain& a, const Chain& b) { return cells[a[0]].ranks > cells[b[0]].ranks; });
  return chains;
}

struct Split {
  std::vector<Choice> simple, composed;
};

Split split(const Grid& grid, const Cell& cell) {
  Split split;
  for (const Choice& choice : candidates(call_on(grid, cell), cell, grid.library)) {
    (has_parts(cell.operation, choice) ? split.composed : split.simple).push_back(choice);
  }
  return split;
}

bool may_have_parts(Operation o, const Library& library) {
  const auto all = open_mpi_algorithms();
  return library.is_openmpi() &&
         std::any_of(all.begin(), all.end(), [o](const auto& a) { return a.operation == o && a.has_parts; });
}

// How much the best choice saves at least, by the intervals of the machine's figures; empty: it has none. The bar is
// that of own / best, so that what changes both times alike adds nothing.
std::optional<double> least_gain(const Grid& grid, const Chooser& chooser, const Chosen& own, const CellTimes& times) {
  if (!times.is_timed() || times.best == times.own) return {};
  const replay::Ends ends = replay::ends_of_intervals(grid.machine);
  if (ends.figures.empty()) return {};
  const Collective call = call_on(grid, times.cell);
  const Chosen best = chosen_by_rule(chooser, call, times.best);
  const auto seconds = [&](const Machine& machine, const Chosen& chosen) {
    return time_on(machine, grid.cores.at(times.cell.ranks), chooser, chosen, call, grid.most_steps, kForever).seconds;
  };
  std::vector<double> ratios;
  for (const Machine* machine : ends.machines()) ratios.push_back(seconds(*machine, own) / seconds(*machine, best));
  const double low = replay::error_bar(ends, *times.own_s / *times.best_s, ratios).low;
  return low > 0 ? 1 - 1 / low : -1;
}

CellTimes timed(const Grid& grid, const Chooser& chooser, const Cell& cell, const std::vector<Choice>& others,
                const Choice* first) {
  const Chosen own = chooser.choose(call_on(grid, cell));
  const bool has_schedule = own.algorithm != nullptr;
  const Choice own_choice = numbered(cell.operation, own.decision.choice);
  CellTimes times = fastest(cell, has_schedule ? std::optional(own_choice) : std::nullopt, others, first,
                            timer(grid, chooser, cell, own));
  times.least_gain = least_gain(grid, chooser, own, times);
  return times;
}

void in_chains(const std::vector<Cell>& cells, const std::string& what, std::size_t already, int jobs,
               const std::function<void(const Chain&, const std::function<void(std::size_t)>&)>& work,
               const std::vector<Chain>& chains) {
  std::size_t total = 0;
  for (const Chain& chain : chains) total += chain.size();
  console::Progress progress({.what = what, .total = total, .already = already, .logged = false});
  std::mutex mutex;
  replay::in_threads(chains.size(), jobs, [&](std::size_t i) {
    work(chains[i], [&](std::size_t cell) {
      const std::scoped_lock lock(mutex);
      progress.point_done(text_of(cells[cell]));
    });
  });
}

void in_chains(const std::vector<Cell>& cells, const std::string& what, std::size_t already, int jobs,
               const std::function<void(const Chain&, const std::function<void(std::size_t)>&)>& work) {
  in_chains(cells, what, already, jobs, work, chains_of(cells));
}

// By cell of the grid; only those of the chains.
std::vector<CellTimes> timed_in(const Grid& grid, CellsFile* known, const std::vector<Chain>& chains, int jobs) {
  const Chooser chooser(grid.library, nullptr, grid.not_composed);
  const auto find = [&](const Cell& cell) { return known == nullptr ? nullptr : known->find(cell); };
  std::size_t already = 0;
  for (const Chain& chain : chains) {
    already += std::count_if(chain.begin(), chain.end(), [&](auto i) { return find(grid.cells[i]) != nullptr; });
  }
  std::vector<CellTimes> times(grid.cells.size());
  const auto work = [&](const Chain& chain, const auto& done) {
    const Choice* last = nullptr;
    for (const std::size_t i : chain) {
      const Cell& cell = grid.cells[i];
      const CellTimes* earlier = find(cell);
      times[i] = earlier != nullptr ? *earlier : timed(grid, chooser, cell, split(grid, cell).simple, last);
      if (times[i].best_s) last = &times[i].best;
      if (earlier != nullptr) continue;
      if (known != nullptr) known->add(times[i]);
      done(i);
    }
  };
  in_chains(grid.cells, "cells", already, jobs, work, chains);
  return times;
}

}  // namespace

std::vector<CellTimes> timed_cells(const Grid& grid, CellsFile* known, int jobs) {
  return timed_in(grid, known, chains_of(grid.cells), jobs);
}

std::size_t time_shard(const Grid& grid, CellsFile& known, const Shard& shard, int jobs) {
  const std::vector<Chain> all = chains_of(grid.cells);
  std::vector<Chain> part;
  std::size_t cells = 0;
  for (auto i = static_cast<std::size_t>(shard.number - 1); i < all.size(); i += shard.of) {
    part.push_back(all[i]);
    cells += all[i].size();
  }
  timed_in(grid, &known, part, jobs);
  return cells;
}

void add_composed(const Grid& grid, const Chooser& chooser, std::vector<CellTimes>& times, int jobs) {
  std::vector<std::size_t> places;
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!may_have_parts(times[i].cell.operation, grid.library)) continue;
    places.push_back(i);
    cells.push_back(times[i].cell);
  }
  in_chains(cells, "algorithms of several collectives", 0, jobs, [&](const Chain& chain, const auto& done) {
    for (const std::size_t i : chain) {
      CellTimes& t = times[places[i]];
      const Chosen own = Chooser(grid.library, nullptr, grid.not_composed).choose(call_on(grid, t.cell));
      const Split others = split(grid, t.cell);
      if (has_parts(t.cell.operation, numbered(t.cell.operation, own.decision.choice))) {
        std::vector<Choice> all = others.simple;
        all.insert(all.end(), others.composed.begin(), others.composed.end());
        const Choice first = t.best;
        t = timed(grid, chooser, t.cell, all, &first);
      } else if (!others.composed.empty()) {
        const Choice before = t.best;
        try_further(t, others.composed, nullptr, timer(grid, chooser, t.cell, own));
        if (t.best != before) t.least_gain = least_gain(grid, chooser, own, t);
      }
      done(i);
    }
  });
}

std::vector<std::optional<double>> chosen_times(const Grid& grid, const Chooser& chooser,
                                                const std::vector<Cell>& cells, const std::string& what, int jobs) {
  std::vector<std::optional<double>> seconds(cells.size());
  in_chains(cells, what, 0, jobs, [&](const Chain& chain, const auto& done) {
    for (const std::size_t i : chain) {
      const Chosen chosen = chooser.choose(call_on(grid, cells[i]));
      if (chosen.algorithm != nullptr) {
        const Attempt a = time_of(grid, grid.machine, chooser, chosen, cells[i], kForever);
        if (a.end == Attempt::End::kTimed) seconds[i] = a.seconds;
      }
      done(i);
    }
  });
  return seconds;
}

std::vector<OwnTime> own_times(const Grid& grid, OwnFamily family, int jobs) {
  std::vector<OwnTime> times(grid.cells.size());
  in_chains(grid.cells, name_of(family), 0, jobs, [&](const Chain& chain, const auto& done) {
    for (const std::size_t i : chain) {
      const Cell& cell = grid.cells[i];
      Collective call = call_of(cell, kSize);
      call.bridges = grid.bridges.at(cell.ranks);
      for (const OwnCandidate& c : own_candidates(cell, family)) {
        call.nodes = c.over_nodes ? grid.nodes.at(cell.ranks) : std::vector<int>();
        const Attempt a = time_on(
            grid.machine, grid.cores.at(cell.ranks), call,
            [&](int rank, Steps& steps) { c.algorithm.generate(call, c.settings, rank, steps); }, grid.most_steps,
            times[i].seconds.value_or(kForever));
        if (a.end != Attempt::End::kTimed || a.seconds >= times[i].seconds.value_or(kForever)) continue;
        times[i] = {a.seconds, text_of(c)};
      }
      done(i);
    }
  });
  return times;
}

std::string left_out_text(const Grid& grid, const std::vector<CellTimes>& times) {
  std::map<std::pair<Operation, int>, std::map<std::string, int>> left_out;
  for (const CellTimes& t : times) {
    for (const Choice& c : t.too_long) {
      ++left_out[{t.cell.operation, t.cell.ranks}][text_of(t.cell.operation, {.algorithm = c.algorithm}, grid.library)];
    }
  }
  if (left_out.empty()) return "";
  std::string text = fmt::format(
      "\nleft out, because the ranks take more than {:g} million steps together (--steps), with how often:\n",
      static_cast<double>(grid.most_steps) / 1e6);
  for (const auto& [communicator, algorithms] : left_out) {
    std::string list;
    for (const auto& [name, count] : algorithms) {
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, count);
    }
    text += fmt::format("  {} on {} ranks: {}\n", name_of(communicator.first), communicator.second, list);
  }
  return text;
}

}  // namespace strata::command
