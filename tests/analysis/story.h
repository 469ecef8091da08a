// SPDX-License-Identifier: LGPL-2.1-only
// Streams of events for tests.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/time_report.h"
#include "records/events.h"
#include "tests/process/process.h"

namespace strata::analysis {

/// Events are added in any order and sorted by time. Events with the same time keep their order.
class Story {
 public:
  enum Function { kSend, kRecv, kWait, kWork };

  explicit Story(size_t ranks) : cores_(ranks) {
    for (size_t r = 0; r < ranks; ++r) cores_[r] = static_cast<int>(r);
  }
  Story& on_cores(std::vector<int> cores) {
    cores_ = std::move(cores);
    return *this;
  }

  void add(Event e) { events_.push_back(std::move(e)); }
  void enter(int rank, double time, int function) {
    add({.kind = Event::Kind::kEnter, .time = time, .rank = rank, .function = function});
  }
  void leave(int rank, double time) { add({.kind = Event::Kind::kLeave, .time = time, .rank = rank}); }
  void block(int rank, double time) { add({.kind = Event::Kind::kBlock, .time = time, .rank = rank}); }
  void unblock(int rank, double time, std::int64_t message, double began, int other = -1) {
    add({.kind = Event::Kind::kUnblock,
         .time = time,
         .rank = rank,
         .message = message,
         .other = other,
         .began = began});
  }
  /// `message`: a number that identifies the message.
  void send(std::int64_t message, int rank, int other, double time, std::int64_t bytes, int tag = 0) {
    add({.kind = Event::Kind::kSend,
         .time = time,
         .rank = rank,
         .message = message,
         .other = other,
         .tag = tag,
         .bytes = bytes});
  }
  void arrive(std::int64_t message, double time, double posted, double began) {
    add({.kind = Event::Kind::kArrive, .time = time, .message = message, .posted = posted, .began = began});
  }
  void begin_phase(int rank, double time, const std::string& name) {
    add({.kind = Event::Kind::kPhaseBegin, .time = time, .rank = rank, .name = name});
  }
  void end_phase(int rank, double time) { add({.kind = Event::Kind::kPhaseEnd, .time = time, .rank = rank}); }
  void end(int rank, double time) { add({.kind = Event::Kind::kRankEnd, .time = time, .rank = rank}); }

  /// Ranks that have not ended end at `time`.
  TimeReport report(double time, const Machine* machine) {
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    std::map<std::int64_t, std::int64_t> numbers = {{0, 0}};
    for (const Event& e : events_) {
      if (e.kind == Event::Kind::kSend) numbers.emplace(e.message, static_cast<std::int64_t>(numbers.size()));
    }
    numbers_ = numbers;
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "run.events";
    EventWriter writer(file, {.program = "story",
                              .machine = "round",
                              .functions = {"MPI_Send", "MPI_Recv", "MPI_Wait", "MPI_Work"},
                              .cores = cores_});
    for (Event e : events_) {
      e.message = numbers.at(e.message);
      writer.write(e);
    }
    writer.finish(time);
    return time_report(file, machine);
  }
  /// The messages' numbers in the file, by their numbers in send(). Valid after report().
  const std::map<std::int64_t, std::int64_t>& numbers() const { return numbers_; }

 private:
  std::vector<int> cores_;
  std::vector<Event> events_;
  std::map<std::int64_t, std::int64_t> numbers_;
};

}  // namespace strata::analysis
