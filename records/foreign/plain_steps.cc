// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/plain_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "platforms/core_work.h"
#include "platforms/memory.h"
#include "records/trace/fold.h"

namespace strata {
namespace {

using Step = TraceStep;
using Kind = TraceStep::Kind;

// The messages of one sender to a rank that its receives have claimed (trace.h, TraceStep::passed).
class Claims {
 public:
  long claim(int passed) {
    long index = first_;
    for (int left = passed; left > 0 || beyond_.contains(index); ++index) left -= beyond_.contains(index) ? 0 : 1;
    beyond_.insert(index);
    while (beyond_.erase(first_) > 0) ++first_;
    return index;
  }

 private:
  long first_ = 0;         // all earlier ones are claimed
  std::set<long> beyond_;  // later ones that are claimed
};

}  // namespace

PlainSteps::PlainSteps(const Trace& trace, const Machine& machine, std::string file, std::string format)
    : trace_(trace), machine_(machine), file_(std::move(file)), format_(std::move(format)) {
  const int ranks = static_cast<int>(trace.ranks.size());
  for (int r = 0; r < ranks; ++r) {
    std::map<int, std::vector<double>> to;
    for (const Step& s : unfold(*trace.ranks[r])) {
      if (s.kind == Kind::kSend) to[(r + s.peer) % ranks].push_back(s.amount);
    }
    sent_.emplace_back(to.begin(), to.end());
  }
}

void PlainSteps::fail(int rank, const std::string& function, const std::string& what, const std::string& remedy) const {
  throw InputError(
      file_,
      fmt::format("rank {}{}: {} has no word for {}", rank, function.empty() ? "" : ", " + function, format_, what),
      remedy);
}

double PlainSteps::bytes(int from, int to, long message) const {
  const auto& all = sent_[from];
  const auto found = std::lower_bound(all.begin(), all.end(), to,
                                      [](const auto& receiver, int number) { return receiver.first < number; });
  if (found == all.end() || found->first != to || static_cast<std::size_t>(message) >= found->second.size()) {
    throw InputError(file_,
                     fmt::format("rank {} receives message {} of rank {}, which does not send it", to, message, from),
                     "record it again");
  }
  return found->second[message];
}

// The flop that replay/step_price.h charges for the step.
double PlainSteps::flops(const Step& s) {
  const double speed = machine_.core_speed.si, combining = machine_.combine_bandwidth().si;
  switch (s.kind) {
    case Kind::kExecute:
    case Kind::kFlops:
      return s.amount;
    case Kind::kSeconds:
      return s.amount * speed;
    case Kind::kMessageCopy:
      return machine_.memory ? 0 : moving_flops(speed, machine_.copy_bandwidth.si, s.amount);
    case Kind::kCopy:
      return machine_.memory ? alone(copy_alone_s(machine_, s.amount))
                             : moving_flops(speed, machine_.copy_bandwidth.si, s.amount);
    case Kind::kCombine:
      return machine_.memory ? alone(combine_alone_s(machine_, s.amount)) : moving_flops(speed, combining, s.amount);
    case Kind::kStream:
      return machine_.memory ? alone(stream_alone_s(machine_, s.amount, s.moved))
                             : streaming_flops(speed, combining, s.amount, s.moved);
    default:  // kWork
      return machine_.memory ? alone(stream_alone_s(machine_, s.amount, s.moved)) : s.amount;
  }
}

double PlainSteps::alone(double seconds) {
  alone_s_ += seconds;
  return seconds * machine_.core_speed.si;
}

std::vector<PlainStep> PlainSteps::of(int rank) {
  const int ranks = static_cast<int>(trace_.ranks.size());
  const std::vector<Step> steps = unfold(*trace_.ranks[rank]);
  std::vector<PlainStep> plain;
  std::vector<std::size_t> starts;  // by request
  std::map<int, Claims> claims;
  std::map<int, long> sent;
  std::string function;
  bool begun = false;  // the rank has had a step that takes time
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    switch (s.kind) {
      case Kind::kCall:
        function = s.number < 0 ? "" : trace_.functions[s.number];
        continue;
      case Kind::kSend: {
        if ((s.modes & Step::kSynchronous) != 0)
          fail(rank, function, "a send that waits for its receive however short it is", "only MPI_Send and MPI_Isend");
        if ((s.modes & Step::kBuffered) != 0)
          fail(rank, function, "a send that never waits for its receive", "only MPI_Send and MPI_Isend");
        const int to = (rank + s.peer) % ranks;
        const bool waits = i + 1 < steps.size() && steps[i + 1].kind == Kind::kWait && steps[i + 1].number == 1 &&
                           (steps[i + 1].modes & Step::kMore) == 0;
        starts.push_back(plain.size());
        plain.push_back({.kind = PlainStep::Kind::kSend,
                         .peer = to,
                         .message = sent[to]++,
                         .bytes = s.amount,
                         .blocking = waits && (s.modes & Step::kImmediate) == 0});
        break;
      }
      case Kind::kReceive: {
        const int from = (rank + s.peer) % ranks;
        starts.push_back(plain.size());
        plain.push_back({.kind = PlainStep::Kind::kReceive,
                         .peer = from,
                         .message = claims[from].claim(s.passed),
                         .bytes = s.amount});
        break;
      }
      case Kind::kWait:
        plain.push_back({.kind = PlainStep::Kind::kWait,
                         .more = (s.modes & Step::kMore) != 0,
                         .start = starts[starts.size() - static_cast<std::size_t>(s.number)]});
        break;
      case Kind::kArrival:
        fail(rank, function, "a probe", "replay the trace itself");
      case Kind::kMeet:
        // MPI_Init takes no time if it is the first step of all ranks.
        if (begun || trace_.groups[s.number].size() != trace_.ranks.size())
          fail(rank, function, "a meeting of ranks without messages", "replay the trace itself");
        continue;
      case Kind::kReadClock:
      case Kind::kStartTogether:
        fail(rank, function, "ranks that start together at a time", "record a program that does not measure itself");
      case Kind::kWorkingSet:
        continue;
      case Kind::kSleep:
        plain.push_back({.kind = PlainStep::Kind::kSleep, .amount = s.amount});
        break;
      default:
        plain.push_back({.kind = PlainStep::Kind::kCompute, .amount = flops(s)});
        break;
    }
    begun = true;
  }
  return plain;
}

}  // namespace strata
