// SPDX-License-Identifier: LGPL-2.1-only
// Files that a session writes, and files that cannot be written.
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {
namespace {

bool is_there(const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }

}  // namespace

void test_files(const Env& e, const std::string& folder) {
  Checks& t = e.t;
  const MPI_M_msid id = started(t);
  ring(MPI_COMM_WORLD, 1, 1);
  suspend(t, id);
  const std::string name = folder + "/ring", me = std::to_string(e.rank), next = std::to_string((e.rank + 1) % e.size);
  const std::string line = "E\t" + me + "\t" + next + "\t4 bytes\t1 msgs sent\n";
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  // Another kind of messages: a file without lines.
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, (name + "-osc").c_str(), MPI_M_OSC_ONLY));
  CHECK_TRUE(is_there(name + "-osc." + me + ".prof"));
  CHECK_EQ(std::string(), text_of(name + "-osc." + me + ".prof"));

  CHECK_EQ(MPI_SUCCESS, MPI_M_rootflush(id, 0, name.c_str(), MPI_M_P2P_ONLY));
  if (e.rank == 0) {
    std::string profile, counts, sizes, coordinates, size_coordinates;
    for (int r = 0; r < e.size; ++r) {
      const int to = (r + 1) % e.size;
      profile += "E\t" + std::to_string(r) + "\t" + std::to_string(to) + "\t4 bytes\t1 msgs sent\n";
      for (int c = 0; c < e.size; ++c) {
        counts += std::string(c > 0 ? " " : "") + (c == to ? "1" : "0");
        sizes += std::string(c > 0 ? " " : "") + (c == to ? "4" : "0");
      }
      counts += "\n";
      sizes += "\n";
      coordinates += std::to_string(r + 1) + " " + std::to_string(to + 1) + " 1\n";
      size_coordinates += std::to_string(r + 1) + " " + std::to_string(to + 1) + " 4\n";
    }
    const std::string n = std::to_string(e.size);
    const std::string head = "%%MatrixMarket matrix coordinate integer general\n% row: sender, column: receiver\n" + n +
                             " " + n + " " + n + "\n";
    CHECK_EQ(profile, text_of(name + ".prof"));
    CHECK_EQ(counts, text_of(name + "_msg_all.mat"));
    CHECK_EQ(sizes, text_of(name + "_size_all.mat"));
    CHECK_EQ(head + coordinates, text_of(name + "_msg.mtx"));
    CHECK_EQ(head + size_coordinates, text_of(name + "_size.mtx"));
  }

  // A file that one process cannot write: no data is lost, on any process.
  const int last = e.size - 1;
  const std::string nowhere = folder + "/nowhere/ring";
  resume(t, id);
  ring(MPI_COMM_WORLD, 1, 2);
  suspend(t, id);
  const std::string full = name + "." + me + ".prof.new";
  if (e.rank == last) CHECK_EQ(0, ::symlink("/dev/full", full.c_str()));
  CHECK_EQ(of_one(e, last, MPI_M_FILE), MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  CHECK_TRUE(!is_there(full));
  CHECK_EQ(of_one(e, last, MPI_M_FILE),
           MPI_M_flush(id, e.rank == last ? nowhere.c_str() : name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  CHECK_EQ(of_one(e, last, MPI_M_FILE), MPI_M_rootflush(id, last, nowhere.c_str(), MPI_M_P2P_ONLY));
  // A folder has the name of the last file: then the first files do not appear either.
  const std::string blocked = folder + "/blocked";
  if (e.rank == 0) CHECK_EQ(0, ::mkdir((blocked + "_size.mtx").c_str(), 0777));
  CHECK_EQ(of_one(e, 0, MPI_M_FILE), MPI_M_rootflush(id, 0, blocked.c_str(), MPI_M_P2P_ONLY));
  CHECK_TRUE(!is_there(blocked + ".prof"));
  CHECK_TRUE(!is_there(blocked + ".prof.new"));
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ("E\t" + me + "\t" + next + "\t12 bytes\t2 msgs sent\n", text_of(name + "." + me + ".prof"));
  free_session(t, id);
}

}  // namespace strata::mpix::testing
