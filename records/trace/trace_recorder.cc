// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/trace_recorder.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace strata {

using Kind = TraceStep::Kind;

TraceRecorder::TraceRecorder(std::string program, std::string machine, std::vector<std::string> functions,
                             std::vector<int> cores, std::string file, void (*give_up)(const OutputError&))
    : program_(std::move(program)),
      machine_(std::move(machine)),
      functions_(std::move(functions)),
      cores_(std::move(cores)),
      writer_(std::move(file), cores_.size()),
      give_up_(give_up),
      most_kept_(std::max(kFewestKept, kMostKept / std::max<std::size_t>(cores_.size(), 1))),
      doubts_(functions_.size()),
      ranks_(cores_.size()) {}

int TraceRecorder::relative(int rank, int peer) const {
  const int ranks = static_cast<int>(ranks_.size());
  return (peer - rank + ranks) % ranks;
}

TraceRecorder::Channel& TraceRecorder::channel(int from, int to) {
  return channels_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)];
}

TraceRecorder::Pending& TraceRecorder::append(int rank, const TraceStep& step) {
  Rank& r = of(rank);
  if (r.function != r.last_function) {
    r.last_function = r.function;
    r.pending.push_back({.step = {.kind = Kind::kCall, .number = r.function}});
  }
  r.pending.push_back({.step = step});
  return r.pending.back();
}

void TraceRecorder::add(int rank, const TraceStep& step) {
  append(rank, step);
  flush(rank);
}

void TraceRecorder::send(int rank, const void* request, int to, int tag, int comm, double bytes, unsigned modes,
                         double span) {
  Rank& r = of(rank);
  append(rank, {.kind = Kind::kSend,
                .modes = static_cast<std::uint8_t>(modes),
                .peer = relative(rank, to),
                .tag = tag,
                .number = comm,
                .amount = bytes,
                .moved = span})
      .start = r.started;
  // A rank posts messages in the order in which it starts them.
  requests_[request] = {.rank = rank,
                        .start = r.started++,
                        .receives = false,
                        .number = -1,
                        .message = {rank, to, channel(rank, to).sent++}};
  flush(rank);
}

void TraceRecorder::receive(int rank, const void* request, int source, int tag, int comm, double bytes, unsigned modes,
                            double span) {
  Rank& r = of(rank);
  Pending& p = append(rank, {.kind = Kind::kReceive,
                             .modes = static_cast<std::uint8_t>(modes),
                             .peer = source < 0 ? 0 : relative(rank, source),
                             .tag = tag,
                             .number = comm,
                             .amount = bytes,
                             .moved = span});
  p.start = r.started;
  p.known = false;
  const long number = r.first_pending + static_cast<long>(r.pending.size()) - 1;
  requests_[request] = {.rank = rank, .start = r.started++, .receives = true, .number = number, .message = {}};
}

long TraceRecorder::one_sided(int rank, const TraceStep& step) {
  Rank& r = of(rank);
  const long number = step.starts_request() ? r.started++ : -1;
  TraceStep relative_step = step;
  relative_step.peer = relative(rank, step.peer);
  if (step.kind == Kind::kFlushOne) relative_step.tag = relative(rank, step.tag);
  append(rank, relative_step).start = number;
  flush(rank);
  return number;
}

void TraceRecorder::place(int rank, const void* request, long number) {
  // With these values, sent() and received_by() do not associate a message with it.
  requests_[request] = {.rank = rank, .start = number, .receives = false, .number = -1, .message = {-1, -1, -1}};
}

void TraceRecorder::sent(const void* request, const void* message) {
  const auto found = requests_.find(request);
  if (found == requests_.end() || found->second.receives || found->second.message.from < 0) return;
  const auto waiting = awaited_.find(message);
  if (waiting == awaited_.end()) {
    sent_[message] = found->second.message;
    return;
  }
  const Place receive = waiting->second;
  awaited_.erase(waiting);
  resolve(receive, found->second.message);
}

void TraceRecorder::received_by(const void* request, const void* message) {
  const auto found = requests_.find(request);
  if (found == requests_.end() || !found->second.receives) return;
  const Place receive{found->second.rank, found->second.number};
  const auto there = sent_.find(message);
  if (there == sent_.end() || there->second.to != receive.rank) {
    awaited_[message] = receive;
    return;
  }
  const Sent sent = there->second;
  sent_.erase(there);
  resolve(receive, sent);
}

void TraceRecorder::cancelled(const void* message) {
  sent_.erase(message);
  const auto waiting = awaited_.find(message);
  if (waiting == awaited_.end()) return;
  const Place receive = waiting->second;
  awaited_.erase(waiting);
  Pending& p = of(receive.rank).pending[receive.number - of(receive.rank).first_pending];
  p.known = p.dropped = true;
  flush(receive.rank);
}

void TraceRecorder::resolve(const Place& receive, const Sent& message) {
  Rank& r = of(receive.rank);
  Pending& p = r.pending[receive.number - r.first_pending];
  p.step.peer = relative(receive.rank, message.from);
  p.index = message.index;
  p.known = true;
  flush(receive.rank);
}

void TraceRecorder::wait(int rank, const void* request, unsigned modes) {
  const auto found = requests_.find(request);
  if (found == requests_.end() || found->second.rank != rank) return;
  append(rank, {.kind = Kind::kWait, .modes = static_cast<std::uint8_t>(modes)}).start = found->second.start;
  flush(rank);
}

