// SPDX-License-Identifier: LGPL-2.1-only
// Makes random MPI calls, which are the same on every run with a seed, and writes down what Score-P would trace:
//
//   traced SEED STEPS FOLDER      writes the events of rank R into FOLDER/R, one per line
//   (tests/command/scorep_writer.h)
//
// Sizes of collectives are counted as Score-P's scorep_mpi_coll_bytes_* functions do (Score-P 9, src/adapters/mpi).
#include <mpi.h>
#include <smpi/smpi.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <simgrid/s4u/Engine.hpp>
#include <string>
#include <vector>

namespace {

constexpr int kUnused = 9999;  // a tag

// All ranks draw the same number.
int draw(std::mt19937& shared, int below) { return static_cast<int>(shared() % static_cast<unsigned>(below)); }

// Not MPI_Wtime, which takes simulated time in SMPI.
double now() { return simgrid::s4u::Engine::get_clock(); }

class Tracer {
 public:
  explicit Tracer(const std::string& file) : out_(file) { out_.precision(17); }

  void enter(const std::string& function) { out_ << "enter " << now() << " " << function << "\n"; }
  void leave() { out_ << "leave " << now() << "\n"; }
  template <class... Values>
  void event(const char* kind, Values... values) {
    out_ << kind << " " << now();
    ((out_ << " " << values), ...);
    out_ << "\n";
  }

 private:
  std::ofstream out_;
};

// The scope of a call of an MPI function.
class Function {
 public:
  Function(Tracer& tracer, const std::string& name) : tracer_(tracer) { tracer_.enter(name); }
  ~Function() { tracer_.leave(); }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

 private:
  Tracer& tracer_;
};

struct Communicator {
  MPI_Comm comm = MPI_COMM_NULL;
  int number = 0, rank = 0, size = 0;
};

class Steps {
 public:
  Steps(Tracer& tracer, unsigned seed) : tracer_(tracer), shared_(seed) {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own_.seed(seed + 1000003U * static_cast<unsigned>(rank));
    all_.push_back({MPI_COMM_WORLD, 0, rank, size});
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> odd, even, reversed;
    for (int r = 0; r < size; ++r) (r % 2 == 0 ? even : odd).push_back(r), reversed.insert(reversed.begin(), r);
    int number = 1;
    for (const std::vector<int>& ranks : {even, odd, reversed}) {
      Communicator c{MPI_COMM_NULL, number, 0, static_cast<int>(ranks.size())};
      bool in = false;
      for (const int r : ranks) in = in || r == rank;
      if (in) {
        MPI_Group members;
        MPI_Group_incl(world, c.size, ranks.data(), &members);
        MPI_Comm_create_group(MPI_COMM_WORLD, members, number, &c.comm);
        MPI_Comm_rank(c.comm, &c.rank);
      }
      all_.push_back(c);
      ++number;
    }
  }

  void step() {
    ++step_;  // used as the tag, so that a receive from any source cannot match a message of another step
    const int kind = draw(shared_, 30);
    const Communicator& c = all_[draw(shared_, 4)];
    const int bytes = 1 << draw(shared_, 18), root = draw(shared_, c.size), shift = 1 + draw(shared_, c.size - 1);
    const bool late = draw(shared_, 2) == 0;
    if (c.comm == MPI_COMM_NULL) return;
    if (late) smpi_execute_flops(static_cast<double>(own_() % 1000) * 1e5);
    kind < 8 ? messages(kind, c, bytes, shift) : collective(kind - 8, c, bytes, root);
  }

