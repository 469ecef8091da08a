// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/team.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <set>
#include <span>

#include "mpi_ext/adapter/host.h"
#include "mpi_ext/context/attribute.h"
#include "mpi_ext/nbc/process_state.h"
#include "mpi_ext/provider/provider.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Freed with the communicator; the team may live longer.
struct Kept {
  std::shared_ptr<Team> team;
  explicit Kept(std::shared_ptr<Team> t) : team(std::move(t)) {}
  Kept(Kept&&) = default;
  Kept& operator=(Kept&&) = default;
  ~Kept() {
    if (team != nullptr) team->comm = MPI_COMM_NULL;
  }
};

constexpr int kMostInFlight = 256;  // collectives per communicator, if there are enough tags

// Exchanged between members.
struct Seat {
  std::uint64_t node_key;
  std::int64_t communication_core;  // the core of its progress thread; -1 for none
};

// -1 if no bit is set.
int lowest_bit(std::span<const std::uint64_t> words) {
  const auto at = std::ranges::find_if(words, [](std::uint64_t word) { return word != 0; });
  return at == words.end() ? -1 : static_cast<int>(64 * (at - words.begin())) + std::countr_zero(*at);
}

}  // namespace

Team::Team(MPI_Comm user, Process& process)
    : comm(user), session_(process.session), rank_(rank_in(user)), size_(size_of(user)), id_(process.ids) {
  const std::string host = simulated_host();
  if (session_ != nullptr) lane_ranks_ = translate_ranks(all_ranks_of(user), user, session_->application);
  const bool in_application = std::ranges::count(lane_ranks_, MPI_UNDEFINED) == 0;
  // Under SMPI the other processes are progress threads, which do not take part in agreements.
  if (!in_application && !host.empty()) check(MPI_ERR_COMM);
  const MPI_Comm context = context_of(user);
  std::optional<Where> place;
  try {
    place = where_am_i(rank_in(MPI_COMM_WORLD), host);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
  }
  agree_on_id(context, !in_application ? MPI_ERR_COMM : !place ? MPI_ERR_OTHER : MPI_SUCCESS);
  find_nodes(context, place->place.node_key);
  if (session_ == nullptr) {
    own_comm_ = returning_errors(private_copy(user));
    own_lane_.emplace(own_comm_.get());
  }
  const int numbers = std::min(lane().tags() / Ids::kIds, kMostInFlight);
  first_tag_ = id_.value * numbers;
  in_flight_.resize(numbers);
}

// Finds the lowest id that is free on all members, as MPICH finds its context ids. Only one thread of a process can
// look at a time. Another thread sees no free ids, and all members of its communicator try again.
//
// By itself, this could repeat forever for two communicators: one looks first on process 0, the other on process 1,
// none on both, and a thread that has failed looks again before the other thread runs (observed on two busy cores:
// hundreds of reductions in 30 s). So a communicator that tries again gets a turn, the same on all members, and lets
// earlier turns look first. The earliest turn succeeds as soon as the threads that looked before it have finished. The
// first try has no turn; without threads it is the only one and costs one reduction.
//
// If a member has an obstacle, all members throw its error; if there are two, the one that is not MPI_ERR_OTHER.
void Team::agree_on_id(MPI_Comm context, int obstacle) {
  enum { kEverybodyLooked = Ids::kIds / 64, kEverybodyPlaced, kEverybodyInApplication, kWords };
  std::optional<Ids::Waiting> waiting;
  for (;;) {
    bool borrowed = false;
    const Ids::Bits free = id_.ids().borrow(waiting ? waiting->turn() : Ids::kNoTurn, borrowed);
    std::array<std::uint64_t, kWords> mine{}, common{};
    std::ranges::copy(free, mine.begin());
    mine[kEverybodyLooked] = borrowed ? 1 : 0;
    mine[kEverybodyPlaced] = obstacle != MPI_ERR_OTHER ? 1 : 0;
    mine[kEverybodyInApplication] = obstacle != MPI_ERR_COMM ? 1 : 0;
    const int error = MPI_Allreduce(mine.data(), common.data(), kWords, MPI_UINT64_T, MPI_BAND, context);
    const int refused = error != MPI_SUCCESS                   ? error
                        : common[kEverybodyInApplication] == 0 ? MPI_ERR_COMM
                        : common[kEverybodyPlaced] == 0        ? MPI_ERR_OTHER
                                                               : MPI_SUCCESS;
    if (refused == MPI_SUCCESS) id_.value = lowest_bit(std::span(common).first<kEverybodyLooked>());
    if (borrowed) id_.ids().give_back(id_.value);
    check(refused);
    if (id_.value >= 0) return;
    if (common[kEverybodyLooked] == 0) {
      if (!waiting) waiting.emplace(id_.ids(), common_turn(context));
      continue;
    }
    if (rank_ == 0) {
      std::fprintf(stderr, "strata: nonblocking collectives on more than %d communicators at a time; free some\n",
                   Ids::kIds);
    }
    check(MPI_ERR_OTHER);
  }
}