void TraceRecorder::wait_for_all(int rank, const std::vector<const void*>& requests) {
  std::vector<const void*> known;
  for (const void* request : requests) {
    const auto found = requests_.find(request);
    if (found != requests_.end() && found->second.rank == rank) known.push_back(request);
  }
  for (std::size_t i = 0; i < known.size(); ++i) wait(rank, known[i], i + 1 < known.size() ? TraceStep::kMore : 0U);
}

void TraceRecorder::found(int rank, int source, unsigned modes) {
  append(rank, {.kind = Kind::kArrival, .modes = static_cast<std::uint8_t>(modes), .peer = relative(rank, source)});
  flush(rank);
}

void TraceRecorder::come(int rank, const void* barrier) {
  Rank& r = of(rank);
  append(rank, {.kind = Kind::kMeet}).known = false;
  coming_[barrier].push_back({rank, r.first_pending + static_cast<long>(r.pending.size()) - 1});
}

void TraceRecorder::all_there(const void* barrier) {
  const auto found = coming_.find(barrier);
  if (found == coming_.end()) return;  // another rank of the barrier was first to continue
  const std::vector<Place> places = std::move(found->second);
  coming_.erase(found);
  std::vector<int> members;
  for (const Place& p : places) members.push_back(p.rank);
  std::sort(members.begin(), members.end());
  const int number = group(members);
  for (const Place& p : places) {
    Pending& meet = of(p.rank).pending[p.number - of(p.rank).first_pending];
    meet.step.number = number;
    meet.known = true;
    flush(p.rank);
  }
}

int TraceRecorder::group(const std::vector<int>& ranks) {
  return groups_.try_emplace(ranks, static_cast<int>(groups_.size())).first->second;
}

void TraceRecorder::collective(int function, const std::vector<int>& communicator, std::int64_t bytes) {
  const int number = communicators_.try_emplace(communicator, static_cast<int>(communicators_.size())).first->second;
  ++collectives_[{function, number, bytes}];
}

void TraceRecorder::doubt(const std::string& function) {
  const auto at = std::find(functions_.begin(), functions_.end(), function);
  const auto number = static_cast<int>(at - functions_.begin());
  if (at == functions_.end()) {
    functions_.push_back(function);
    doubts_.push_back(0);
  }
  doubt(number);
}

void TraceRecorder::flush(int rank) {
  Rank& r = of(rank);
  while (!r.pending.empty() && r.pending.front().known) {
    keep(rank, r.pending.front());
    r.pending.pop_front();
    ++r.first_pending;
  }
}

void TraceRecorder::keep(int rank, const Pending& pending) {
  Rank& r = of(rank);
  TraceStep step = pending.step;
  if (pending.dropped) {
    if (step.starts_request()) r.dropped.push_back(pending.start);
    return;
  }
  if (step.starts_request()) ++r.starts_kept;
  if (step.kind == Kind::kWait) {
    const auto at = std::lower_bound(r.dropped.begin(), r.dropped.end(), pending.start);
    if (at != r.dropped.end() && *at == pending.start) return;
    const long waited = pending.start - (at - r.dropped.begin());
    step.number = static_cast<std::int32_t>(r.starts_kept - waited);
  }
  if (step.kind == Kind::kReceive) {
    const int from =
        static_cast<int>((static_cast<std::size_t>(rank) + static_cast<std::size_t>(step.peer)) % ranks_.size());
    Channel& c = channel(from, rank);
    const auto before = static_cast<long>(std::distance(c.beyond.begin(), c.beyond.lower_bound(pending.index)));
    step.passed = static_cast<std::int32_t>(pending.index - c.claimed - before);
    c.beyond.insert(pending.index);
    while (!c.beyond.empty() && *c.beyond.begin() == c.claimed) {
      c.beyond.erase(c.beyond.begin());
      ++c.claimed;
    }
  }
  r.folder.add(step);
  // Enough to keep a loop with one more iteration beside it, and a few loops beside each other.
  constexpr std::size_t kLoops = 8;
  if (r.folder.length() > most_kept_ || r.folder.size() > kLoops * most_kept_) put_aside(rank);
}

void TraceRecorder::put_aside(int rank) {
  try {
    writer_.append(static_cast<std::size_t>(rank), of(rank).folder.take_older_half());
  } catch (const OutputError& e) {
    give_up_(e);
  }
}

void TraceRecorder::end(int rank, double now) {
  Rank& r = of(rank);
  r.ended = now;
  // Receives without a message will never get one.
  for (Pending& p : r.pending) {
    if (p.known) continue;
    p.known = p.dropped = true;
  }
  flush(rank);
}

void TraceRecorder::write(std::string program_hash, std::string recorded_machine) {
  Trace t;
  t.recorded_machine = std::move(recorded_machine);
  t.program_hash = std::move(program_hash);
  t.program = program_;
  t.machine = machine_;
  t.cores = cores_;
  t.functions = functions_;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    t.ended.push_back(ranks_[r].ended);
    writer_.append(r, ranks_[r].folder.steps());
    ranks_[r].folder = {};
  }
  t.doubts = doubts_;
  t.native = native_;
  t.library = library_;
  for (const int f : not_recorded_) t.not_recorded.push_back(functions_[f]);
  t.groups.resize(groups_.size());
  for (const auto& [members, number] : groups_) t.groups[number] = members;
  t.communicators.resize(communicators_.size());
  for (const auto& [members, number] : communicators_) t.communicators[number] = members;
  for (const auto& [call, calls] : collectives_) {
    const auto& [function, communicator, bytes] = call;
    t.collectives.push_back({functions_[function], communicator, bytes, calls});
  }
  writer_.write(t);
}

}  // namespace strata
