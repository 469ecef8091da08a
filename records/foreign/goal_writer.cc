// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/goal_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/whole_file.h"
#include "records/foreign/plain_steps.h"

namespace strata {
namespace {

using Kind = PlainStep::Kind;

constexpr double kPerSecond = 1e9;  // ns

class RankWriter {
 public:
  RankWriter(PlainSteps& all, double speed, int rank, std::string& text)
      : all_(all), speed_(speed), rank_(rank), steps_(all.of(rank)), labels_(steps_.size()), out_(text) {}

  void write() {
    fmt::format_to(std::back_inserter(out_), "rank {} {{\n", rank_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const PlainStep& s = steps_[i];
      switch (s.kind) {
        case Kind::kWait:
          wait(i);
          break;
        case Kind::kSleep:
          compute(s.amount);
          break;
        case Kind::kCompute:
          compute(s.amount / speed_);
          break;
        default:
          message(i);
          break;
      }
    }
    if (!waits_.empty()) calc(0);
    out_ += "}\n";
  }

 private:
  void wait(std::size_t i) {
    waits_.push_back(labels_[steps_[i].start]);
    // If the program waits for a send at once, the next operation requires only that send. A `calc 0` separates it from
    // a further wait.
    const bool at_once = i > 0 && steps_[i].start == i - 1 && steps_[i - 1].blocking;
    if (at_once && i + 1 < steps_.size() && steps_[i + 1].kind == Kind::kWait) calc(0);
  }

  void compute(double seconds) {
    owed_ += seconds * kPerSecond;
    const double whole = std::round(owed_);
    if (whole <= 0) return;
    owed_ -= whole;
    calc(whole);
  }

  void calc(double ns) {
    fmt::format_to(std::back_inserter(out_), "l{}: calc {:.0f}\n", ++label_, ns);
    after_last(false);
  }

  void message(std::size_t i) {
    const PlainStep& s = steps_[i];
    const bool sends = s.kind == Kind::kSend;
    const double bytes = sends ? s.bytes : all_.bytes(s.peer, rank_, s.message);
    fmt::format_to(std::back_inserter(out_), "l{}: {} {:.0f}b {} {} tag {}\n", ++label_, sends ? "send" : "recv", bytes,
                   sends ? "to" : "from", s.peer, s.message);
    labels_[i] = label_;
    after_last(!s.blocking);
  }

  // Writes the dependencies of the newest operation. `goes_on`: the program continues while that operation runs.
  void after_last(bool goes_on) {
    const bool waited = std::find(waits_.begin(), waits_.end(), last_) != waits_.end();
    if (last_ > 0 && (last_goes_on_ || !waited))
      fmt::format_to(std::back_inserter(out_), "l{} {} l{}\n", label_, last_goes_on_ ? "irequires" : "requires", last_);
    std::sort(waits_.begin(), waits_.end());
    for (const long l : waits_) fmt::format_to(std::back_inserter(out_), "l{} requires l{}\n", label_, l);
    waits_.clear();
    last_ = label_;
    last_goes_on_ = goes_on;
  }

  const PlainSteps& all_;
  const double speed_;  // flop/s
  const int rank_;
  const std::vector<PlainStep> steps_;
  std::vector<long> labels_;  // by step
  std::vector<long> waits_;   // labels that the next operation requires
  long label_ = 0, last_ = 0;
  bool last_goes_on_ = false;
  double owed_ = 0;  // ns of computation not written yet
  std::string& out_;
};

}  // namespace

double write_goal(const Trace& trace, const Machine& machine, const std::string& from,
                  const std::filesystem::path& file) {
  PlainSteps steps(trace, machine, from, "GOAL");
  std::string text = fmt::format("// {}: what strata recorded, computation on {}\nnum_ranks {}\n", trace.program,
                                 machine.name, trace.ranks.size());
  for (int r = 0; r < static_cast<int>(trace.ranks.size()); ++r)
    RankWriter(steps, machine.core_speed.si, r, text).write();
  write_whole(file, text);
  return steps.alone_s();
}

}  // namespace strata