Ids::Turn Team::common_turn(MPI_Comm context) {
  Ids::Turn turn = rank_ == 0 ? id_.ids().next_turn(rank_in(MPI_COMM_WORLD)) : Ids::kNoTurn;
  check(MPI_Bcast(&turn, 1, MPI_UINT64_T, 0, context));
  return turn;
}

void Team::find_nodes(MPI_Comm context, std::uint64_t node_key) {
  const bool communicates = has_thread() && session_->places.communicates;
  const Seat mine{node_key, communicates ? session_->places.core : -1};
  std::vector<Seat> seats(size_);
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, seats.data(), sizeof mine, MPI_BYTE, context));
  std::map<std::uint64_t, int> nodes;
  std::vector<int> ranks;
  std::vector<std::set<std::int64_t>> cores;
  for (const Seat& seat : seats) {
    const int node = nodes.emplace(seat.node_key, static_cast<int>(nodes.size())).first->second;
    node_of_rank_.push_back(node);
    ranks.resize(nodes.size());
    cores.resize(nodes.size());
    ++ranks[node];
    if (seat.communication_core >= 0) cores[node].insert(seat.communication_core);
  }
  if (nodes.size() == 1) node_of_rank_.clear();
  most_ranks_on_a_node_ = *std::ranges::max_element(ranks);
  fewest_communication_cores_ = static_cast<int>(cores[0].size());
  for (const auto& c : cores) {
    fewest_communication_cores_ = std::min(fewest_communication_cores_, static_cast<int>(c.size()));
    communication_cores_ += static_cast<int>(c.size());
  }
}

int Team::next_tag() {
  const std::lock_guard guard(mutex_);
  const int number = next_;
  if (in_flight_[number]) {
    std::fprintf(stderr, "strata: more than %zu nonblocking collectives in flight on a communicator; wait for some\n",
                 in_flight_.size());
    check(MPI_ERR_OTHER);
  }
  next_ = (next_ + 1) % static_cast<int>(in_flight_.size());
  in_flight_[number] = true;
  return first_tag_ + number;
}

void Team::release(int tag) {
  const std::lock_guard guard(mutex_);
  in_flight_[tag - first_tag_] = false;
}

std::shared_ptr<Team> team_of(MPI_Comm comm) {
  Process& process = this_process();
  Kept* kept = CommAttribute<Kept>::find(comm);
  if (kept != nullptr && kept->team->session() == process.session) return kept->team;
  auto team = std::make_shared<Team>(comm, process);
  if (kept == nullptr) {
    kept = &CommAttribute<Kept>::keep(comm, Kept(team));
  } else {
    kept->team->comm = MPI_COMM_NULL;
    kept->team = team;
  }
  return team;
}

}  // namespace strata::mpix
