// SPDX-License-Identifier: LGPL-2.1-only
// Repeats the MPI calls of another program, with computation of the same duration in between:
//
//   calls --folder FOLDER
//
// FOLDER has a file for each rank (records/foreign/recorded_calls.h), written by `strata replay traces.otf2`. Messages
// have the same sizes as in the program, but arbitrary contents. All communicators are made at the beginning.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "records/foreign/recorded_calls.h"
#include "scenarios/programs/options.h"

namespace {

using strata::Call;
using strata::Collective;
using Kind = Call::Kind;

class Caller {
 public:
  explicit Caller(const strata::CommonCalls& common) : common_(common) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    const auto bytes = static_cast<std::size_t>(common.buffer);
    sent_ = strata::mpix::allocate_payload(bytes);
    received_ = strata::mpix::allocate_payload(bytes);
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    communicators_.push_back(MPI_COMM_WORLD);
    for (std::size_t c = 1; c < common.communicators.size(); ++c) {
      const std::vector<int>& ranks = common.communicators[c];
      MPI_Comm made = MPI_COMM_NULL;
      if (std::find(ranks.begin(), ranks.end(), rank_) != ranks.end()) {
        MPI_Group members;
        MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &members);
        MPI_Comm_create_group(MPI_COMM_WORLD, members, static_cast<int>(c), &made);
        MPI_Group_free(&members);
      }
      communicators_.push_back(made);
    }
    MPI_Group_free(&world);
  }
  ~Caller() {
    for (std::size_t c = 1; c < communicators_.size(); ++c) {
      if (communicators_[c] != MPI_COMM_NULL) MPI_Comm_free(&communicators_[c]);
    }
    strata::mpix::free_payload(sent_);
    strata::mpix::free_payload(received_);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  int rank() const { return rank_; }

  void make(const Call& c) {
    const MPI_Comm comm = communicators_[c.communicator];
    const auto bytes = static_cast<int>(c.bytes);
    switch (c.kind) {
      case Kind::kCompute:
        strata::mpix::charge_seconds(c.seconds);
        return;
      case Kind::kSend:
        MPI_Send(sent_, bytes, MPI_BYTE, c.peer, c.tag, comm);
        return;
      case Kind::kSsend:
        MPI_Ssend(sent_, bytes, MPI_BYTE, c.peer, c.tag, comm);
        return;
      case Kind::kRecv:
        MPI_Recv(received_, bytes, MPI_BYTE, c.peer, c.tag, comm, MPI_STATUS_IGNORE);
        return;
      case Kind::kIsend:
        MPI_Isend(sent_, bytes, MPI_BYTE, c.peer, c.tag, comm, &requests_[c.request]);
        return;
      case Kind::kIssend:
        MPI_Issend(sent_, bytes, MPI_BYTE, c.peer, c.tag, comm, &requests_[c.request]);
        return;
      case Kind::kIrecv:
        MPI_Irecv(received_, bytes, MPI_BYTE, c.peer, c.tag, comm, &requests_[c.request]);
        return;
      case Kind::kWait:
        wait(c.requests);
        return;
      case Kind::kCollective:
        collective(c, comm, nullptr);
        return;
      case Kind::kICollective:
        collective(c, comm, &requests_[c.request]);
        return;
    }
  }

 private:
  void wait(const std::vector<long>& numbers) {
    std::vector<MPI_Request> all;
    for (const long number : numbers) {
      const auto known = requests_.find(number);
      all.push_back(known->second);
      requests_.erase(known);
    }
    if (all.size() == 1) {
      MPI_Wait(all.data(), MPI_STATUS_IGNORE);
    } else {
      MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
    }
  }

  // Consecutive blocks of these sizes.
  struct Blocks {
    std::vector<int> counts, places;

    explicit Blocks(const std::vector<long>& sizes) : counts(sizes.begin(), sizes.end()), places(sizes.size()) {
      std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    }
  };

  // Calls the blocking collective if `request` is null, and otherwise starts the nonblocking one.
  void collective(const Call& c, MPI_Comm comm, MPI_Request* request) {
    const MPI_Datatype byte = MPI_BYTE;
    const MPI_Op op = MPI_BOR;  // applies to bytes; the cost does not depend on the operation
    const auto n = static_cast<int>(c.bytes);
    int size = 0, me = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &me);
    const bool now = request == nullptr;
    const auto sizes = [&](int number) -> const std::vector<long>& { return common_.sizes[number]; };
    const auto own = [&](int number) { return static_cast<int>(sizes(number)[me]); };
    const Blocks blocks(c.sizes < 0 ? std::vector<long>{} : sizes(c.sizes));
    const int *counts = blocks.counts.data(), *places = blocks.places.data();
    switch (c.collective) {
      case Collective::kBarrier:
        now ? MPI_Barrier(comm) : MPI_Ibarrier(comm, request);
        return;
      case Collective::kBcast:
        now ? MPI_Bcast(received_, n, byte, c.peer, comm) : MPI_Ibcast(received_, n, byte, c.peer, comm, request);
        return;
      case Collective::kGather:
        now ? MPI_Gather(sent_, n, byte, received_, n, byte, c.peer, comm)
            : MPI_Igather(sent_, n, byte, received_, n, byte, c.peer, comm, request);
        return;
      case Collective::kGatherv:
        now ? MPI_Gatherv(sent_, own(c.sizes), byte, received_, counts, places, byte, c.peer, comm)
            : MPI_Igatherv(sent_, own(c.sizes), byte, received_, counts, places, byte, c.peer, comm, request);
        return;
      case Collective::kScatter:
        now ? MPI_Scatter(sent_, n, byte, received_, n, byte, c.peer, comm)
            : MPI_Iscatter(sent_, n, byte, received_, n, byte, c.peer, comm, request);
        return;
      case Collective::kScatterv:
        now ? MPI_Scatterv(sent_, counts, places, byte, received_, own(c.sizes), byte, c.peer, comm)
            : MPI_Iscatterv(sent_, counts, places, byte, received_, own(c.sizes), byte, c.peer, comm, request);
        return;
      case Collective::kAllgather:
        now ? MPI_Allgather(sent_, n, byte, received_, n, byte, comm)
            : MPI_Iallgather(sent_, n, byte, received_, n, byte, comm, request);
        return;
      case Collective::kAllgatherv:
        now ? MPI_Allgatherv(sent_, own(c.sizes), byte, received_, counts, places, byte, comm)
            : MPI_Iallgatherv(sent_, own(c.sizes), byte, received_, counts, places, byte, comm, request);
        return;
      case Collective::kAlltoall:
        now ? MPI_Alltoall(sent_, n, byte, received_, n, byte, comm)
            : MPI_Ialltoall(sent_, n, byte, received_, n, byte, comm, request);
        return;
      case Collective::kAlltoallv: {
        std::vector<long> to, from;
        for (int other = 0; other < size; ++other) {
          to.push_back(strata::bytes_between(sizes(c.sizes), sizes(c.received), me, other));
          from.push_back(strata::bytes_between(sizes(c.sizes), sizes(c.received), other, me));
        }
        const Blocks out(to), in(from);
        now ? MPI_Alltoallv(sent_, out.counts.data(), out.places.data(), byte, received_, in.counts.data(),
                            in.places.data(), byte, comm)
            : MPI_Ialltoallv(sent_, out.counts.data(), out.places.data(), byte, received_, in.counts.data(),
                             in.places.data(), byte, comm, request);
        return;
      }
      case Collective::kAllreduce:
        now ? MPI_Allreduce(sent_, received_, n, byte, op, comm)
            : MPI_Iallreduce(sent_, received_, n, byte, op, comm, request);
        return;
      case Collective::kReduce:
        now ? MPI_Reduce(sent_, received_, n, byte, op, c.peer, comm)
            : MPI_Ireduce(sent_, received_, n, byte, op, c.peer, comm, request);
        return;
      case Collective::kReduceScatter:
        now ? MPI_Reduce_scatter(sent_, received_, counts, byte, op, comm)
            : MPI_Ireduce_scatter(sent_, received_, counts, byte, op, comm, request);
        return;
      case Collective::kReduceScatterBlock:
        now ? MPI_Reduce_scatter_block(sent_, received_, n, byte, op, comm)
            : MPI_Ireduce_scatter_block(sent_, received_, n, byte, op, comm, request);
        return;
      case Collective::kScan:
        now ? MPI_Scan(sent_, received_, n, byte, op, comm) : MPI_Iscan(sent_, received_, n, byte, op, comm, request);
        return;
      case Collective::kExscan:
        now ? MPI_Exscan(sent_, received_, n, byte, op, comm)
            : MPI_Iexscan(sent_, received_, n, byte, op, comm, request);
        return;
    }
  }

  const strata::CommonCalls& common_;
  int rank_ = 0;
  void *sent_ = nullptr, *received_ = nullptr;
  std::vector<MPI_Comm> communicators_;
  std::map<long, MPI_Request> requests_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string folder;
  strata::cli::App app("calls");
  app.add_option("--folder", folder)->required();
  strata::programs::parse(app, argc, argv);
  {
    const strata::CommonCalls common = strata::read_common(folder);
    Caller caller(common);
    strata::CallReader calls(folder, caller.rank());
    for (Call call; calls.next(call);) caller.make(call);
  }
  MPI_Finalize();
  return 0;
}