 private:
  void messages(int kind, const Communicator& c, int bytes, int shift) {
    const int to = (c.rank + shift) % c.size, from = (c.rank + c.size - shift) % c.size;
    std::vector<char> sent(bytes), received(sent);
    MPI_Request r[2];
    const long first = requests_;
    const auto start = [&](const char* isend) {
      requests_ += 2;
      {
        const Function f(tracer_, "MPI_Irecv");
        // No message has the tag of the receive that is cancelled.
        MPI_Irecv(received.data(), bytes, MPI_BYTE, kind % 2 == 0 ? from : MPI_ANY_SOURCE, kind == 5 ? kUnused : step_,
                  c.comm, &r[0]);
        tracer_.event("irecv-request", first);
      }
      const Function f(tracer_, isend);
      std::string(isend) == "MPI_Issend" ? MPI_Issend(sent.data(), bytes, MPI_BYTE, to, step_, c.comm, &r[1])
                                         : MPI_Isend(sent.data(), bytes, MPI_BYTE, to, step_, c.comm, &r[1]);
      tracer_.event("isend", to, c.number, step_, bytes, first + 1);
    };
    const auto ended = [&](int which) {
      which == 0 ? tracer_.event("irecv", from, c.number, step_, bytes, first)
                 : tracer_.event("isend-complete", first + 1);
    };
    switch (kind) {
      case 0: {
        const Function f(tracer_, "MPI_Sendrecv");
        tracer_.event("send", to, c.number, step_, bytes);
        MPI_Sendrecv(sent.data(), bytes, MPI_BYTE, to, step_, received.data(), bytes, MPI_BYTE, from, step_, c.comm,
                     MPI_STATUS_IGNORE);
        tracer_.event("recv", from, c.number, step_, bytes);
        return;
      }
      case 1:
      case 2: {
        start(kind == 1 ? "MPI_Isend" : "MPI_Issend");
        smpi_execute_flops(1e6);
        const Function f(tracer_, "MPI_Waitall");
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        ended(0);
        ended(1);
        return;
      }
      case 3: {
        start("MPI_Isend");
        for (int i = 0; i < 2; ++i) {
          const Function f(tracer_, "MPI_Wait");
          MPI_Wait(&r[i], MPI_STATUS_IGNORE);
          ended(i);
        }
        return;
      }
      case 4: {
        start("MPI_Isend");
        for (int i = 0; i < 2; ++i) {
          const Function f(tracer_, "MPI_Waitany");
          int which = 0;
          MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
          ended(which);
        }
        return;
      }
      case 5: {
        start("MPI_Isend");
        MPI_Cancel(&r[0]);
        tracer_.event("cancelled", first);
        {
          const Function f(tracer_, "MPI_Recv");
          MPI_Recv(received.data(), bytes, MPI_BYTE, from, step_, c.comm, MPI_STATUS_IGNORE);
          tracer_.event("recv", from, c.number, step_, bytes);
        }
        const Function f(tracer_, "MPI_Wait");
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
        ended(1);
        return;
      }
      default: {  // from each even rank to the next one, which computes first
        const bool sends = c.rank % 2 == 0 && c.rank + 1 < c.size;
        if (sends) {
          const Function f(tracer_, kind == 6 ? "MPI_Send" : "MPI_Ssend");
          tracer_.event("send", c.rank + 1, c.number, step_, bytes);
          kind == 6 ? MPI_Send(sent.data(), bytes, MPI_BYTE, c.rank + 1, step_, c.comm)
                    : MPI_Ssend(sent.data(), bytes, MPI_BYTE, c.rank + 1, step_, c.comm);
        } else if (c.rank % 2 == 1) {
          const Function f(tracer_, "MPI_Recv");
          MPI_Recv(received.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, step_, c.comm, MPI_STATUS_IGNORE);
          tracer_.event("recv", c.rank - 1, c.number, step_, bytes);
        }
      }
    }
  }

  // Writes a collective in the format of the test's archives.
  void traced(const char* operation, const Communicator& c, int root, long sent, long received) {
    tracer_.event("collective", operation, c.number, root, sent, received);
  }

