// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/witness_records.h"

#include <algorithm>
#include <utility>

#include "native/board/function_names.h"
#include "native/coordinator/one_sided_memory.h"

namespace strata::native {

// An active message has its header's length there.
int WitnessRecords::tag_of(int rank, const Message& m) const {
  return m.kind == Kind::kActive ? 0 : mpi_tag(board_.slots[rank].tags, m.tag);
}

WitnessRecords::WitnessRecords(Board& board, const Machine& machine, std::vector<int> cores, const std::string& program,
                               const std::filesystem::path& events, Recording* recording)
    : board_(board),
      machine_(machine),
      cores_(std::move(cores)),
      events_(events),
      ledger_(function_names()),
      recording_(recording) {
  for (std::size_t r = 0; r < cores_.size(); ++r) ledger_.add_rank();
  if (events.empty()) return;
  recorder_.emplace(EventStore(events), EventsHeader{program, machine.name, function_names(), cores_}, false,
                    [](const OutputError& e) { throw OutputError(e); });
  ledger_.record(&*recorder_);
}

void WitnessRecords::begin(flow::MachineFlows& flows) { traffic_.begin(machine_, cores_, flows); }

Profile WitnessRecords::finish(double now) {
  traffic_.end();
  if (recorder_) recorder_->finish(now);
  if (recorder_ && !born_.empty()) set_cores(events_, cores_);
  Profile profile = ledger_.profile(now);
  // Time before a rank's birth is not its computation.
  const std::size_t first = profile.ranks.size() - born_.size();
  for (std::size_t i = 0; i < born_.size(); ++i) {
    double& computing = profile.ranks[first + i].computing;
    computing = std::max(0.0, computing - born_[i]);
  }
  return profile;
}

void WitnessRecords::begin(int /*rank*/, int core, double now) {
  cores_.push_back(core);
  born_.push_back(now);
  ledger_.add_later_rank(recorder_ ? &*recorder_ : nullptr);
  if (recorder_) recorder_->add_rank();
}

void WitnessRecords::posted(int rank, const Message& m) {
  if (recording_ != nullptr) recording_->posted(rank, m);
}

void WitnessRecords::blocked(int rank, const Wait& wait) {
  if (recording_ != nullptr) recording_->blocked(rank, wait);
}

void WitnessRecords::enter(int rank, int function, double now) { ledger(rank).enter(function, now); }

void WitnessRecords::leave(int rank, double now) {
  if (ledger(rank).call() >= 0) ledger(rank).leave(ledger_.calls(), now);
}

void WitnessRecords::block(int rank, double now) { ledger(rank).block(now); }

void WitnessRecords::unblock(int rank, std::int64_t message, double began, double now) {
  const auto number = static_cast<std::size_t>(message);
  const bool is_known = message >= 0 && number < recorded_.size();
  ledger(rank).unblock(message >= 0 ? began : kNotYet, now, {is_known ? recorded_[number] : 0});
}

void WitnessRecords::send(int rank, const Message& m, double now) {
  traffic_.sent(rank, m.peer, static_cast<double>(m.bytes));
  if (!recorder_) return;
  const auto number = static_cast<std::size_t>(m.number);
  if (recorded_.size() <= number) recorded_.resize(number + 1);
  recorded_[number] = recorder_->send(rank, m.peer, tag_of(rank, m), static_cast<std::int64_t>(m.bytes), now);
}

// When a receive was posted is known to its rank only; a message that is delivered has one, or waits in a queue.
void WitnessRecords::arrive(const Message& m, double began, double now) {
  const auto number = static_cast<std::size_t>(m.number);
  if (recorder_ && m.number >= 0) recorder_->arrive(recorded_[number], began, began, now);
}

void WitnessRecords::end(int rank, double now) {
  if (ledger(rank).ended()) return;
  ledger(rank).end(ledger_.calls(), now);
  if (recorder_) recorder_->end_rank(rank, now);
  if (recording_ != nullptr) recording_->end(rank, now);
}

void WitnessRecords::perform(int rank, const Message& m) {
  traffic_.sent(m.kind == Kind::kGet ? m.peer : rank, m.kind == Kind::kGet ? rank : m.peer,
                static_cast<double>(m.bytes));
  perform_one_sided(board_, rank, m);
}

}  // namespace strata::native
