// SPDX-License-Identifier: LGPL-2.1-only
// Measures a halo exchange on a Cartesian mesh of processes, like the program of the same name in W. D. Gropp, "Using
// Node Information to Implement MPI Cartesian Topologies", EuroMPI'18, Section 3 and Figure 3.
//
//   ncartperf [--dims 16x8x8 | --ndims 3] [--periods 0x0x0] [--comm world|cart|nodecart] [--method M]
//             [--n DOUBLES] [--sweeps 32] [--repeats 1]
//
// In a sweep, every process receives a message of n doubles from each of its neighbours, two per dimension, and sends
// one to each: MPI_Irecv from all, MPI_Isend to all, MPI_Waitall. There is no barrier between sweeps. The time is from
// a moment when all ranks are ready until the last has finished, divided by the number of sweeps; the minimum of the
// repeats is used. (The loop sketched in the paper uses tag 0. Here, the tag is the direction of a message, which
// distinguishes the two messages between the neighbours in a periodic dimension of 2.)
//
// Reports
//   time       of a sweep (s)
//   bandwidth  the data that a process with all neighbours sends in a sweep, 2 ndims messages of 8 n bytes, divided by
//              that time (MB/s, 10^6 bytes per second). The paper's own program reports the same, with the minimum time
//              of 20 runs (github.com/minitu/baseenv, nodecart/tests/ncartperf.c)
//   on_node_min, _max, _avg, off_node_min, _max, _avg
//              communication partners on the process's own node and on other nodes, over processes (the paper's Table
//              3); a shift out of the mesh counts as off-node
//   moved      number of processes whose rank in the mesh differs from that in MPI_COMM_WORLD: 0 if MPI does not
//              reorder (the paper's Table 2)
//
// Before the measurement, neighbours exchange their positions in the mesh and in the machine. Partners are counted from
// this information. The program ends if a neighbour is not one step away.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "records/exchange/exchanged_words.h"
#include "records/program_defaults.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/mesh_of_ranks.h"
#include "scenarios/programs/node.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

using strata::programs::Cartesian;

constexpr int kMostDoubles = 1 << 26;  // in a message: MPI counts its bytes with an int

// The data that neighbours exchange: a buffer per side and direction, stored consecutively.
struct Halo {
  void *send, *receive;
  int count;  // elements in a message
  MPI_Datatype type;
  std::size_t bytes;  // in a message
};

// One sweep. A message that leaves on side s arrives on the opposite side of that dimension, s ^ 1. Its tag is s.
void exchange(const Cartesian& mesh, const Halo& halo, std::vector<MPI_Request>& requests) {
  const std::vector<int>& partners = mesh.partners();
  const int sides = static_cast<int>(partners.size());
  requests.resize(2 * partners.size());
  for (int s = 0; s < sides; ++s) {
    MPI_Irecv(static_cast<char*>(halo.receive) + s * halo.bytes, halo.count, halo.type, partners[s], s ^ 1, mesh.comm(),
              &requests[s]);
  }
  for (int s = 0; s < sides; ++s) {
    MPI_Isend(static_cast<char*>(halo.send) + s * halo.bytes, halo.count, halo.type, partners[s], s, mesh.comm(),
              &requests[sides + s]);
  }
  MPI_Waitall(2 * sides, requests.data(), MPI_STATUSES_IGNORE);
}

struct Met {
  int on_node = 0;     // number of partners
  int wrong = 0;       // number of neighbours that are not one step away
  bool moved = false;  // its rank differs from that in MPI_COMM_WORLD
};

