// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/algorithms/node_numbers.h"

#include <cstddef>
#include <cstdlib>
#include <map>
#include <simgrid/s4u.hpp>
#include <tuple>

#include "mpi_ext/preload/supply/ranks_behind.h"
#include "records/exchange/exchanged_words.h"
#include "sim/simgrid/comm.h"

namespace strata::mpix {
namespace {

constexpr std::size_t kMostKept = 256;  // communicators

int node_of(long actor) {
  const simgrid::s4u::ActorPtr found = simgrid::s4u::Actor::by_pid(actor);
  const char* const number = found ? found->get_host()->get_property(words::kNodeProperty) : nullptr;
  return number == nullptr ? -1 : std::atoi(number);
}

}  // namespace

// The ranks of a communicator have an object each, with the same id and the same actors.
const std::vector<int>& node_numbers(MPI_Comm comm) {
  static auto& kept = *new std::map<std::tuple<int, int, long>, std::vector<int>>;
  simgrid::smpi::Group* const group = comm->group();
  const int ranks = size_of(comm), id = comm->id();
  if (kept.size() >= kMostKept) kept.clear();
  std::vector<int>& numbers = kept[{id, ranks, group->actor(0)}];
  if (id == MPI_UNDEFINED) numbers.clear();  // it may be another one
  if (!numbers.empty()) return numbers;
  for (int r = 0; r < ranks; ++r) numbers.push_back(node_of(group->actor(r)));
  return numbers;
}

}  // namespace strata::mpix
