// SPDX-License-Identifier: LGPL-2.1-only
// The operations that the tap reports: on four ranks, the exact list of kind, sender, receiver and bytes, sorted.
//
// Under a real MPI the tap of a process reports what that process sends, so each rank listens. Under SMPI a single
// listener, rank 0, gets the operations of all ranks. Between the tested operations no rank listens, and the lists are
// gathered.
//
//   tap_mpi_program [decomposed]   decomposed: SMPI's collectives as the messages of known algorithms, with
//                                  smpi/bcast:binomial_tree, barrier:ompi_recursivedoubling, allreduce:rdb,
//                                  alltoall:basic_linear
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "records/exchange/tap.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

using namespace strata::mpix;
using namespace strata::mpix::testing;

namespace {

constexpr int kRanks = 4;
#ifdef SMPI_H
constexpr bool kSimulated = true;
#else
constexpr bool kSimulated = false;
#endif

using Told = std::array<long, 4>;  // kind, sender, receiver, bytes
using List = std::vector<Told>;

constexpr long kE = static_cast<long>(strata::MessageKind::kExternal),
               kI = static_cast<long>(strata::MessageKind::kInternal),
               kC = static_cast<long>(strata::MessageKind::kCollective),
               kS = static_cast<long>(strata::MessageKind::kOneSided);

std::vector<std::string> text(const List& list) {
  std::vector<std::string> lines;
  for (const Told& t : list) {
    lines.push_back(std::string(1, "EICS"[t[0]]) + std::to_string(t[1]) + ">" + std::to_string(t[2]) + ":" +
                    std::to_string(t[3]));
  }
  return lines;
}

class Recorder : public strata::MessageListener {
 public:
  void sent(strata::MessageKind kind, strata::ProcessId sender, strata::ProcessId receiver,
            std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    list_.push_back({static_cast<long>(kind), sender, receiver, static_cast<long>(bytes)});
  }
  List take() { return std::exchange(list_, {}); }

