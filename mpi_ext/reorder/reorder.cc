// SPDX-License-Identifier: LGPL-2.1-only
// Reordering ranks by their messages (mpix.h; PDSEC'20, Figure 1, lines 8 to 12). Messages on p processes: one
// MPI_Allreduce of a few integers, to agree on errors and on whether all have read the same placement file; if not all
// places are known to all, one MPI_Gather of 216 bytes per process; the rows, over a binomial tree (gather_up.h); one
// MPI_Bcast of the permutation, 4 p bytes (under SMPI of an address, because all ranks share the result of rank 0); and
// MPI_Comm_create_group. Redistribution: a message from and to each process.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/share.h"
#include "mpi_ext/cart/wire_places.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/gather_up.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/hierarchy/info.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/reorder/handover.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/reordering.h"
#include "mpi_ext/reorder/tree_along.h"
#include "mpi_ext/report_error.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix {
namespace {

constexpr const char* kAlgorithmKey = "mpix_reorder_algorithm";
constexpr const char* kSeedKey = "mpix_reorder_seed";

struct How {
  MapMethod method = MapMethod::kTreeMatch;
  std::uint64_t seed = 1;
};

std::optional<std::uint64_t> parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, seed);
  return error == std::errc() && next == end ? std::optional(seed) : std::nullopt;
}

// The algorithm in the environment, or the default. Only rank 0 reads it, because it computes the mapping. An unknown
// name is an error on all ranks.
MapMethod method_in_environment(Agreement& agreement) {
  const char* value = std::getenv(words::kReorderAlgorithm);
  if (value == nullptr || *value == '\0') return MapMethod::kTreeMatch;
  const std::optional<MapMethod> method = map_method(value);
  if (method) return *method;
  std::fprintf(stderr, "strata: %s: unknown algorithm '%s'; give one of %s\n", words::kReorderAlgorithm, value,
               map_method_list().c_str());
  agreement.fail(MPI_ERR_OTHER);
  return MapMethod::kTreeMatch;
}

// Reads `info`, which must be the same on all ranks. An unknown algorithm, an invalid seed, or an object that MPI
// rejects is an error on all ranks.
void read(MPI_Info info, How& how, bool& says_method, Agreement& agreement) {
  try {
    if (const std::optional<std::string> name = info_value(info, kAlgorithmKey)) {
      const std::optional<MapMethod> method = map_method(*name);
      if (!method) return agreement.fail(MPI_ERR_INFO);
      how.method = *method;
      says_method = true;
    }
    if (const std::optional<std::string> text = info_value(info, kSeedKey)) {
      const std::optional<std::uint64_t> seed = parse_seed(*text);
      if (!seed) return agreement.fail(MPI_ERR_INFO);
      how.seed = *seed;
    }
  } catch (const ReportedByMpi&) {
    agreement.fail(MPI_ERR_INFO);
  }
}

// The tree of all processes, on rank 0; empty elsewhere, or if a place is unknown. Collective.
std::optional<PlaceTree> learn_tree(MPI_Comm comm, const PlacedAgreement& agreement) {
  const bool is_root = rank_in(comm) == 0;
  if (agreement.everywhere()) {
    if (!is_root) return std::nullopt;
    const World& world = *agreement.mine().world;
    const std::vector<int> vertices = vertices_in(world, comm);
    return vertices.empty() ? std::nullopt : std::optional(place_tree(*world.topology, vertices));
  }
  const WirePlace mine = wire_place_of(agreement.mine());
  std::vector<std::byte> all(is_root ? sizeof mine * static_cast<size_t>(size_of(comm)) : 0);
  call(MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, comm));
  return is_root ? std::optional(tree_along(paths_told(all))) : std::nullopt;
}

