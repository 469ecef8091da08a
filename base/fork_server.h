// SPDX-License-Identifier: LGPL-2.1-only
// Starts many processes of one program by forking a process that has loaded its libraries already. SimGrid and the
// libraries that it needs take half of the time of a small simulation to load.
//
//   ForkServer server({.words = {"smpimain", ...}, ...});   a program that calls serve()
//   const std::optional<pid_t> pid = server.start(command); as start() of child.h, but without loading anything
//
// The new process is a child of the one that asked for it, not of the server (clone(2), CLONE_PARENT): it is waited
// for, signalled and limited as any other child, and goes on if the server ends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/child.h"

namespace strata {

/// The client's side. Not thread-safe.
class ForkServer {
 public:
  /// Starts the server without waiting for it. Its stdout and stderr go where `command` says, the processes' where
  /// their own commands say.
  explicit ForkServer(Command command);
  /// Ends the server, not the processes that it has started.
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  /// As start(command) of child.h. Empty if the server does not answer, for example because it could not be started:
  /// then start(command) does the work, or says why not. The server ignores words[0], the name of its own program.
  std::optional<pid_t> start(const Command& command);

 private:
  void end();

  pid_t server_ = -1;
  int socket_ = -1;
};

/// The server's side: whether this process was started by a ForkServer.
bool is_fork_server();

/// Answers requests until the client closes its end. In each new process, calls run(arguments), of which the first is
/// words[1] and the last a null pointer, and exits with what it returns. Call it while there is one thread only.
void serve(const std::function<int(std::vector<char*>& arguments)>& run);

}  // namespace strata
