// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/collect_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/gather_up.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix::monitoring {

Agreement agree(MPI_Comm comm, const Opinion& mine) {
  enum { kError, kResults, kFits, kFitsNot, kFlagsMost, kFlagsLeast, kRootMost, kRootLeast, kNumbers };
  std::array<int, kNumbers> said{}, all{};
  said[kError] = mine.code != MPI_SUCCESS ? 1 : 0;
  said[kResults] = mine.has_results ? 1 : 0;
  said[kFits] = mine.fits ? 1 : 0;
  said[kFitsNot] = mine.fits ? 0 : 1;
  said[kFlagsMost] = mine.flags.value_or(0);
  said[kFlagsLeast] = -said[kFlagsMost];
  said[kRootMost] = mine.root.value_or(0);
  said[kRootLeast] = -said[kRootMost];
  check(MPI_Allreduce(said.data(), all.data(), kNumbers, MPI_INT, MPI_MAX, comm));
  Agreement agreed;
  agreed.has_results = all[kResults] != 0;
  agreed.fits_somebody = all[kFits] != 0;
  agreed.fits_all = all[kFitsNot] == 0;
  if (all[kError] != 0) {
    agreed.code = mine.code != MPI_SUCCESS ? mine.code : MPI_M_OTHER_PROCESS;
  } else if (all[kFlagsMost] != -all[kFlagsLeast]) {
    agreed.code = MPI_M_INVALID_FLAGS;
  } else if (all[kRootMost] != -all[kRootLeast]) {
    agreed.code = MPI_M_INVALID_ARGUMENT;
  }
  return agreed;
}

std::vector<std::vector<std::uint64_t>> gather_numbers(MPI_Comm comm, int root,
                                                       const std::vector<std::uint64_t>& mine) {
  const int size = size_of(comm), rank = rank_in(comm);
  const bool everywhere = root < 0;
  std::vector<std::uint64_t> packed = {static_cast<std::uint64_t>(rank), mine.size()};  // rank, length, numbers
  packed.insert(packed.end(), mine.begin(), mine.end());
  packed = gather_up(comm, everywhere ? 0 : root, std::move(packed));
  if (everywhere) {
    std::uint64_t length = packed.size();
    check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm));
    packed.resize(length);
    in_pieces(packed.size(), [&](std::size_t first, int count) {
      check(MPI_Bcast(packed.data() + first, count, MPI_UINT64_T, 0, comm));
    });
  } else if (rank != root) {
    return {};
  }
  std::vector<std::vector<std::uint64_t>> all(size);
  for (auto next = packed.begin(); next != packed.end();) {
    const std::uint64_t whose = *next++;
    const auto end = next + 1 + static_cast<std::ptrdiff_t>(*next);
    all[whose].assign(next + 1, end);
    next = end;
  }
  return all;
}

// Sends a message to each peer for which there are entries. A sum over all processes gives the number of messages to
// expect.
std::vector<Entry> hand_over(MPI_Comm comm, const Row& sent_here) {
  const int size = size_of(comm), rank = rank_in(comm);
  constexpr int kNumbers = 4;  // kind, messages, bytes, flags for saturation
  std::vector<std::array<std::uint64_t, kNumbers>> out;
  std::vector<int> to_each(size, 0);
  for (const Entry& e : sent_here.entries) {
    ++to_each[e.peer];
    out.push_back({static_cast<std::uint64_t>(e.kind), e.amount.messages, e.amount.bytes,
                   (e.amount.more_messages ? 1U : 0U) | (e.amount.more_bytes ? 2U : 0U)});
  }
  std::vector<int> to_all(size, 0);
  check(MPI_Allreduce(to_each.data(), to_all.data(), size, MPI_INT, MPI_SUM, comm));
  std::vector<MPI_Request> requests(out.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < out.size(); ++i) {
    check(MPI_Isend(out[i].data(), kNumbers, MPI_UINT64_T, sent_here.entries[i].peer, kTag, comm, &requests[i]));
  }
  std::vector<Entry> mine;
  for (int i = 0; i < to_all[rank]; ++i) {
    std::array<std::uint64_t, kNumbers> in{};
    MPI_Status status;
    check(MPI_Recv(in.data(), kNumbers, MPI_UINT64_T, MPI_ANY_SOURCE, kTag, comm, &status));
    mine.push_back({status.MPI_SOURCE, static_cast<Kind>(in[0]), {in[1], in[2], (in[3] & 1) != 0, (in[3] & 2) != 0}});
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  return mine;
}

}  // namespace strata::mpix::monitoring