  void collective(int kind, const Communicator& c, int bytes, int root) {
    const long n = c.size, b = bytes;
    const std::size_t all = static_cast<std::size_t>(n * b);
    std::vector<char> in(2 * all), out(in);
    std::vector<int> counts, places;
    for (int r = 0, place = 0; r < c.size; ++r) {
      counts.push_back(bytes / (1 + (r * 7 + root) % 3));
      places.push_back(place);
      place += counts.back();
    }
    const long sum = places.back() + counts.back(), own = counts[c.rank];
    const bool at_root = c.rank == root;
    const MPI_Datatype byte = MPI_BYTE;
    switch (kind) {
      case 0: {
        const Function f(tracer_, "MPI_Barrier");
        MPI_Barrier(c.comm);
        return traced("BARRIER", c, -1, 0, 0);
      }
      case 1: {
        const Function f(tracer_, "MPI_Bcast");
        MPI_Bcast(in.data(), bytes, byte, root, c.comm);
        return traced("BCAST", c, root, at_root ? n * b : 0, b);
      }
      case 2: {
        const Function f(tracer_, "MPI_Gather");
        MPI_Gather(in.data(), bytes, byte, out.data(), bytes, byte, root, c.comm);
        return traced("GATHER", c, root, b, at_root ? n * b : 0);
      }
      case 3: {
        const Function f(tracer_, "MPI_Gatherv");
        MPI_Gatherv(in.data(), static_cast<int>(own), byte, out.data(), counts.data(), places.data(), byte, root,
                    c.comm);
        return traced("GATHERV", c, root, own, at_root ? sum : 0);
      }
      case 4: {
        const Function f(tracer_, "MPI_Scatter");
        MPI_Scatter(in.data(), bytes, byte, out.data(), bytes, byte, root, c.comm);
        return traced("SCATTER", c, root, at_root ? n * b : 0, b);
      }
      case 5: {
        const Function f(tracer_, "MPI_Scatterv");
        MPI_Scatterv(in.data(), counts.data(), places.data(), byte, out.data(), static_cast<int>(own), byte, root,
                     c.comm);
        return traced("SCATTERV", c, root, at_root ? sum : 0, own);
      }
      case 6: {
        const Function f(tracer_, "MPI_Allgather");
        MPI_Allgather(in.data(), bytes, byte, out.data(), bytes, byte, c.comm);
        return traced("ALLGATHER", c, -1, n * b, n * b);
      }
      case 7: {
        const Function f(tracer_, "MPI_Allgatherv");
        MPI_Allgatherv(in.data(), static_cast<int>(own), byte, out.data(), counts.data(), places.data(), byte, c.comm);
        return traced("ALLGATHERV", c, -1, n * own, sum);
      }
      case 8: {
        const Function f(tracer_, "MPI_Alltoall");
        MPI_Alltoall(in.data(), bytes, byte, out.data(), bytes, byte, c.comm);
        return traced("ALLTOALL", c, -1, n * b, n * b);
      }
      case 9: {  // the same size for all
        const Function f(tracer_, "MPI_Alltoallv");
        std::vector<int> same(n, bytes), at;
        for (int r = 0; r < c.size; ++r) at.push_back(r * bytes);
        MPI_Alltoallv(in.data(), same.data(), at.data(), byte, out.data(), same.data(), at.data(), byte, c.comm);
        return traced("ALLTOALLV", c, -1, n * b, n * b);
      }
      case 10: {
        const Function f(tracer_, "MPI_Allreduce");
        MPI_Allreduce(in.data(), out.data(), bytes, byte, MPI_BOR, c.comm);
        return traced("ALLREDUCE", c, -1, n * b, n * b);
      }
      case 11: {
        const Function f(tracer_, "MPI_Reduce");
        MPI_Reduce(in.data(), out.data(), bytes, byte, MPI_BOR, root, c.comm);
        return traced("REDUCE", c, root, b, at_root ? n * b : 0);
      }
      case 12: {
        const Function f(tracer_, "MPI_Reduce_scatter");
        MPI_Reduce_scatter(in.data(), out.data(), counts.data(), byte, MPI_BOR, c.comm);
        return traced("REDUCE_SCATTER", c, -1, sum, n * own);
      }
      case 13: {
        const Function f(tracer_, "MPI_Reduce_scatter_block");
        MPI_Reduce_scatter_block(in.data(), out.data(), bytes, byte, MPI_BOR, c.comm);
        return traced("REDUCE_SCATTER_BLOCK", c, -1, n * b, n * b);
      }
      case 14: {
        const Function f(tracer_, "MPI_Scan");
        MPI_Scan(in.data(), out.data(), bytes, byte, MPI_BOR, c.comm);
        return traced("SCAN", c, -1, (n - c.rank) * b, (c.rank + 1) * b);
      }
      case 15: {
        const Function f(tracer_, "MPI_Exscan");
        MPI_Exscan(in.data(), out.data(), bytes, byte, MPI_BOR, c.comm);
        return traced("EXSCAN", c, -1, (n - c.rank - 1) * b, c.rank * b);
      }
      case 16: {  // a rank's own block does not count
        const Function f(tracer_, "MPI_Gather");
        at_root ? MPI_Gather(MPI_IN_PLACE, 0, byte, out.data(), bytes, byte, root, c.comm)
                : MPI_Gather(in.data(), bytes, byte, nullptr, 0, byte, root, c.comm);
        return traced("GATHER", c, root, at_root ? 0 : b, at_root ? (n - 1) * b : 0);
      }
      default: {
        MPI_Request request;
        const long number = requests_++;
        const int which = kind % 4;
        static const char* const kNames[] = {"MPI_Ibarrier", "MPI_Ibcast", "MPI_Iallreduce", "MPI_Ialltoall"};
        {
          const Function f(tracer_, kNames[which]);
          which == 0   ? MPI_Ibarrier(c.comm, &request)
          : which == 1 ? MPI_Ibcast(in.data(), bytes, byte, root, c.comm, &request)
          : which == 2 ? MPI_Iallreduce(in.data(), out.data(), bytes, byte, MPI_BOR, c.comm, &request)
                       : MPI_Ialltoall(in.data(), bytes, byte, out.data(), bytes, byte, c.comm, &request);
          tracer_.event("collective-request", number);
        }
        smpi_execute_flops(1e6);
        const Function f(tracer_, "MPI_Wait");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        which == 0   ? tracer_.event("collective-complete", "BARRIER", c.number, -1, 0L, 0L, number)
        : which == 1 ? tracer_.event("collective-complete", "BCAST", c.number, root, at_root ? n * b : 0L, b, number)
                     : tracer_.event("collective-complete", which == 2 ? "ALLREDUCE" : "ALLTOALL", c.number, -1, n * b,
                                     n * b, number);
      }
    }
  }

  Tracer& tracer_;
  std::mt19937 shared_, own_;
  std::vector<Communicator> all_;
  long requests_ = 0;
  int step_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Tracer tracer(std::string(argv[3]) + "/" + std::to_string(rank));
    tracer.enter("main");
    Steps steps(tracer, static_cast<unsigned>(std::atoi(argv[1])));
    tracer.enter("MPI_Init");
    tracer.leave();
    for (int i = std::atoi(argv[2]); i > 0; --i) steps.step();
    tracer.enter("MPI_Finalize");
    tracer.leave();
    tracer.leave();
  }
  MPI_Finalize();
  return 0;
}
