// SPDX-License-Identifier: LGPL-2.1-only
// The PMIx server of a job, by which Open MPI's ranks learn from their launcher who they are and where, and exchange
// their addresses. One server plays all nodes: it tells each rank the node of its PMIX_HOSTNAME.
//
//   PmixServer server(places, "/tmp/scratch/pmix", [](const PmixServer::Event& event) { ... });
//   execve(..., server.environment(3));  // rank 3 finds it by PMIX_SERVER_URI and others
//
// libpmix has a thread of its own, which answers. It serves one run at a time: the job of MPI_COMM_WORLD, and those
// that its ranks start (native/launch/pmix_dynamic.h). Ranks of the run are numbered through all jobs.
// Sources: the PMIx standard 4.1, chapter 16; PRRTE 2.0, src/prted/pmix/pmix_server_register_fns.c.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "native/launch/environment.h"
#include "native/launch/job_names.h"
#include "native/launch/places.h"
#include "native/launch/spawn_order.h"

namespace strata::native {

class PmixServer {
 public:
  struct Event {
    enum class Kind { kConnected, kFinalized, kAborted, kSpawns };
    Kind kind;
    int rank;                  // of the run
    int exit_code = 0;         // kAborted
    std::string message = {};  // kAborted; may be empty
    SpawnOrder order = {};     // kSpawns
  };

  /// `scratch`: an existing folder for the files of libpmix and Open MPI. `on_event` is called in libpmix's thread.
  /// Throws std::runtime_error if libpmix refuses, std::logic_error if there is a server already.
  PmixServer(const Places& places, const std::filesystem::path& scratch, std::function<void(const Event&)> on_event);
  ~PmixServer();
  PmixServer(const PmixServer&) = delete;
  PmixServer& operator=(const PmixServer&) = delete;

  /// The name of the job of MPI_COMM_WORLD.
  const std::string& name() const { return jobs_.front().name; }
  /// A name for a further job, and the job, whose ranks come after all others. `parent`: the rank that asked for it.
  std::string next_name() { return names_.next(); }
  void add_job(const std::string& name, const Places& places, int parent);

  /// The variables by which a rank of the run finds the server.
  Environment environment(int rank) const;

 private:
  struct Job {
    std::string name;  // for PMIx, the namespace
    int first;         // rank of the run
    Places places;
  };
  void stop();
  const Job& job_of(int rank) const;

  const std::filesystem::path scratch_;
  JobNames names_;
  std::vector<Job> jobs_;
};

}  // namespace strata::native