// Sends the node and the coordinates to all neighbours, and checks theirs.
Met meet(const Cartesian& mesh, int node) {
  const std::vector<int>& partners = mesh.partners();
  const std::size_t words = 1 + static_cast<std::size_t>(mesh.ndims());
  std::vector<int> sent, received(words * partners.size());
  for (std::size_t s = 0; s < partners.size(); ++s) {
    sent.push_back(node);
    sent.insert(sent.end(), mesh.coords().begin(), mesh.coords().end());
  }
  std::vector<MPI_Request> requests;
  exchange(mesh, {sent.data(), received.data(), static_cast<int>(words), MPI_INT, sizeof(int) * words}, requests);
  Met met;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  met.moved = rank != mesh.position();
  for (std::size_t s = 0; s < partners.size(); ++s) {
    if (partners[s] == MPI_PROC_NULL) continue;
    const int* from = &received[words * s];
    if (from[0] == node) ++met.on_node;
    std::vector<int> expected = mesh.coords();
    const std::size_t i = s / 2;
    expected[i] += s % 2 == 0 ? -1 : 1;
    if (mesh.periods()[i] != 0) expected[i] = (expected[i] + mesh.dims()[i]) % mesh.dims()[i];
    if (!std::equal(expected.begin(), expected.end(), from + 1)) ++met.wrong;
  }
  return met;
}

// The same over all processes: partners on a process's node, the maximum of wrong neighbours, and how many processes
// have moved.
struct Partners {
  int min, max, wrong;
  double average, moved;
};

Partners over_all(const Met& mine) {
  std::array<int, 3> largest = {mine.on_node, -mine.on_node, mine.wrong}, of_all = {};
  MPI_Allreduce(largest.data(), of_all.data(), 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  std::array<double, 2> summands = {static_cast<double>(mine.on_node), mine.moved ? 1.0 : 0.0}, sums = {};
  MPI_Allreduce(summands.data(), sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return {-of_all[1], of_all[0], of_all[2], sums[0] / size, sums[1]};
}

void report_partners(const Partners& on_node, int sides) {
  strata::programs::report("on_node_min", on_node.min, "1");
  strata::programs::report("on_node_max", on_node.max, "1");
  strata::programs::report("on_node_avg", on_node.average, "1");
  strata::programs::report("off_node_min", sides - on_node.max, "1");
  strata::programs::report("off_node_max", sides - on_node.min, "1");
  strata::programs::report("off_node_avg", sides - on_node.average, "1");
  strata::programs::report("moved", on_node.moved, "1");
}

// The time of a sweep (s), the minimum of the repeats. The same on all ranks.
double measure(const Cartesian& mesh, int n, int sweeps, int repeats) {
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(n);
  const std::size_t all = bytes * mesh.partners().size();
  const Halo halo = {strata::mpix::allocate_payload(all), strata::mpix::allocate_payload(all), n, MPI_DOUBLE, bytes};
  std::vector<MPI_Request> requests;
  double least = 0;
  for (int r = 0; r < repeats; ++r) {
    const double time = strata::programs::time_until_last(MPI_COMM_WORLD, [&](double) {
      for (int i = 0; i < sweeps; ++i) exchange(mesh, halo, requests);
    });
    least = r == 0 ? time : std::min(least, time);
  }
  strata::mpix::free_payload(halo.send);
  strata::mpix::free_payload(halo.receive);
  return least / sweeps;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  strata::programs::CartesianOptions options;
  strata::programs::NcartperfOptions o;
  strata::cli::App app("ncartperf");
  options.add_to(app);
  app.add_option("--ndims", options.ndims)->check(strata::cli::Range(1, 16))->excludes("--dims");
  app.add_option("--n", o.n)->check(strata::cli::Range(0, kMostDoubles));
  app.add_option("--sweeps", o.sweeps)->check(strata::cli::PositiveNumber);
  app.add_option("--repeats", o.repeats)->check(strata::cli::PositiveNumber);
  strata::programs::parse(app, argc, argv);
  int rank = 0, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    const Cartesian mesh(options);
    const Partners on_node = over_all(meet(mesh, strata::programs::own_node()));
    wrong = on_node.wrong;
    if (wrong == 0) {
      const double time = measure(mesh, o.n, o.sweeps, o.repeats);
      const int sides = 2 * mesh.ndims();
      if (rank == 0) {
        strata::programs::report("time", time, "s");
        if (time > 0) strata::programs::report("bandwidth", sides * sizeof(double) * o.n / time / 1e6, "MB/s");
        report_partners(on_node, sides);
      }
    }
  }
  if (wrong != 0 && rank == 0)
    std::fprintf(stderr, "%s a neighbour is not one step away in the mesh\n", strata::words::kWrong);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
