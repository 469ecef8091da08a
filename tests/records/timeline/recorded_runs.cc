// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/records/timeline/recorded_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <utility>

namespace strata {
namespace {

using Kind = Event::Kind;

}  // namespace

void RecordedRun::write(const std::filesystem::path& file) const {
  EventWriter writer(file, header);
  for (const Event& e : events) writer.write(e);
  writer.finish(end);
}

RecordedRun example_run() {
  return {.header = {.program = "app", .machine = "two", .functions = {"MPI_Send", "MPI_Recv"}, .cores = {0, 3}},
          .events = {{.kind = Kind::kEnter, .time = 0, .rank = 1, .function = 1},
                     {.kind = Kind::kBlock, .time = 0, .rank = 1},
                     {.kind = Kind::kEnter, .time = 1e-3, .rank = 0, .function = 0},
                     {.kind = Kind::kSend, .time = 1e-3, .rank = 0, .message = 1, .other = 1, .tag = 7, .bytes = 8},
                     {.kind = Kind::kLeave, .time = 1e-3, .rank = 0},
                     {.kind = Kind::kArrive, .time = 3e-3, .message = 1, .posted = 0, .began = 1e-3},
                     {.kind = Kind::kUnblock, .time = 3e-3, .rank = 1, .message = 1, .began = 1e-3},
                     {.kind = Kind::kLeave, .time = 3e-3, .rank = 1}},
          .end = 4e-3};
}

namespace {

// Makes random valid events, one after the other.
class RandomRun {
 public:
  RandomRun(unsigned seed, int ranks) : random_(seed), ranks_(ranks) {
    run_.header = {
        .program = "a \"program\"", .machine = "m", .functions = {"MPI_Send", "MPI_Recv", "MPI_Bcast"}, .cores = {}};
    run_.header.cores.resize(ranks);
    std::iota(run_.header.cores.begin(), run_.header.cores.end(), 0);
    std::shuffle(run_.header.cores.begin(), run_.header.cores.end(), random_);
  }

  RecordedRun make(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (below(3) > 0) nanoseconds_ += below(1000);
      step();
    }
    run_.end = now();
    return run_;
  }

 private:
  struct Rank {
    bool calls = false, waits = false, over = false;
    int phases = 0;
  };
  struct Message {
    std::int64_t number = 0;
    int sender = 0, receiver = 0;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double now() const { return static_cast<double>(nanoseconds_) * 1e-9; }
  void add(Event e) {
    e.time = now();
    run_.events.push_back(std::move(e));
  }

  void step() {
    const int rank = below(static_cast<int>(ranks_.size()));
    Rank& r = ranks_[rank];
    const int what = below(20);
    if (what < 3 && !under_way_.empty()) return arrive();
    if (r.over) return;
    if (what == 3 && below(40) == 0) {
      r = {.over = true};
      return add({.kind = Kind::kRankEnd, .rank = rank});
    }
    if (what == 4 && r.phases < 3) {
      ++r.phases;
      return add({.kind = Kind::kPhaseBegin, .rank = rank, .name = below(2) == 0 ? "halo" : "the \"solver\""});
    }
    if (what == 5 && r.phases > 0) {
      --r.phases;
      return add({.kind = Kind::kPhaseEnd, .rank = rank});
    }
    if (r.waits) return unblock(rank);
    if (what < 12) return change_call(rank);
    if (!r.calls) return;
    if (what < 16) {
      r.waits = true;
      return add({.kind = Kind::kBlock, .rank = rank});
    }
    const Message m{++messages_, rank, below(static_cast<int>(ranks_.size()))};
    if (below(50) > 0) under_way_.push_back(m);  // else the message never arrives
    const int tag = below(3) - 1;
    add({.kind = Kind::kSend,
         .rank = rank,
         .message = m.number,
         .other = m.receiver,
         .tag = tag,
         .bytes = below(9999)});
  }

  void change_call(int rank) {
    Rank& r = ranks_[rank];
    r.calls = !r.calls;
    if (r.calls) return add({.kind = Kind::kEnter, .rank = rank, .function = below(3)});
    add({.kind = Kind::kLeave, .rank = rank});
  }

  void arrive() {
    const auto m = under_way_.begin() + below(static_cast<int>(under_way_.size()));
    add({.kind = Kind::kArrive, .message = m->number, .posted = 0, .began = now()});
    Rank& receiver = ranks_[m->receiver];
    if (receiver.waits && below(4) > 0) {
      receiver.waits = false;
      add({.kind = Kind::kUnblock, .rank = m->receiver, .message = m->number, .began = now()});
    }
    under_way_.erase(m);
  }

  void unblock(int rank) {
    if (below(3) > 0) return;
    ranks_[rank].waits = false;
    const int other = below(static_cast<int>(ranks_.size()) + 1) - 1;
    add({.kind = Kind::kUnblock, .rank = rank, .other = other, .began = now()});
  }

