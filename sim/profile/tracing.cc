// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/tracing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "records/exchange/message_spans.h"
#include "sim/profile/calling_rank.h"

namespace strata::sim {
namespace {

using simgrid::smpi::Request;
using simgrid::smpi::Win;

// Functions whose results depend on the machine even if the messages are the same.
constexpr std::array kAskMachine = {
    kMPI_Wtime,     kMPI_Wtick,   kMPI_Get_processor_name, kMPI_Comm_split_type, kMPI_Dist_graph_create,
    kMPI_Graph_map, kMPI_Cart_map};
// Functions whose results depend on an order: which rank is first to lock a window or change its contents, or whether a
// message or its cancellation is first.
constexpr std::array kWhoIsFirst = {kMPI_Win_lock,        kMPI_Win_lock_all,     kMPI_Get_accumulate, kMPI_Fetch_and_op,
                                    kMPI_Rget_accumulate, kMPI_Compare_and_swap, kMPI_Test_cancelled};
// Functions that a trace cannot represent.
constexpr std::array kNotRecorded = {kMPI_Grequest_start, kMPI_File_open};

template <std::size_t kCount>
bool contains(const std::array<Function, kCount>& functions, Function function) {
  return std::find(functions.begin(), functions.end(), function) != functions.end();
}

// The rank in MPI_COMM_WORLD.
int world_rank(MPI_Comm comm, int rank) {
  static const auto group_of_comm = behind<int(MPI_Comm, MPI_Group*)>("PMPI_Comm_group");
  static const auto free_group = behind<int(MPI_Group*)>("PMPI_Group_free");
  MPI_Group group = MPI_GROUP_NULL;
  group_of_comm(comm, &group);
  const aid_t actor = reinterpret_cast<simgrid::smpi::Group*>(group)->actor(rank);
  free_group(&group);
  return static_cast<int>(actor) - 1;
}

// The ranks in MPI_COMM_WORLD of a communicator whose rank 0 calls; empty for the other ranks, and for communicators of
// two groups.
std::vector<int> members_at_first(MPI_Comm comm) {
  static const auto is_inter = behind(PMPI_Comm_test_inter, "PMPI_Comm_test_inter");
  static const auto rank_of = behind(PMPI_Comm_rank, "PMPI_Comm_rank");
  static const auto size_of = behind(PMPI_Comm_size, "PMPI_Comm_size");
  int inter = 0, rank = -1, size = 0;
  if (is_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return {};
  if (rank_of(comm, &rank) != MPI_SUCCESS || rank != 0 || size_of(comm, &size) != MPI_SUCCESS) return {};
  std::vector<int> members;
  members.reserve(size);
  for (int r = 0; r < size; ++r) members.push_back(world_rank(comm, r));
  return members;
}

}  // namespace

Tracing::Tracing(std::string program, std::string machine, std::vector<std::string> functions, std::vector<int> cores,
                 std::string file, void (*give_up)(const OutputError&))
    : quiet_(cores.size()),
      waiting_for_all_(cores.size()),
      one_sided_(cores.size()),
      taken_(cores.size()),
      recorder_(std::move(program), std::move(machine), std::move(functions), std::move(cores), std::move(file),
                give_up) {}

int& Tracing::quiet() { return quiet_[current_rank()]; }
int& Tracing::waiting_for_all() { return waiting_for_all_[current_rank()]; }

int Tracing::number(MPI_Comm comm) { return comms_.try_emplace(comm, static_cast<int>(comms_.size())).first->second; }

int Tracing::group_of(const int* ranks, int count) {
  std::vector<int> members(ranks, ranks + count);
  std::sort(members.begin(), members.end());
  return recorder_.group(members);
}

void Tracing::collective(Function function, MPI_Comm comm, std::int64_t bytes) {
  const std::vector<int> members = members_at_first(comm);
  if (!members.empty()) recorder_.collective(function, members, bytes);
}

void Tracing::enter(Function function, int outermost) {
  recorder_.enter(current_rank(), outermost);
  if (contains(kNotRecorded, function)) recorder_.not_recorded(function);
  if (!is_quiet() && (contains(kAskMachine, function) || contains(kWhoIsFirst, function))) doubt();
}

void Tracing::doubt() {
  if (const int function = recorder_.function(current_rank()); function >= 0) recorder_.doubt(function);
}

void Tracing::doubt(const std::string& function) {
  if (!is_quiet()) recorder_.doubt(function);
}

void Tracing::add(const TraceStep& step) {
  if (!is_quiet()) recorder_.add(current_rank(), step);
}

void Tracing::start(const Request& request) {
  const int rank = current_rank();
  if ((request.flags() & Request::kOneSided) != 0) {
    recorder_.forget(&request);
    OneSided* const operation = one_sided_[rank];
    if (operation != nullptr && (request.flags() & Request::kReceive) == 0)
      operation->send(static_cast<double>(request.size()));
    return;
  }
  const int comm = number(request.communicator());
  const double span = strata_monitoring_buffer_span == nullptr ? 0 : strata_monitoring_buffer_span(&request);
  if ((request.flags() & Request::kReceive) == 0) {
    unsigned modes = 0;
    if ((request.flags() & Request::kImmediate) != 0) modes |= TraceStep::kImmediate;
    if ((request.flags() & Request::kSynchronous) != 0) modes |= TraceStep::kSynchronous;
    if ((request.flags() & Request::kBuffered) != 0) modes |= TraceStep::kBuffered;
    const int to = static_cast<int>(request.receiver()) - 1;
    if (to >= static_cast<int>(quiet_.size())) return;
    recorder_.send(rank, &request, to, request.tag(), comm, static_cast<double>(request.size()), modes, span);
    return;
  }
  const bool any_source = request.sender() == MPI_ANY_SOURCE, any = any_source || request.tag() == MPI_ANY_TAG;
  const int from = any_source ? -1 : static_cast<int>(request.sender()) - 1;
  recorder_.receive(rank, &request, from, any ? 0 : request.tag(), comm, static_cast<double>(request.size()),
                    any ? TraceStep::kWildcard : 0U, span);
  // The root of MPI_Ibarrier also receives from any source, but waits for all messages.
  if (any && recorder_.function(rank) != kMPI_Ibarrier) doubt();
}

void Tracing::started(const Request& request) {
  if ((request.flags() & Request::kOneSided) != 0) {
    if (OneSided* const operation = one_sided_[current_rank()]) operation->started(request);
  } else if ((request.flags() & Request::kReceive) != 0) {
    recorder_.received_by(&request, request.message());
  }
}

void Tracing::add_window(const Win* window) {
  const int rank = current_rank();
  std::vector<bool>& taken = taken_[rank];
  const auto free = std::find(taken.begin(), taken.end(), false);
  const int number = static_cast<int>(free - taken.begin());
  if (free == taken.end()) taken.push_back(false);
  taken[number] = true;
  windows_[window] = {rank, number};
  locks_[window->access_lock()] = {rank, 2 * number};
  locks_[window->atomic_lock()] = {rank, 2 * number + 1};
}

void Tracing::free_window(const Win* window) {
  const auto at = windows_.find(window);
  if (at == windows_.end()) return;
  const auto [owner, number] = at->second;
  taken_[owner][number] = false;
  windows_.erase(at);
  std::erase_if(locks_,
                [&](const auto& lock) { return lock.second.owner == owner && lock.second.number / 2 == number; });
}

void Tracing::flush(const Win* window) {
  const auto at = windows_.find(window);
  if (is_quiet() || at == windows_.end()) return;
  recorder_.one_sided(current_rank(),
                      {.kind = TraceStep::Kind::kFlush, .peer = at->second.owner, .number = at->second.number});
}

void Tracing::flush(const Win* window, int rank) {
  const auto at = windows_.find(window);
  if (is_quiet() || at == windows_.end()) return;
  recorder_.one_sided(current_rank(), {.kind = TraceStep::Kind::kFlushOne,
                                       .peer = at->second.owner,
                                       .tag = world_rank(window->comm(), rank),
                                       .number = at->second.number});
}

void Tracing::add_lock(TraceStep::Kind kind, const simgrid::s4u::Mutex* mutex) {
  const auto at = locks_.find(mutex);
  if (is_quiet() || at == locks_.end()) return;
  recorder_.one_sided(current_rank(), {.kind = kind, .peer = at->second.owner, .number = at->second.number});
}

void Tracing::lock(const simgrid::s4u::Mutex* mutex) { add_lock(TraceStep::Kind::kLock, mutex); }
void Tracing::unlock(const simgrid::s4u::Mutex* mutex) { add_lock(TraceStep::Kind::kUnlock, mutex); }

OneSided::OneSided(Tracing* tracing, TraceStep::Kind kind, const Win& window, int target, bool held)
    : tracing_(tracing) {
  if (tracing_ == nullptr) return;
  const auto own = tracing_->windows_.find(&window), peers = tracing_->windows_.find(window.of(target));
  if (own == tracing_->windows_.end() || peers == tracing_->windows_.end()) {
    tracing_ = nullptr;
    return;
  }
  step_ = {.kind = kind,
           .modes = held ? TraceStep::kHeld : std::uint8_t{0},
           .peer = peers->second.owner,
           .number = own->second.number,
           .passed = peers->second.number};
  tracing_->one_sided_[current_rank()] = this;
}

OneSided::~OneSided() {
  if (tracing_ != nullptr) tracing_->one_sided_[current_rank()] = nullptr;
}

void OneSided::send(double bytes) {
  step_.amount = bytes;
  number_ = tracing_->recorder_.one_sided(current_rank(), step_);
}

void OneSided::started(const Request& request) {
  const bool receives = (request.flags() & Request::kReceive) != 0;
  if (number_ < 0 || receives != (step_.kind == TraceStep::Kind::kGet)) return;
  tracing_->recorder_.place(current_rank(), &request, number_);
}

void Tracing::probe(double begin, bool found, int source, MPI_Comm comm, const MPI_Status* status) {
  if (is_quiet()) return;
  doubt();
  if (now() > begin) add({.kind = TraceStep::Kind::kSleep, .amount = now() - begin});
  if (!found) return;
  int from = source != MPI_ANY_SOURCE ? source : status != MPI_STATUS_IGNORE ? status->MPI_SOURCE : -1;
  if (from < 0) return;
  recorder_.found(current_rank(), world_rank(comm, from), TraceStep::kChosen);
}

void Tracing::begin_work(TracedWork::Kind kind, double amount, double moved, double working_set) {
  using Kind = TraceStep::Kind;
  static constexpr std::array kSteps = {Kind::kSleep,  Kind::kFlops,  Kind::kSeconds,     Kind::kWork,
                                        Kind::kStream, Kind::kCopy,   Kind::kMessageCopy, Kind::kCombine,
                                        Kind::kPoll,   Kind::kPolled, Kind::kLook};
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
  if (waits_[index] == nullptr) return;
  tracing_->recorder().wait(current_rank(), waits_[index], chosen ? TraceStep::kChosen : 0U);
}

void Waits::asked() {
  if (tracing_ != nullptr && count() > 0) tracing_->doubt();
}

void Waits::all_ended() {
  if (tracing_ != nullptr) tracing_->recorder().wait_for_all(current_rank(), waits_);
}

long Waits::count() const {
  return std::count_if(waits_.begin(), waits_.end(), [](const void* w) { return w != nullptr; });
}

}  // namespace strata::sim