 private:
  std::mutex mutex_;
  List list_;
};

class Session {
 public:
  Session(Checks& t, Recorder& recorder) : t_(t), recorder_(recorder), me_(rank_in(MPI_COMM_WORLD)) {
    // Finds the tap's number of each rank: each rank sends as many bytes as its rank.
    const List ring = told_by([&] {
      char bytes[2 * kRanks] = {};
      MPI_Sendrecv(bytes, me_, MPI_CHAR, (me_ + 1) % kRanks, 0, bytes + kRanks, kRanks, MPI_CHAR,
                   (me_ + kRanks - 1) % kRanks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    if (me_ == 0) {
      CHECK_EQ(std::size_t{kRanks}, ring.size());
      for (const Told& one : ring) rank_.at(one[3]) = one[1];
    }
  }

  /// Expects that the taps of all processes report `expected` for `operation`, in any order, among the kinds in `kinds`
  /// ("EC").
  void check(const char* what, const std::string& kinds, const std::function<void()>& operation, List expected) {
    List told = told_by(operation);
    if (me_ != 0) return;
    List named;
    for (Told& one : told) {
      if (kinds.find("EICS"[one[0]]) == std::string::npos) continue;
      for (int end : {1, 2}) one[end] = std::find(rank_.begin(), rank_.end(), one[end]) - rank_.begin();
      named.push_back(one);
    }
    std::sort(named.begin(), named.end());
    std::sort(expected.begin(), expected.end());
    t_.equal(text(expected), text(named), what, __FILE__, __LINE__);
  }

  /// From now on, calls of collectives are not reported.
  void leave_out_calls() { calls_ = false; }

  /// The number of reported operations.
  long count(const std::function<void()>& operation) { return static_cast<long>(told_by(operation).size()); }

 private:
  List told_by(const std::function<void()>& operation) {
    // Under SMPI some time passes before and after, so that all ranks see that rank 0 listens; this needs no message.
    start_together(MPI_COMM_WORLD);
    if (!kSimulated || me_ == 0) (calls_ ? strata_monitoring_listen : strata_monitoring_listen_to_messages)(&recorder_);
    if (kSimulated) let_others_finish(MPI_COMM_WORLD);
    operation();
    if (kSimulated) let_others_finish(MPI_COMM_WORLD);
    if (!kSimulated || me_ == 0) strata_monitoring_ignore(&recorder_);
    let_others_finish(MPI_COMM_WORLD);

    List mine = recorder_.take();
    int length = static_cast<int>(mine.size() * sizeof(Told)), all = 0;
    std::vector<int> lengths(kRanks), at(kRanks);
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; r < kRanks; ++r) {
      at[r] = all;
      all += lengths[r];
    }
    List list(all / sizeof(Told));
    MPI_Gatherv(mine.data(), length, MPI_BYTE, list.data(), lengths.data(), at.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
    return list;
  }

  Checks& t_;
  Recorder& recorder_;
  int me_;
  bool calls_ = true;
  std::array<long, kRanks> rank_ = {0, 1, 2, 3};  // the tap's number, by rank
};

// The messages between all pairs, by sender and receiver.
List each_pair(long kind, const std::function<long(int from, int to)>& bytes_or_none) {
  List list;
  for (int from = 0; from < kRanks; ++from) {
    for (int to = 0; to < kRanks; ++to) {
      if (from != to && bytes_or_none(from, to) >= 0) list.push_back({kind, from, to, bytes_or_none(from, to)});
    }
  }
  return list;
}

void check_sends(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::array<int, 64> data{}, other{};
  // Three elements of two ints with gaps between them: 24 bytes of data.
  MPI_Datatype pairs;
  MPI_Type_vector(3, 2, 5, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  const auto receive = [&](int source) {
    MPI_Request request;
    MPI_Irecv(other.data(), 6, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    return request;
  };
  // Rank 0 sends to rank 2, which receives from any source. The receive is posted before, because MPI_Rsend needs it.
  const auto send = [&](const char* what, const std::function<void()>& sends) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 2) request = receive(MPI_ANY_SOURCE);
    start_together(MPI_COMM_WORLD);
    s.check(what, "EICS",
            [&] {
              if (me == 0) sends();
              if (me == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
            },
            {{kE, 0, 2, 24}});
  };
  using Blocking = int(const void*, int, MPI_Datatype, int, int, MPI_Comm);
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Blocking*>>{
           {"MPI_Send", MPI_Send}, {"MPI_Ssend", MPI_Ssend}, {"MPI_Rsend", MPI_Rsend}}) {
    send(name, [&, f = function] { f(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD); });
  }
  using Nonblocking = int(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Nonblocking*>>{
           {"MPI_Isend", MPI_Isend}, {"MPI_Issend", MPI_Issend}, {"MPI_Irsend", MPI_Irsend}}) {
    send(name, [&, f = function] {
      MPI_Request request;
      f(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
  std::vector<char> buffer(1000 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  send("MPI_Bsend", [&] { MPI_Bsend(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD); });
  send("MPI_Ibsend", [&] {
    MPI_Request request;
    MPI_Ibsend(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &size);
  // Created while no rank listens; a request that is freed and created again is a different one.
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Nonblocking*>>{
           {"MPI_Send_init", MPI_Send_init}, {"MPI_Ssend_init", MPI_Ssend_init}, {"MPI_Rsend_init", MPI_Rsend_init}}) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 0) function(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
    send(name, [&] {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    if (me == 0) MPI_Request_free(&request);
  }
  std::array<MPI_Request, 2> both = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (me == 0) {
    MPI_Send_init(data.data(), 6, MPI_INT, 2, 7, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(other.data(), 6, MPI_INT, 2, 7, MPI_COMM_WORLD, &both[1]);
  }
  s.check("MPI_Startall", "EICS",
          [&] {
            if (me == 0) {
              MPI_Startall(2, both.data());
              MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
            } else if (me == 2) {
              MPI_Recv(other.data(), 6, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
              MPI_Send(data.data(), 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
            }
          },
          {{kE, 0, 2, 24}, {kE, 2, 0, 8}});
  if (me == 0) {
    for (MPI_Request& request : both) MPI_Request_free(&request);
  }

  const int next = (me + 1) % kRanks, before = (me + kRanks - 1) % kRanks;
  const auto ring = [](long bytes) {
    return each_pair(kE, [bytes](int from, int to) { return to == (from + 1) % kRanks ? bytes : -1; });
  };
  s.check(
      "MPI_Sendrecv", "EICS",
      [&] {
        MPI_Sendrecv(data.data(), 3, MPI_INT, next, 0, other.data(), 3, MPI_INT, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
      },
      ring(12));
  s.check(
      "MPI_Sendrecv_replace", "EICS",
      [&] { MPI_Sendrecv_replace(data.data(), 5, MPI_INT, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); },
      ring(20));
  s.check(
      "a message of no bytes", "EICS",
      [&] {
        MPI_Sendrecv(nullptr, 0, MPI_INT, next, 0, nullptr, 0, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      },
      ring(0));
  s.check("MPI_PROC_NULL", "EICS",
          [&] {
            MPI_Request request;
            MPI_Send(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
            MPI_Isend(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          },
          {});
  // On communicators with the ranks of the world in reverse; each is freed before the next is created.
  for (int round = 0; round < 3; ++round) {
    MPI_Comm backwards;
    MPI_Comm_split(MPI_COMM_WORLD, 0, round == 1 ? me : -me, &backwards);
    s.check("another communicator", "EICS",
            [&] {
              if (rank_in(backwards) == 0) MPI_Send(data.data(), 1, MPI_INT, 2, 0, backwards);
              if (rank_in(backwards) == 2) MPI_Recv(data.data(), 1, MPI_INT, 0, 0, backwards, MPI_STATUS_IGNORE);
            },
            {round == 1 ? Told{kE, 0, 2, 4} : Told{kE, 3, 1, 4}});
    MPI_Comm_free(&backwards);
  }
  MPI_Type_free(&pairs);
}

// The communicators of the even and of the odd ranks: each rank sends to the other group's rank with the same number.
void check_intercommunicator(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  int datum = me;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 1, &inter);
  s.check("an intercommunicator", "EICS",
          [&] {
            if (me == 2) MPI_Send(&datum, 1, MPI_INT, 0, 0, inter);
            if (me == 1) MPI_Recv(&datum, 1, MPI_INT, 1, 0, inter, MPI_STATUS_IGNORE);
          },
          {{kE, 2, 1, 4}});
  s.check("its broadcast", "EICS",
          [&] {
            const int root = me == 2 ? MPI_ROOT : me == 0 ? MPI_PROC_NULL : 1;
            MPI_Bcast(&datum, 1, MPI_INT, root, inter);
          },
          {{kC, 2, 1, 4}, {kC, 2, 3, 4}});
  s.check(
      "its allreduce", "EICS",
      [&] {
        int sum = 0;
        MPI_Allreduce(&datum, &sum, 1, MPI_INT, MPI_SUM, inter);
      },
      each_pair(kC, [](int from, int to) { return (from + to) % 2 == 1 ? 4 : -1; }));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void check_one_sided(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::array<int, 16> data{}, result{};
  int* base = nullptr;
  MPI_Comm backwards;
  MPI_Win win;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards);
  MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, backwards, static_cast<void*>(&base), &win);
  MPI_Win_fence(0, win);
  // World rank 0, which is rank 3 of the window, accesses rank 1 of the window, which is world rank 2.
  const auto check = [&](const char* what, const std::function<void()>& operation, List expected) {
    s.check(
        what, "ES",
        [&] {
          if (me == 0) operation();
          MPI_Win_fence(0, win);
        },
        std::move(expected));
  };
  const Told there = {kS, 0, 2, 12}, back = {kS, 2, 0, 12}, one_there = {kS, 0, 2, 4}, one_back = {kS, 2, 0, 4};
  check("MPI_Put", [&] { MPI_Put(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win); }, {there});
  check("MPI_Get", [&] { MPI_Get(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win); }, {back});
  check("MPI_Accumulate", [&] { MPI_Accumulate(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_SUM, win); }, {there});
  check("MPI_Get_accumulate",
        [&] { MPI_Get_accumulate(data.data(), 3, MPI_INT, result.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_SUM, win); },
        {there, back});
  check("MPI_Fetch_and_op", [&] { MPI_Fetch_and_op(data.data(), result.data(), MPI_INT, 1, 0, MPI_SUM, win); },
        {one_there, one_back});
  check("MPI_Compare_and_swap",
        [&] { MPI_Compare_and_swap(data.data(), result.data(), result.data(), MPI_INT, 1, 0, win); },
        {one_there, one_back});
  check("MPI_Put to MPI_PROC_NULL", [&] { MPI_Put(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win); }, {});
  s.check("with requests", "ES",
          [&] {
            MPI_Win_lock_all(0, win);
            if (me == 0) {
              std::array<MPI_Request, 2> requests;
              MPI_Rput(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win, &requests[0]);
              MPI_Rget(result.data(), 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[1]);
              MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
            }
            MPI_Win_unlock_all(win);
          },
          {there, one_back});
  MPI_Win_free(&win);
  MPI_Comm_free(&backwards);
}

// Every collective, blocking and nonblocking, on a communicator with the ranks of the world. Counts differ between
// ranks if the collective allows it: 1 to 4 ints.
void check_collectives(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  constexpr int kRoot = 1;
  constexpr int kLargest = 4 * kRanks * kRanks;
  std::vector<int> in(kLargest, 1), out(kLargest);
  std::vector<int> counts, at;  // block of rank r: r + 1 ints
  for (int r = 0; r < kRanks; ++r) {
    at.push_back(r * (r + 1) / 2);
    counts.push_back(r + 1);
  }
  const std::vector<int> mine(kRanks, me + 1), theirs = counts;
  std::vector<int> at_bytes;
  for (int r = 0; r < kRanks; ++r) at_bytes.push_back(static_cast<int>(sizeof(int)) * r * kRanks);
  std::vector<int> at_ints;
  for (int r = 0; r < kRanks; ++r) at_ints.push_back(r * kRanks);
  const std::vector<MPI_Datatype> ints(kRanks, MPI_INT);
  const auto from_root = [&](const std::function<long(int to)>& bytes) {
    return each_pair(kC, [&](int from, int to) { return from == kRoot ? bytes(to) : -1; });
  };
  const auto to_root = [&](const std::function<long(int from)>& bytes) {
    return each_pair(kC, [&](int from, int to) { return to == kRoot ? bytes(from) : -1; });
  };
  const auto to_all = [&](const std::function<long(int from, int to)>& bytes) { return each_pair(kC, bytes); };
  MPI_Comm const w = MPI_COMM_WORLD;
  const auto same = [](long bytes) { return [bytes](auto...) { return bytes; }; };
  const auto own = [](int r, auto...) { return 4L * (r + 1); };
  const auto others = [](int, int r) { return 4L * (r + 1); };
  const auto later = each_pair(kC, [](int from, int to) { return from < to ? 8 : -1; });

// The collective and its nonblocking form.
#define BOTH(name, iname, arguments, expected)                      \
  s.check(                                                          \
      "MPI_" #name, "EC", [&] { MPI_##name arguments; }, expected); \
  s.check(                                                          \
      "MPI_" #iname, "EC",                                          \
      [&] {                                                         \
        MPI_Request request = MPI_REQUEST_NULL;                     \
        MPI_##iname WITH_REQUEST arguments;                         \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                      \
      },                                                            \
      expected);
#define WITH_REQUEST(...) (__VA_ARGS__, &request)
  void *i = in.data(), *o = out.data();
  BOTH(Barrier, Ibarrier, (w), to_all(same(0)))
  BOTH(Bcast, Ibcast, (i, 3, MPI_INT, kRoot, w), from_root(same(12)))
  BOTH(Scatter, Iscatter, (i, 2, MPI_INT, o, 2, MPI_INT, kRoot, w), from_root(same(8)))
  BOTH(Scatterv, Iscatterv, (i, counts.data(), at.data(), MPI_INT, o, me + 1, MPI_INT, kRoot, w), from_root(own))
  BOTH(Gather, Igather, (i, 2, MPI_INT, o, 2, MPI_INT, kRoot, w), to_root(same(8)))
  BOTH(Gatherv, Igatherv, (i, me + 1, MPI_INT, o, counts.data(), at.data(), MPI_INT, kRoot, w), to_root(own))
  BOTH(Reduce, Ireduce, (i, o, 2, MPI_INT, MPI_SUM, kRoot, w), to_root(same(8)))
  BOTH(Allreduce, Iallreduce, (i, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Allreduce, Iallreduce, (MPI_IN_PLACE, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Allgather, Iallgather, (i, 2, MPI_INT, o, 2, MPI_INT, w), to_all(same(8)))
  BOTH(Allgather, Iallgather, (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, o, 2, MPI_INT, w), to_all(same(8)))
  BOTH(Allgatherv, Iallgatherv, (i, me + 1, MPI_INT, o, counts.data(), at.data(), MPI_INT, w), to_all(own))
  BOTH(Alltoall, Ialltoall, (i, 2, MPI_INT, o, 2, MPI_INT, w), to_all(same(8)))
  // Rank r sends r + 1 ints to each rank; received blocks are at multiples of four.
  BOTH(Alltoallv, Ialltoallv, (i, mine.data(), at_ints.data(), MPI_INT, o, theirs.data(), at_ints.data(), MPI_INT, w),
       to_all(own))
  BOTH(Alltoallw, Ialltoallw,
       (i, mine.data(), at_bytes.data(), ints.data(), o, theirs.data(), at_bytes.data(), ints.data(), w), to_all(own))
  BOTH(Reduce_scatter, Ireduce_scatter, (i, o, counts.data(), MPI_INT, MPI_SUM, w), to_all(others))
  BOTH(Reduce_scatter_block, Ireduce_scatter_block, (i, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Scan, Iscan, (i, o, 2, MPI_INT, MPI_SUM, w), later)
  BOTH(Exscan, Iexscan, (i, o, 2, MPI_INT, MPI_SUM, w), later)
  if (kSimulated) return;  // SMPI lacks the following functions

  // A line of four ranks; neighbours are the adjacent ranks.
  MPI_Comm line;
  const std::array<int, 1> dims = {kRanks}, open = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims.data(), open.data(), 0, &line);
  const auto beside = [](long bytes) {
    return each_pair(kC, [bytes](int from, int to) { return to - from == 1 || from - to == 1 ? bytes : -1; });
  };
  const std::array<int, 2> two = {2, 2}, places = {0, 2};
  const std::array<MPI_Aint, 2> places_bytes = {0, 8};
  BOTH(Neighbor_allgather, Ineighbor_allgather, (i, 3, MPI_INT, o, 3, MPI_INT, line), beside(12))
  BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, (i, 2, MPI_INT, o, two.data(), places.data(), MPI_INT, line),
       beside(8))
  BOTH(Neighbor_alltoall, Ineighbor_alltoall, (i, 3, MPI_INT, o, 3, MPI_INT, line), beside(12))
  BOTH(Neighbor_alltoallv, Ineighbor_alltoallv,
       (i, two.data(), places.data(), MPI_INT, o, two.data(), places.data(), MPI_INT, line), beside(8))
  BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
       (i, two.data(), places_bytes.data(), ints.data(), o, two.data(), places_bytes.data(), ints.data(), line),
       beside(8))
  MPI_Comm_free(&line);
  // A directed graph: each rank sends to the next two.
  MPI_Comm graph;
  const std::array<int, 2> from = {(me + 3) % kRanks, (me + 2) % kRanks}, to = {(me + 1) % kRanks, (me + 2) % kRanks};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from.data(), MPI_UNWEIGHTED, 2, to.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  s.check(
      "a graph's MPI_Neighbor_alltoallv", "EC",
      [&] {
        const std::array<int, 2> send = {1, 2}, receive = {1, 2}, at_ends = {0, 1};
        MPI_Neighbor_alltoallv(i, send.data(), at_ends.data(), MPI_INT, o, receive.data(), at_ends.data(), MPI_INT,
                               graph);
      },
      each_pair(kC,
                [](int a, int b) { return (b - a + kRanks) % kRanks == 3 ? -1 : 4L * ((b - a + kRanks) % kRanks); }));
  MPI_Comm_free(&graph);
#undef BOTH
#undef WITH_REQUEST
}

// SMPI's collectives as the messages of which they consist.
void check_decomposed(Checks& t, Session& s) {
  std::vector<int> in(1000), out(4000);
  for (int root = 0; root < kRanks; ++root) {
    // In a binomial tree, the parent of the r-th rank after the root is r without its lowest bit that is set.
    const List tree = each_pair(kI, [root](int from, int to) {
      const int parent = (from - root + kRanks) % kRanks, child = (to - root + kRanks) % kRanks;
      return child != 0 && (child & (child - 1)) == parent ? 400 : -1;
    });
    s.check(
        "a binomial broadcast", "EIS", [&] { MPI_Bcast(in.data(), 100, MPI_INT, root, MPI_COMM_WORLD); }, tree);
  }
  const auto butterfly = [](long bytes) {
    return each_pair(kI, [bytes](int from, int to) { return (from ^ to) == 1 || (from ^ to) == 2 ? bytes : -1; });
  };
  s.check(
      "a barrier of recursive doubling", "EIS", [&] { MPI_Barrier(MPI_COMM_WORLD); }, butterfly(0));
  s.check(
      "an allreduce of recursive doubling", "EIS",
      [&] { MPI_Allreduce(in.data(), out.data(), 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }, butterfly(400));
  s.check(
      "an alltoall of all at once", "EIS",
      [&] { MPI_Alltoall(in.data(), 100, MPI_INT, out.data(), 100, MPI_INT, MPI_COMM_WORLD); },
      each_pair(kI, [](int, int) { return 400; }));
  // All operations: the tap must report as many as the network carried, plus the collectives that were called.
  long carried = 0, called = 0;
  const long told = s.count([&] {
    const int me = rank_in(MPI_COMM_WORLD);
    const long before = messages_sent();
    let_others_finish(MPI_COMM_WORLD);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    for (int root = 0; root < size_of(half); ++root) MPI_Bcast(in.data(), 1000, MPI_INT, root, half);
    MPI_Comm_free(&half);
    MPI_Win win;
    MPI_Win_create(out.data(), sizeof(int) * out.size(), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(in.data(), 10, MPI_INT, (me + 1) % kRanks, 0, 10, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(in.data(), 10, MPI_INT, (me + 2) % kRanks, 0, 10, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Request request;
    MPI_Iallgather(in.data(), 10, MPI_INT, out.data(), 10, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(in.data(), 1, MPI_INT, me, 0, out.data(), 1, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    let_others_finish(MPI_COMM_WORLD);
    carried = messages_sent() - before;
    // Two broadcasts in each half, and an allgather between all pairs.
    called = 2L * 2 * 1 + 1L * kRanks * (kRanks - 1);
  });
  if (rank_in(MPI_COMM_WORLD) == 0) {
    CHECK_TRUE(carried > 50);
    CHECK_EQ(carried, told - called);
  }
}

// Not the broadcast's call, only its messages, which a real MPI's tap does not see.
void check_messages_of_collectives(Checks& t, Session& s) {
  int value = 0;
  const auto broadcast = [&] { MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); };
  s.check("call of a broadcast", "C", broadcast, {});
  const long messages = s.count(broadcast);
  if (rank_in(MPI_COMM_WORLD) == 0) CHECK_TRUE(kSimulated ? messages >= kRanks - 1 : messages == 0);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  CHECK_TRUE(strata_monitoring_listen != nullptr);
  if (strata_monitoring_listen != nullptr) {
    Recorder recorder;
    Session s(t, recorder);
    if (argc > 1 && std::strcmp(argv[1], "decomposed") == 0) {
      t.run("decomposed", [&] { check_decomposed(t, s); });
    } else {
      t.run("sends", [&] { check_sends(s); });
      if (!kSimulated) t.run("intercommunicator", [&] { check_intercommunicator(s); });
      t.run("one sided", [&] { check_one_sided(s); });
      t.run("collectives", [&] { check_collectives(s); });
      s.leave_out_calls();
      t.run("messages of collectives", [&] { check_messages_of_collectives(t, s); });
    }
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
