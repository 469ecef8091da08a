// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/rank_calls.h"

#include <algorithm>
#include <set>
#include <utility>

namespace strata {
namespace {

using Kind = Call::Kind;

// The results of these functions depend on when messages arrive.
const std::set<std::string> kDoubtful = {
    "MPI_Improbe", "MPI_Iprobe",  "MPI_Mprobe",   "MPI_Probe",   "MPI_Test",
    "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Waitany", "MPI_Waitsome",
};

void fill(Call& call, const RankCalls::Message& m) {
  call.peer = m.peer;
  call.tag = m.tag;
  call.communicator = m.communicator;
  call.bytes = m.bytes;
}

}  // namespace

void RankCalls::enter(double time, Region kind, const std::string& name) {
  // File access takes time of the machine, not of the network, so it counts as computation.
  const bool counts = kind == Region::kMpi && !name.starts_with("MPI_File_");
  if (outside() && timed_ && !finished_) computed_ += time - since_;
  if (!timed_) began_ = since_ = time, timed_ = true;
  if (counts && name == "MPI_Finalize") {
    flush();
    if (!finished_) seconds = time - began_;
    finished_ = true;
  }
  if (counts && !finished_ && kDoubtful.contains(name)) ++doubts[name];
  mpi_ += counts ? 1 : 0;
  measuring_ += kind == Region::kMeasurement ? 1 : 0;
  open_.push_back({kind, name, counts});
  since_ = time;
}

void RankCalls::leave(double time) {
  if (open_.empty()) return;  // its enter was not measured
  if (outside() && !finished_) computed_ += time - since_;
  since_ = time;
  const Open left = std::move(open_.back());
  open_.pop_back();
  measuring_ -= left.kind == Region::kMeasurement ? 1 : 0;
  if (!left.counts) {
    if (open_.empty() && !finished_) seconds = time - began_;  // a trace of a program without MPI_Finalize
    return;
  }
  --mpi_;
  flush();
  if (left.name == "MPI_Init" || left.name == "MPI_Init_thread") {
    began_ = time;
    computed_ = 0;
  }
}

Call& RankCalls::add(Kind kind) {
  if (computed_ > 0) {
    calls.emplace_back().seconds = computed_;
    computed_ = 0;
  }
  Call& call = calls.emplace_back();
  call.kind = kind;
  return call;
}

// Adds the messages and completed requests of an MPI function when it ends.
void RankCalls::flush() {
  const std::string name = open_.empty() ? "" : open_.back().name;
  if (!sends_.empty() && !receives_.empty()) {
    std::vector<long> both;
    const auto start_each = [&](const std::vector<Message>& messages, Kind kind) {
      for (const Message& m : messages) {
        Call& call = add(kind);
        fill(call, m);
        both.push_back(call.request = requests_++);
      }
    };
    start_each(receives_, Kind::kIrecv);
    start_each(sends_, Kind::kIsend);
    add(Kind::kWait).requests = both;
  } else {
    for (const Message& m : sends_) fill(add(Kind::kSend), m);
    for (const Message& m : receives_) fill(add(Kind::kRecv), m);
  }
  sends_.clear();
  receives_.clear();
  if (!completed_.empty()) add(Kind::kWait).requests = std::exchange(completed_, {});
}

void RankCalls::sent(const Message& m) {
  if (!open_.empty() && open_.back().name == "MPI_Ssend") {
    fill(add(Kind::kSsend), m);
    return;
  }
  sends_.push_back(m);
  if (mpi_ == 0) flush();
}

void RankCalls::received(const Message& m) {
  receives_.push_back(m);
  if (mpi_ == 0) flush();
}

void RankCalls::start(Kind kind, std::uint64_t request) {
  if (started_.contains(request) && fault.empty())
    fault = "starts request " + std::to_string(request) + " before the earlier one of this number is complete";
  Call& call = add(kind);
  call.request = requests_++;
  started_.insert_or_assign(request, Started{calls.size() - 1, call.request});
}

void RankCalls::send_started(const Message& m, std::uint64_t request) {
  const bool synchronous = !open_.empty() && open_.back().name == "MPI_Issend";
  start(synchronous ? Kind::kIssend : Kind::kIsend, request);
  fill(calls.back(), m);
}

void RankCalls::receive_started(std::uint64_t request) { start(Kind::kIrecv, request); }

bool RankCalls::is(std::uint64_t request, std::initializer_list<Kind> kinds) {
  const auto known = started_.find(request);
  if (known == started_.end()) return false;
  if (std::find(kinds.begin(), kinds.end(), calls[known->second.call].kind) != kinds.end()) return true;
  if (fault.empty()) fault = "completes request " + std::to_string(request) + " as one of another kind";
  return false;
}

// A request that was started before the measurement is unknown.
void RankCalls::complete(std::uint64_t request) {
  const auto known = started_.find(request);
  if (known == started_.end()) return;
  completed_.push_back(known->second.number);
  started_.erase(known);
  if (mpi_ == 0) flush();
}

void RankCalls::send_completed(std::uint64_t request) {
  if (is(request, {Kind::kIsend, Kind::kIssend})) complete(request);
}

void RankCalls::receive_completed(const Message& m, std::uint64_t request) {
  if (!is(request, {Kind::kIrecv})) return;
  fill(calls[started_.at(request).call], m);
  complete(request);
}

void RankCalls::cancelled(std::uint64_t request) {
  const auto known = started_.find(request);
  if (known == started_.end()) return;
  dropped_.push_back(known->second.call);
  started_.erase(known);
}

void RankCalls::collective(Collective collective, int communicator, int root, CollectiveBytes bytes) {
  Call& call = add(Kind::kCollective);
  call.collective = collective;
  call.communicator = communicator;
  call.peer = root;
  bytes_of_[calls.size() - 1] = bytes;
}

void RankCalls::collective_started(std::uint64_t request) { start(Kind::kICollective, request); }

void RankCalls::collective_completed(Collective collective, int communicator, int root, CollectiveBytes bytes,
                                     std::uint64_t request) {
  if (!is(request, {Kind::kICollective})) return;
  const std::size_t number = started_.at(request).call;
  Call& call = calls[number];
  call.collective = collective;
  call.communicator = communicator;
  call.peer = root;
  bytes_of_[number] = bytes;
  complete(request);
}

void RankCalls::end() {
  flush();
  // Waits for open sends. The sender of a receive that was not completed is unknown.
  std::vector<long> sends;
  for (const auto& [request, started] : started_) {
    const Kind kind = calls[started.call].kind;
    if (kind == Kind::kIsend || kind == Kind::kIssend) {
      sends.push_back(started.number);
    } else {
      dropped_.push_back(started.call);
      ++abandoned;
    }
  }
  std::sort(sends.begin(), sends.end());
  if (!sends.empty()) add(Kind::kWait).requests = sends;
  if (computed_ > 0) calls.emplace_back().seconds = std::exchange(computed_, 0);
  const std::set<std::size_t> dropped(dropped_.begin(), dropped_.end());
  std::vector<Call> kept;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (dropped.contains(i)) continue;
    if (const auto found = bytes_of_.find(i); found != bytes_of_.end()) bytes.push_back(found->second);
    kept.push_back(std::move(calls[i]));
  }
  calls = std::move(kept);
}

}  // namespace strata
