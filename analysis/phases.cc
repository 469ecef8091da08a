// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/phases.h"

#include <algorithm>

namespace strata::analysis {
namespace {

using Kind = Event::Kind;

void add(Spread& spread, int rank, double seconds) {
  spread.mean += seconds;  // the sum, until all ranks are added
  if (spread.most_rank < 0 || seconds > spread.most) {
    spread.most = seconds;
    spread.most_rank = rank;
  }
  if (spread.least_rank < 0 || seconds < spread.least) {
    spread.least = seconds;
    spread.least_rank = rank;
  }
}

}  // namespace

PhaseFinder::Times PhaseFinder::now(const Rank& rank, double time) const {
  Times times = rank.times;
  times.whole = time;
  if (rank.depth > 0) times.in_mpi += time - rank.entered;
  return times;
}

size_t PhaseFinder::phase_of(const std::string& name) {
  const auto known = index_.find(name);
  if (known != index_.end()) return known->second;
  const bool room = named_.size() < kMostPhases;
  if (!room && named_.size() > kMostPhases) return kMostPhases;
  named_.push_back({room ? name : kOtherPhases, std::vector<Times>(ranks_.size()), std::vector<long>(ranks_.size())});
  if (room) index_[name] = named_.size() - 1;
  return named_.size() - 1;
}

void PhaseFinder::take(const Wait& wait) { ranks_[wait.rank].times.waiting += wait.idle(); }

void PhaseFinder::take(const Event& e) {
  const auto number = static_cast<size_t>(e.rank);
  switch (e.kind) {
    case Kind::kEnter:
      if (ranks_[number].depth++ == 0) ranks_[number].entered = e.time;
      return;
    case Kind::kLeave: {
      Rank& rank = ranks_[number];
      if (rank.depth > 0 && --rank.depth == 0) rank.times.in_mpi += e.time - rank.entered;
      return;
    }
    case Kind::kPhaseBegin: {
      const size_t phase = phase_of(e.name);
      ++named_[phase].entered[number];
      ranks_[number].open.push_back({phase, now(ranks_[number], e.time)});
      return;
    }
    case Kind::kPhaseEnd:
      close(number, e.time);
      return;
    case Kind::kRankEnd:
      end(number, e.time);
      return;
    case Kind::kEnd:
      for (size_t r = 0; r < ranks_.size(); ++r) end(r, e.time);
      return;
    case Kind::kBlock:
    case Kind::kUnblock:
    case Kind::kSend:
    case Kind::kArrive:
      return;
  }
}

// A phase nested in one with the same name counts once.
void PhaseFinder::close(size_t number, double time) {
  Rank& rank = ranks_[number];
  if (rank.open.empty()) return;
  const Open last = rank.open.back();
  rank.open.pop_back();
  if (std::any_of(rank.open.begin(), rank.open.end(), [&](const Open& o) { return o.phase == last.phase; })) return;
  const Times after = now(rank, time);
  Times& sum = named_[last.phase].by_rank[number];
  sum.whole += after.whole - last.before.whole;
  sum.in_mpi += after.in_mpi - last.before.in_mpi;
  sum.waiting += after.waiting - last.before.waiting;
}

void PhaseFinder::end(size_t number, double time) {
  Rank& rank = ranks_[number];
  if (rank.ended) return;
  while (!rank.open.empty()) close(number, time);
  rank.times = now(rank, time);
  rank.depth = 0;
  rank.ended = true;
}

std::vector<Phase> PhaseFinder::phases() const {
  std::vector<Phase> phases;
  const auto summarize = [&](const std::string& name, const auto& times_of, const auto& entered_of) {
    Phase phase{.name = name};
    for (size_t r = 0; r < ranks_.size(); ++r) {
      const long entered = entered_of(r);
      if (entered == 0) continue;
      const Times& t = times_of(r);
      const int rank = static_cast<int>(r);
      ++phase.ranks;
      phase.times += entered;
      // Sums of many rounded times may slightly exceed the whole.
      add(phase.seconds, rank, t.whole);
      add(phase.computing, rank, std::max(0.0, t.whole - t.in_mpi));
      add(phase.communicating, rank, std::max(0.0, t.in_mpi - t.waiting));
      add(phase.waiting, rank, t.waiting);
    }
    for (Spread* s : {&phase.seconds, &phase.computing, &phase.communicating, &phase.waiting})
      s->mean /= std::max(phase.ranks, 1);
    phases.push_back(phase);
  };
  if (named_.empty())
    summarize(
        "", [this](size_t r) -> const Times& { return ranks_[r].times; }, [](size_t) { return 1L; });
  for (const Named& named : named_) {
    summarize(
        named.name, [&](size_t r) -> const Times& { return named.by_rank[r]; },
        [&](size_t r) { return named.entered[r]; });
  }
  return phases;
}

}  // namespace strata::analysis
