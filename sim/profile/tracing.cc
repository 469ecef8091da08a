// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/tracing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "sim/profile/calling_rank.h"

namespace strata::sim {
namespace {

using simgrid::smpi::Request;

// Functions whose answer depends on the machine even where the messages are the same.
constexpr std::array kAskMachine = {
    kMPI_Wtime,     kMPI_Wtick,   kMPI_Get_processor_name, kMPI_Comm_split_type, kMPI_Dist_graph_create,
    kMPI_Graph_map, kMPI_Cart_map};
// Functions for which a trace has no steps.
constexpr std::array kNotRecorded = {
    kMPI_Put,      kMPI_Get,         kMPI_Accumulate,      kMPI_Get_accumulate,   kMPI_Fetch_and_op, kMPI_Rput,
    kMPI_Rget,     kMPI_Raccumulate, kMPI_Rget_accumulate, kMPI_Compare_and_swap, kMPI_Win_lock,     kMPI_Win_lock_all,
    kMPI_Win_post, kMPI_Win_start,   kMPI_Grequest_start,  kMPI_File_open};

}  // namespace

Tracing::Tracing(std::string program, std::string machine, std::vector<std::string> functions, std::vector<int> cores)
    : quiet_(cores.size()),
      waiting_for_all_(cores.size()),
      recorder_(std::move(program), std::move(machine), std::move(functions), std::move(cores)) {}

int& Tracing::quiet() { return quiet_[static_cast<std::size_t>(current_rank())]; }
int& Tracing::waiting_for_all() { return waiting_for_all_[static_cast<std::size_t>(current_rank())]; }

int Tracing::number(MPI_Comm comm) { return comms_.try_emplace(comm, static_cast<int>(comms_.size())).first->second; }

int Tracing::group_of(const int* ranks, int count) {
  std::vector<int> members(ranks, ranks + count);
  std::sort(members.begin(), members.end());
  return recorder_.group(members);
}

void Tracing::enter(Function function, int outermost) {
  recorder_.enter(current_rank(), outermost);
  const auto is = [function](Function f) { return f == function; };
  if (std::any_of(kNotRecorded.begin(), kNotRecorded.end(), is)) recorder_.not_recorded(function);
  if (!is_quiet() && std::any_of(kAskMachine.begin(), kAskMachine.end(), is)) recorder_.doubt(function);
}

void Tracing::doubt() {
  if (const int function = recorder_.function(current_rank()); function >= 0) recorder_.doubt(function);
}

void Tracing::add(const TraceStep& step) {
  if (!is_quiet()) recorder_.add(current_rank(), step);
}

void Tracing::start(const Request& request) {
  if ((request.flags() & Request::kOneSided) != 0) return;  // the function that made it is known not to be recorded
  const int rank = current_rank(), comm = number(request.communicator());
  if ((request.flags() & Request::kReceive) == 0) {
    unsigned modes = 0;
    if ((request.flags() & Request::kImmediate) != 0) modes |= TraceStep::kImmediate;
    if ((request.flags() & Request::kSynchronous) != 0) modes |= TraceStep::kSynchronous;
    if ((request.flags() & Request::kBuffered) != 0) modes |= TraceStep::kBuffered;
    const int to = static_cast<int>(request.receiver()) - 1;
    if (to >= static_cast<int>(quiet_.size())) return;
    recorder_.send(rank, &request, to, request.tag(), comm, static_cast<double>(request.size()), modes);
    return;
  }
  const bool any_source = request.sender() == MPI_ANY_SOURCE, any = any_source || request.tag() == MPI_ANY_TAG;
  const int from = any_source ? -1 : static_cast<int>(request.sender()) - 1;
  recorder_.receive(rank, &request, from, any ? 0 : request.tag(), comm, static_cast<double>(request.size()),
                    any ? TraceStep::kWildcard : 0U);
  if (any) doubt();
}

void Tracing::probe(double begin, bool found, int source, MPI_Comm comm, const MPI_Status* status) {
  if (is_quiet()) return;
  doubt();
  if (now() > begin) add({.kind = TraceStep::Kind::kSleep, .amount = now() - begin});
  if (!found) return;
  int from = source != MPI_ANY_SOURCE ? source : status != MPI_STATUS_IGNORE ? status->MPI_SOURCE : -1;
  if (from < 0) return;
  static const auto group_of_comm = behind<int(MPI_Comm, MPI_Group*)>("PMPI_Comm_group");
  static const auto free_group = behind<int(MPI_Group*)>("PMPI_Group_free");
  MPI_Group group = MPI_GROUP_NULL;
  group_of_comm(comm, &group);
  from = static_cast<int>(reinterpret_cast<simgrid::smpi::Group*>(group)->actor(from)) - 1;
  free_group(&group);
  recorder_.found(current_rank(), from, TraceStep::kChosen);
}

void Tracing::begin_work(TracedWork::Kind kind, double amount, double moved, double working_set) {
  using Kind = TraceStep::Kind;
  static constexpr std::array kSteps = {Kind::kSleep,  Kind::kFlops, Kind::kSeconds,     Kind::kWork,
                                        Kind::kStream, Kind::kCopy,  Kind::kMessageCopy, Kind::kCombine};
  if (kind == TracedWork::kWork || kind == TracedWork::kStream) add({.kind = Kind::kWorkingSet, .amount = working_set});
  add({.kind = kSteps.at(kind), .amount = amount, .moved = moved});
  ++quiet();
}

void Tracing::end_work() { --quiet(); }

void Tracing::read_clock(const int* ranks, int count) {
  if (!is_quiet()) add({.kind = TraceStep::Kind::kReadClock, .number = group_of(ranks, count)});
}

void Tracing::start_together(const int* ranks, int count) {
  if (!is_quiet()) add({.kind = TraceStep::Kind::kStartTogether, .number = group_of(ranks, count)});
  ++quiet();
}

Waits::Waits(Tracing* tracing, Request* const* requests, int count)
    : tracing_(tracing == nullptr || tracing->is_quiet() ? nullptr : tracing) {
  if (tracing_ == nullptr) return;
  for (int i = 0; i < count; ++i)
    waits_.push_back(requests[i] != MPI_REQUEST_NULL && requests[i]->can_be_waited_for() ? requests[i] : nullptr);
}

void Waits::ended(int index, bool chosen) {
  if (tracing_ == nullptr || index < 0 || static_cast<std::size_t>(index) >= waits_.size()) return;
  if (waits_[static_cast<std::size_t>(index)] == nullptr) return;
  tracing_->recorder().wait(current_rank(), waits_[static_cast<std::size_t>(index)], chosen ? TraceStep::kChosen : 0U);
  if (chosen) tracing_->doubt();
}

void Waits::all_ended() {
  if (tracing_ != nullptr) tracing_->recorder().wait_for_all(current_rank(), waits_);
}

long Waits::count() const {
  return std::count_if(waits_.begin(), waits_.end(), [](const void* w) { return w != nullptr; });
}

}  // namespace strata::sim
