// SPDX-License-Identifier: LGPL-2.1-only
// A communicator, or one of its hierarchies, on which a collective runs; the cuts of its message into segments; and the
// number of messages that follows.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

// Communicators of one shape: their number, members of each, and ranks below each member.
struct Alike {
  long number;
  int members, below;
};

// A communicator and its hierarchy.
struct Over {
  MPI_Comm comm;
  MPIX_Hierarchy hierarchy;  // the variant under test; null for the native one
  bool brief, real;
  std::vector<int> groups = {};  // the hierarchy's groups; empty for one of the topology
  int size() const { return size_of(comm); }
  int rank() const { return rank_in(comm); }
  // "5 ranks", "5 ranks, hierarchy", "groups 2x3".
  std::string name() const {
    std::string text = "groups ";
    if (groups.empty()) return std::to_string(size()) + " ranks" + (hierarchical() ? ", hierarchy" : "");
    for (size_t i = 0; i < groups.size(); ++i) text += (i > 0 ? "x" : "") + std::to_string(groups[i]);
    return text;
  }
  bool hierarchical() const { return hierarchy != MPIX_HIERARCHY_NULL; }

  // True if the communicators on which an algorithm runs are known. Those of a topology are not: one communicator of
  // all ranks represents them. It has as many messages if each rank sends or receives one, and as many bytes if all
  // messages have the same size.
  bool are_known() const { return !hierarchical() || !groups.empty(); }
  std::vector<Alike> communicators() const {
    if (groups.empty()) return {{1, size(), 1}};
    std::vector<Alike> all;
    long number = 1;
    int below = size();
    for (const int n : groups) {
      below /= n;
      if (n > 1) all.push_back({number, n, below});
      number *= n;
    }
    return all;
  }
  std::vector<int> roots() const {
    std::set<int> some;
    for (int r = 0; r < size(); ++r) {
      if (!brief || !groups.empty() || r == 0 || r == 1 || r == size() / 2 || r == size() - 1) some.insert(r);
    }
    return {some.rbegin(), some.rend()};  // begins with a root other than 0, when contexts are created
  }
  int bcast(void* buffer, int count, MPI_Datatype type, int root, int algorithm, int segment) const {
    return hierarchical() ? MPIX_Hierarchy_bcast(buffer, count, type, root, hierarchy, algorithm, segment)
                          : MPIX_Bcast(buffer, count, type, root, comm, algorithm, segment);
  }
  int allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int algorithm,
                int segment) const {
    return hierarchical() ? MPIX_Hierarchy_allreduce(send, recv, count, type, op, hierarchy, algorithm, segment)
                          : MPIX_Allreduce(send, recv, count, type, op, comm, algorithm, segment);
  }
  int gather(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
             int root, int algorithm) const {
    return hierarchical()
               ? MPIX_Hierarchy_gather(send, sendcount, sendtype, recv, recvcount, recvtype, root, hierarchy, algorithm)
               : MPIX_Gather(send, sendcount, sendtype, recv, recvcount, recvtype, root, comm, algorithm);
  }
  int scatter(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
              int root, int algorithm) const {
    return hierarchical() ? MPIX_Hierarchy_scatter(send, sendcount, sendtype, recv, recvcount, recvtype, root,
                                                   hierarchy, algorithm)
                          : MPIX_Scatter(send, sendcount, sendtype, recv, recvcount, recvtype, root, comm, algorithm);
  }
  int allgather(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount,
                MPI_Datatype recvtype, int algorithm) const {
    return hierarchical()
               ? MPIX_Hierarchy_allgather(send, sendcount, sendtype, recv, recvcount, recvtype, hierarchy, algorithm)
               : MPIX_Allgather(send, sendcount, sendtype, recv, recvcount, recvtype, comm, algorithm);
  }
  int barrier(int algorithm) const {
    return hierarchical() ? MPIX_Hierarchy_barrier(hierarchy, algorithm) : MPIX_Barrier(comm, algorithm);
  }
  int reduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int root, int algorithm,
             int segment) const {
    return hierarchical() ? MPIX_Hierarchy_reduce(send, recv, count, type, op, root, hierarchy, algorithm, segment)
                          : MPIX_Reduce(send, recv, count, type, op, root, comm, algorithm, segment);
  }
};

// The sum of the traffic of all communicators.
template <class Function>
Traffic sum(const Over& over, Function traffic) {
  Traffic all{0, 0};
  for (const Alike& a : over.communicators()) {
    const Traffic one = traffic(a);
    all = all + Traffic{a.number * one.messages, a.number * one.bytes};
  }
  return all;
}

// In a hierarchy there is one message between rank 0 and any other root.
inline Traffic between_roots(const Over& over, int root, long bytes) {
  return over.hierarchical() && root != 0 && bytes > 0 ? Traffic{1, bytes} : Traffic{0, 0};
}

// The largest power of two up to `size`, the remainder, and the power's logarithm.
struct PowerOfTwo {
  long power = 1, rest = 0, logarithm = 0;
  explicit PowerOfTwo(int size) {
    for (; 2 * power <= size; power *= 2) ++logarithm;
    rest = size - power;
  }
};

// Layouts other than kPair. SMPI 3.32 sends several elements of most of them wrongly: it places an element at the end
// of the last block of the previous element, and ignores the extent.
inline std::vector<Layout> layouts(const Over& over) {
  return over.real ? std::vector{kGaps, kSwapped, kNegative, kBackwards} : std::vector{kGaps};
}

// How a message is divided into segments. Elements have 8 bytes.
struct Cut {
  int count, segment_bytes;
  // By the definition in mpix.h, segment by segment.
  static std::vector<long> segments(int count, int segment_bytes) {
    std::vector<long> bytes;
    const int whole = segment_bytes == 0 ? count : std::max(segment_bytes / 8, 1);
    for (int left = count; left > 0; left -= whole) bytes.push_back(8L * std::min(left, whole));
    return bytes;
  }
  std::vector<long> segments() const { return segments(count, segment_bytes); }
};

inline std::vector<Cut> cuts(bool brief) {
  if (brief) return {{0, 0}, {1, 0}, {7, 20}, {520, 0}};
  return {{0, 0}, {0, 8},  {1, 0},  {1, 1},  {2, 0},   {2, 8},     {3, 16},
          {5, 1}, {7, 20}, {7, 24}, {7, 57}, {600, 0}, {600, 1000}};
}

inline long bytes_of(const std::vector<long>& segments) {
  return std::accumulate(segments.begin(), segments.end(), 0L);
}

}  // namespace strata::mpix::testing
