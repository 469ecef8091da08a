// SPDX-License-Identifier: LGPL-2.1-only
// A process under exploration, with a socket to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace strata::check {

[[noreturn]] void fail(const std::string& what);  // with the error of the last system call

/// Kills its process in the destructor.
class ExploredProcess {
 public:
  /// Runs the command `words` with additional `variables` (NAME=VALUE). The environment variable `socket_variable` has
  /// the number of the process's end of a socket pair of this type. The process ends when the thread that started it
  /// ends. Throws std::runtime_error.
  ExploredProcess(const std::vector<std::string>& words, std::vector<std::string> variables,
                  const char* socket_variable, int socket_type);
  ~ExploredProcess();
  ExploredProcess(const ExploredProcess&) = delete;
  ExploredProcess& operator=(const ExploredProcess&) = delete;

  /// Our end of the socket pair. Call it once; the caller closes the socket.
  int take_socket() { return std::exchange(socket_, -1); }

 private:
  pid_t process_ = 0;
  int socket_ = -1;
};

}  // namespace strata::check
