// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/call_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/format.h"

namespace strata::analysis {
namespace {

using State = RankState::Kind;

class Calls : public TimelineSink {
 public:
  struct Call {
    int function = 0;
    long count = 0;
    double seconds = 0, blocked = 0;
  };

  explicit Calls(const EventsHeader& header) : since_(header.cores.size()), calls_(header.functions.size()) {
    for (size_t f = 0; f < calls_.size(); ++f) calls_[f].function = static_cast<int>(f);
  }

  void enter(double time, int rank, const RankState& state) override {
    Since& s = since_[rank];
    if (state.kind == State::kProgram) s.program = time;
    if (state.kind == State::kCall) s.call = time;
    if (state.kind == State::kCall) s.function = state.function;
    if (state.kind == State::kWait) s.wait = time;
  }
  void leave(double time, int rank, const RankState& state) override {
    const Since& s = since_[rank];
    if (state.kind == State::kProgram) whole_ += time - s.program;
    if (state.kind == State::kWait) calls_[s.function].blocked += time - s.wait;
    if (state.kind != State::kCall) return;
    ++calls_[state.function].count;
    calls_[state.function].seconds += time - s.call;
  }
  void send(double /*time*/, const RankMessage& /*m*/) override {}
  void receive(double /*time*/, const RankMessage& /*m*/) override {}

  /// The total time of all ranks, s.
  double whole() const { return whole_; }
  /// By decreasing time.
  std::vector<Call> sorted() const {
    std::vector<Call> calls;
    std::copy_if(calls_.begin(), calls_.end(), std::back_inserter(calls), [](const Call& c) { return c.count > 0; });
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.seconds > b.seconds; });
    return calls;
  }

 private:
  struct Since {  // s
    double program = 0, call = 0, wait = 0;
    int function = 0;
  };
  std::vector<Since> since_;  // by rank
  std::vector<Call> calls_;   // by function
  double whole_ = 0;
};

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }

}  // namespace

std::string call_times(EventTimeline& timeline) {
  const EventsHeader& header = timeline.header();
  Calls calls(header);
  timeline.replay(timeline.ranks(), false, calls);
  std::string text = fmt::format("{} on {}: {} of {} ranks, from {} to {}\n\n", header.program, header.machine,
                                 timeline.ranks().size(), header.cores.size(), with_unit(timeline.from(), "s", 4),
                                 with_unit(timeline.to(), "s", 4));
  const auto row = [&](const std::string& name, const std::string& calls, const std::string& time,
                       const std::string& share, const std::string& blocked) {
    text += fmt::format("{:<26}{:>12}{:>16}{:>12}{:>12}", name, calls, time, share, blocked);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  };
  row("MPI function", "calls", "time, all ranks", "share", "blocked");
  double in_mpi = 0;
  int timeless = 0;
  for (const Calls::Call& c : calls.sorted()) {
    in_mpi += c.seconds;
    timeless += c.seconds == 0 ? 1 : 0;
    if (c.seconds == 0) continue;
    row("  " + header.functions[c.function], std::to_string(c.count), with_unit(c.seconds, "s", 3),
        percent(c.seconds, calls.whole()), percent(c.blocked, calls.whole()));
  }
  const double outside = calls.whole() - in_mpi;
  row("  outside MPI", "", with_unit(outside, "s", 3), percent(outside, calls.whole()), "");
  if (timeless > 0) text += fmt::format("functions without time: {}\n", timeless);
  return text;
}

}  // namespace strata::analysis