  std::mt19937 random_;
  RecordedRun run_;
  std::vector<Rank> ranks_;
  std::vector<Message> under_way_;
  std::int64_t nanoseconds_ = 0, messages_ = 0;
};

}  // namespace

RecordedRun random_run(unsigned seed, int ranks, int steps) { return RandomRun(seed, ranks).make(steps); }

void write_ring(const std::filesystem::path& file, const std::string& machine, int ranks, int steps) {
  EventsHeader header{.program = "ring", .machine = machine, .functions = {"MPI_Sendrecv"}, .cores = {}};
  header.cores.resize(ranks);
  std::iota(header.cores.begin(), header.cores.end(), 0);
  EventWriter writer(file, header);
  constexpr double kStep = 1e-5, kSend = 1e-6, kArrive = 4e-6;  // s
  std::int64_t messages = 0;
  for (int step = 0; step < steps; ++step) {
    const double start = step * kStep;
    const std::int64_t first = messages + 1;
    for (int r = 0; r < ranks; ++r) {
      const int next = (r + 1) % ranks;
      writer.write({.kind = Kind::kEnter, .time = start, .rank = r, .function = 0});
      writer.write(
          {.kind = Kind::kSend, .time = start, .rank = r, .message = ++messages, .other = next, .bytes = 1000});
    }
    for (int r = 0; r < ranks; ++r) writer.write({.kind = Kind::kBlock, .time = start + kSend, .rank = r});
    for (int r = 0; r < ranks; ++r) {
      const double now = start + kArrive;
      const int next = (r + 1) % ranks;
      writer.write({.kind = Kind::kArrive, .time = now, .message = first + r, .posted = start, .began = start});
      writer.write({.kind = Kind::kUnblock, .time = now, .rank = next, .message = first + r, .began = start});
      writer.write({.kind = Kind::kLeave, .time = now, .rank = next});
    }
  }
  writer.finish(steps * kStep);
}

std::int64_t picoseconds(double seconds) { return std::llround(seconds * 1e12); }

namespace {

// The whole run, without a window.
struct Whole {
  double from = 0, to = 0;
  Interval interval;
};

std::string awaited(const RecordedRun& run, const Event& e) {
  int other = e.other;
  for (const Event& s : run.events) {
    if (e.message > 0 && s.kind == Kind::kSend && s.message == e.message) other = s.rank == e.rank ? s.other : s.rank;
  }
  return other < 0 ? "waits" : "waits for rank " + std::to_string(other);
}

std::vector<Interval> in_window(const std::vector<Whole>& all, const TimelineSelection& selection, double end) {
  std::vector<Interval> shown;
  const double to = std::min(selection.to, end);
  for (const Whole& w : all) {
    if (!selection.ranks.empty() && !selection.ranks[w.interval.rank]) continue;
    if (w.to < selection.from || w.from > to) continue;
    Interval i = w.interval;
    i.from = picoseconds(std::max(w.from, selection.from));
    i.to = picoseconds(std::min(w.to, to));
    shown.push_back(i);
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

Shown shown(const RecordedRun& run, const TimelineSelection& selection) {
  std::vector<Whole> program, phases, calls, waits;
  for (int rank = 0; rank < static_cast<int>(run.header.cores.size()); ++rank) {
    double call = -1, wait = -1, over = run.end;
    int function = 0;
    std::vector<std::pair<double, std::string>> open;  // phases
    std::vector<Event> postponed;
    const auto change_phase = [&](const Event& e, double time) {
      if (e.kind == Kind::kPhaseBegin) return open.emplace_back(time, e.name), void();
      phases.push_back({open.back().first, time, {rank, 0, 0, open.back().second}});
      open.pop_back();
    };
    for (const Event& e : run.events) {
      if (e.rank != rank) continue;
      if (e.kind == Kind::kEnter) {
        call = e.time;
        function = e.function;
      } else if (e.kind == Kind::kLeave) {
        calls.push_back({call, e.time, {rank, 0, 0, run.header.functions[function]}});
        call = -1;
        for (const Event& p : postponed) change_phase(p, e.time);
        postponed.clear();
      } else if (e.kind == Kind::kBlock) {
        wait = e.time;
      } else if (e.kind == Kind::kUnblock) {
        waits.push_back({wait, e.time, {rank, 0, 0, awaited(run, e)}});
        wait = -1;
      } else if (e.kind == Kind::kPhaseBegin || e.kind == Kind::kPhaseEnd) {
        if (call >= 0) {
          postponed.push_back(e);
        } else {
          change_phase(e, e.time);
        }
      } else if (e.kind == Kind::kRankEnd) {
        over = e.time;
      }
    }
    if (call >= 0) calls.push_back({call, over, {rank, 0, 0, run.header.functions[function]}});
    if (wait >= 0) waits.push_back({wait, over, {rank, 0, 0, "waits"}});
    for (const auto& [from, name] : open) phases.push_back({from, over, {rank, 0, 0, name}});
    program.push_back({0, over, {rank, 0, 0, run.header.program}});
  }
  Shown all{in_window(program, selection, run.end),
            in_window(phases, selection, run.end),
            in_window(calls, selection, run.end),
            in_window(waits, selection, run.end),
            {}};
  const double to = std::min(selection.to, run.end);
  for (const Event& s : run.events) {
    if (s.kind != Kind::kSend) continue;
    if (!selection.ranks.empty() && (!selection.ranks[s.rank] || !selection.ranks[s.other])) continue;
    for (const Event& a : run.events) {
      if (a.kind != Kind::kArrive || a.message != s.message || a.time < selection.from || s.time > to) continue;
      all.arrows.push_back({picoseconds(std::max(s.time, selection.from)), picoseconds(std::min(a.time, to)), s.rank,
                            s.other, s.tag, s.bytes});
    }
  }
  std::sort(all.arrows.begin(), all.arrows.end());
  return all;
}

}  // namespace strata
