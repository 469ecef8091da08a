// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Ibcast and the other nonblocking collectives: check the arguments, describe the memory, and start the schedule.
#include <memory>
#include <utility>

#include "mpi_ext/coll/allreduce.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/process_state.h"
#include "mpi_ext/nbc/progress_settings.h"
#include "mpi_ext/nbc/signature.h"

namespace strata::mpix {
namespace {

// A collective and the caller's memory: `send` is Buffer::kSend, and `receive` is Buffer::kReceive.
struct Started {
  NbcCase what;
  Memory send, receive;
  MPI_Op op = MPI_OP_NULL;
};

void add_part(Operation& operation, bool on_thread, std::vector<Round>& rounds,
              const std::shared_ptr<const Buffers>& buffers) {
  if (!rounds.empty()) operation.parts.push_back({on_thread, std::move(rounds), buffers});
}

std::shared_ptr<Operation> operation_of(Started& started, const Block& block, MPI_Comm comm) {
  auto operation = std::make_shared<Operation>();
  operation->team = team_of(comm);
  NbcCase& what = started.what;
  what.rank = operation->team->rank();
  what.size = operation->team->size();
  const Settings settings = settings_of(comm);
  shape(what, settings, *operation->team);
  operation->steps = what.steps;
  const auto bytes = static_cast<long>(data_bytes(block.count, block.datatype));
  if (settings.check && what.size > 1) operation->parts.push_back(comparison({what, bytes, started.op}));
  if (bytes > 0 || what.collective == Nbc::kBarrier) {
    Schedule schedule = nbc_schedule(what);
    const auto buffers = std::make_shared<const Buffers>(started.send, started.receive, block, schedule, started.op);
    const bool something_in_call = !schedule.in_call.empty();
    add_part(*operation, false, schedule.in_call, buffers);
    if (something_in_call) operation->parts_in_call = operation->parts.size();
    add_part(*operation, true, schedule.on_thread, buffers);
    add_part(*operation, false, schedule.in_wait, buffers);
  }
  operation->tag = operation->team->next_tag();
  return operation;
}

void tell_sessions(const Started& started, MPI_Comm comm) {
  const NbcCase& what = started.what;
  const bool at_root = what.rank == what.root;
  const Block& out = started.send.block;
  switch (what.collective) {
    case Nbc::kBcast:
      return monitoring::called(comm, Meaning::kFromRoot, what.root, out.count, out.datatype);
    case Nbc::kScatter:
      if (at_root) monitoring::called(comm, Meaning::kFromRoot, what.root, out.count, out.datatype);
      return;
    case Nbc::kReduce:
      return monitoring::called(comm, Meaning::kToRoot, what.root, out.count, out.datatype);
    case Nbc::kGather:
      if (!at_root) monitoring::called(comm, Meaning::kToRoot, what.root, out.count, out.datatype);
      return;
    case Nbc::kAllreduce:
      return monitoring::called(comm, Meaning::kToAll, 0, out.count, out.datatype);
    case Nbc::kScan:
      return monitoring::called(comm, Meaning::kToLater, 0, out.count, out.datatype);
    case Nbc::kBarrier:
      return monitoring::called(comm, Meaning::kToAll, 0, 0, MPI_BYTE);
  }
}

// `body` checks the arguments, fills in what is to be started, and returns the block of its messages and its scratch.
template <class Body>
int start(MPI_Comm comm, MPIX_Request* request, const Body& body) {
  return on_intracomm(comm, [&](int size) {
    if (request == nullptr) check(MPI_ERR_ARG);
    *request = MPIX_REQUEST_NULL;
    Started started;
    const Block block = body(started, rank_in(comm), size);
    const std::shared_ptr<Operation> operation = operation_of(started, block, comm);
    tell_sessions(started, comm);
    check(this_process().start(operation, *request));
  });
}

void* writable(const void* buffer) { return const_cast<void*>(buffer); }  // a send buffer is only read

void set_reduction(Started& started, const void* sendbuf, void* recvbuf, const Operands& o) {
  started.send = {writable(contribution(sendbuf, recvbuf)), {o.count, o.datatype}};
  started.receive = {recvbuf, {o.count, o.datatype}};
  started.op = o.op;
  started.what.in_place = sendbuf == MPI_IN_PLACE;
  started.what.commutes = commutes(o.op);
}

// `collective` is a reduction with a result on all ranks: an allreduce or a scan.
int start_reduction_to_all(Nbc collective, const void* sendbuf, void* recvbuf, const Operands& o, MPI_Comm comm,
                           MPIX_Request* request) {
  return start(comm, request, [&](Started& started, int, int) {
    check_allreduce(sendbuf, recvbuf, o, 0);
    started.what.collective = collective;
    set_reduction(started, sendbuf, recvbuf, o);
    return started.send.block;
  });
}

// `own` is the block of a rank, `all` are the blocks of all ranks at the root.
int start_blocks(Nbc collective, const Memory& own, const Memory& all, int root, MPI_Comm comm, MPIX_Request* request) {
  return start(comm, request, [&](Started& started, int rank, int size) {
    check_gather_or_scatter(own.base, own.block, all.base, all.block, root, rank, size, MPIX_ALGORITHM_BINOMIAL);
    const bool gathers = collective == Nbc::kGather;
    started.what.collective = collective;
    started.what.root = root;
    started.what.in_place = own.base == MPI_IN_PLACE;
    if (!started.what.in_place) (gathers ? started.send : started.receive) = own;
    if (rank == root) (gathers ? started.receive : started.send) = all;
    return rank == root ? all.block : own.block;
  });
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                           MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start(comm, request, [&](Started& started, int, int size) {
    check_bcast(buffer, count, datatype, root, size, MPIX_ALGORITHM_BINOMIAL, 0);
    started.what.collective = Nbc::kBcast;
    started.what.root = root;
    started.send = started.receive = {buffer, {count, datatype}};
    return started.send.block;
  });
}

extern "C" int MPIX_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start(comm, request, [&](Started& started, int rank, int size) {
    const Operands o{count, datatype, op};
    check_reduce(sendbuf, recvbuf, o, root, rank, size, MPIX_ALGORITHM_BINOMIAL, 0);
    started.what.collective = Nbc::kReduce;
    started.what.root = root;
    set_reduction(started, sendbuf, recvbuf, o);
    return started.send.block;
  });
}

extern "C" int MPIX_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start_reduction_to_all(Nbc::kAllreduce, sendbuf, recvbuf, {count, datatype, op}, comm, request);
}

extern "C" int MPIX_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start_reduction_to_all(Nbc::kScan, sendbuf, recvbuf, {count, datatype, op}, comm, request);
}

extern "C" int MPIX_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start_blocks(Nbc::kGather, {writable(sendbuf), {sendcount, sendtype}}, {recvbuf, {recvcount, recvtype}}, root,
                      comm, request);
}

extern "C" int MPIX_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start_blocks(Nbc::kScatter, {recvbuf, {recvcount, recvtype}}, {writable(sendbuf), {sendcount, sendtype}}, root,
                      comm, request);
}

extern "C" int MPIX_Ibarrier(MPI_Comm comm, MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return start(comm, request, [&](Started& started, int, int) {
    started.what.collective = Nbc::kBarrier;
    return Block{0, MPI_BYTE};
  });
}
