// SPDX-License-Identifier: LGPL-2.1-only
// The PMIx server of a job, by which Open MPI's ranks learn from their launcher who they are and where, and exchange
// their addresses. One server plays all nodes: it tells each rank the node of its PMIX_HOSTNAME.
//
//   PmixServer server(places, "/tmp/scratch/pmix", [](const PmixServer::Event& event) { ... });
//   execve(..., server.environment(3));  // rank 3 finds it by PMIX_SERVER_URI and others
//
// libpmix has a thread of its own, which answers. It serves one job at a time.
// Sources: the PMIx standard 4.1, chapter 16; PRRTE 2.0, src/prted/pmix/pmix_server_register_fns.c.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "native/launch/environment.h"
#include "native/launch/places.h"

namespace strata::native {

class PmixServer {
 public:
  struct Event {
    enum class Kind { kConnected, kFinalized, kAborted };
    Kind kind;
    int rank;
    int exit_code = 0;         // kAborted
    std::string message = {};  // kAborted; may be empty
  };

  /// `scratch`: an existing folder for the files of libpmix and Open MPI. `on_event` is called in libpmix's thread.
  /// Throws std::runtime_error if libpmix refuses, std::logic_error if there is a server already.
  PmixServer(const Places& places, const std::filesystem::path& scratch, std::function<void(const Event&)> on_event);
  ~PmixServer();
  PmixServer(const PmixServer&) = delete;
  PmixServer& operator=(const PmixServer&) = delete;

  /// The variables by which a rank finds the server.
  Environment environment(int rank) const;

 private:
  void stop();

  const Places& places_;
  std::string job_;  // its name for PMIx, the namespace
};

}  // namespace strata::native