// The permutation. If there is none, reports this on stderr and returns -1 as its first element. Called on rank 0.
std::vector<int> map_here(int size, const std::optional<PlaceTree>& tree, std::vector<Flow> flows, const How& how) {
  try {
    if (tree) return map_ranks(Pattern(size, std::move(flows)), *tree, how.method, how.seed);
    std::fputs("strata: a process is not in the MPI_COMM_WORLD that the placement file binds\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
  }
  return std::vector<int>(size, -1);
}

// The common part of both functions, after all ranks have agreed that there is no error. `gather` returns the flows on
// rank 0. Collective.
int reorder(MPI_Comm comm, const PlacedAgreement& agreement, const How& how,
            const std::function<std::vector<Flow>()>& gather, MPI_Comm* newcomm) {
  const int size = size_of(comm);
  const std::optional<PlaceTree> tree = learn_tree(comm, agreement);
  std::vector<Flow> flows = gather();
  std::shared_ptr<Reordering> made;
  if (is_maker(comm)) {
    std::vector<int> new_rank(size);
    if (rank_in(comm) == 0) new_rank = map_here(size, tree, std::move(flows), how);
    broadcast_to_makers(comm, new_rank.data(), size * static_cast<int>(sizeof(int)));
    if (new_rank.front() >= 0) made = std::make_shared<Reordering>(std::move(new_rank));
  }
  const auto shared = std::static_pointer_cast<const Reordering>(shared_with_all(comm, std::move(made)));
  if (shared == nullptr) return MPI_ERR_OTHER;
  *newcomm = make_reordered(comm, shared);
  return MPI_SUCCESS;
}

int reorder_matrix(MPI_Comm comm, const unsigned long* matrix, MPI_Comm* newcomm) {
  const bool is_root = rank_in(comm) == 0;
  PlacedAgreement agreement;
  How how;
  if (is_root) how.method = method_in_environment(agreement);
  if (newcomm == nullptr || (is_root && matrix == nullptr)) agreement.fail(MPI_ERR_ARG);
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (!agreement.all_placed()) return MPI_ERR_OTHER;
  const auto flows = [&] {
    std::vector<Flow> all;
    const int size = size_of(comm);
    for (int i = 0; is_root && i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        const unsigned long bytes = matrix[static_cast<size_t>(i) * static_cast<size_t>(size) + static_cast<size_t>(j)];
        if (bytes > 0) all.push_back({i, j, static_cast<double>(bytes)});
      }
    }
    return all;
  };
  return reorder(comm, agreement, how, flows, newcomm);
}

int check_row(int size, int npeers, const int* peers, const unsigned long* bytes) {
  if (npeers < 0) return MPI_ERR_COUNT;
  if (npeers == 0) return MPI_SUCCESS;
  if (peers == nullptr || bytes == nullptr) return MPI_ERR_ARG;
  const bool ranks = std::all_of(peers, peers + npeers, [&](int p) { return p >= 0 && p < size; });
  return ranks ? MPI_SUCCESS : MPI_ERR_RANK;
}

int reorder_rows(MPI_Comm comm, int npeers, const int* peers, const unsigned long* bytes, MPI_Info info,
                 MPI_Comm* newcomm) {
  const int rank = rank_in(comm);
  PlacedAgreement agreement;
  How how;
  bool says_method = false;
  read(info, how, says_method, agreement);
  const size_t method = agreement.add(says_method ? static_cast<int>(how.method) : -1);
  const size_t seed = agreement.add(static_cast<std::int64_t>(how.seed >> 1));
  const size_t last_bit = agreement.add(static_cast<std::int64_t>(how.seed & 1));
  if (rank == 0 && !says_method) how.method = method_in_environment(agreement);
  if (newcomm == nullptr) agreement.fail(MPI_ERR_ARG);
  const int row_error = check_row(size_of(comm), npeers, peers, bytes);
  if (row_error != MPI_SUCCESS) agreement.fail(row_error);
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (!(agreement.same(method) && agreement.same(seed) && agreement.same(last_bit))) return MPI_ERR_INFO;
  if (!agreement.all_placed()) return MPI_ERR_OTHER;
  const auto flows = [&] {
    std::vector<Flow> row;
    for (int i = 0; i < npeers; ++i) row.push_back({rank, peers[i], static_cast<double>(bytes[i])});
    return gather_up(context_of(comm), 0, std::move(row));
  };
  return reorder(comm, agreement, how, flows, newcomm);
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Comm_reorder(MPI_Comm comm, const unsigned long matrix[], MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
    return strata::mpix::reorder_matrix(comm, matrix, newcomm);
  });
}

int MPIX_Comm_reorder_rows(MPI_Comm comm, int npeers, const int peers[], const unsigned long bytes[], MPI_Info info,
                           MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
    return strata::mpix::reorder_rows(comm, npeers, peers, bytes, info, newcomm);
  });
}

int MPIX_Comm_get_reordering(MPI_Comm newcomm, int new_rank[]) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(newcomm, [&](int) {
    const std::vector<int>& k = reordering_of(newcomm).new_rank();
    if (new_rank == nullptr) check(MPI_ERR_ARG);
    std::copy(k.begin(), k.end(), new_rank);
  });
}

int MPIX_Comm_redistribute(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Comm newcomm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(newcomm, [&](int) {
    const Reordering& reordering = reordering_of(newcomm);
    check_message(count, datatype);
    check_buffer(sendbuf, count, datatype);
    check_buffer(recvbuf, count, datatype);
    check_distinct(sendbuf, recvbuf, count, datatype);
    const Handover partners = handover(reordering.new_rank(), reordering.old_rank(), rank_in(newcomm));
    exchange(sendbuf, count, datatype, partners.to, recvbuf, count, datatype, partners.from, context_of(newcomm));
  });
}

}  // extern "C"
