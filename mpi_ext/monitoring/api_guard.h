// SPDX-License-Identifier: LGPL-2.1-only
// The common part of the functions of MPI_Monitoring.h.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <memory>
#include <new>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/monitoring/process_sessions.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix::monitoring {

/// Runs `body`, which returns a code, if MPI can be called. An exception becomes MPI_M_INTERNAL.
template <class Body>
int call_of_monitoring(const Body& body) {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun == 0 || ended != 0) return MPI_M_MISSING_INIT;
  try {
    return body();
  } catch (...) {
    caught_error();
    return MPI_M_INTERNAL;
  }
}

/// While this lives, no session counts the messages of this thread. `provider` may be null.
class Quiet {
 public:
  explicit Quiet(std::shared_ptr<Provider> provider) : provider_(std::move(provider)) {
    if (provider_ != nullptr) provider_->mute();
  }
  ~Quiet() {
    if (provider_ != nullptr) provider_->unmute();
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::shared_ptr<Provider> provider_;
};

/// A session and the verdict on the call; null without a session or an environment.
struct Found {
  int code;
  std::shared_ptr<Session> session;
  std::shared_ptr<Provider> provider;
};
Found find_session(Process& process, SessionCall what, MPI_M_msid msid);

}  // namespace strata::mpix::monitoring
