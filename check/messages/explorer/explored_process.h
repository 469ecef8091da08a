// SPDX-License-Identifier: LGPL-2.1-only
// A process that is explored, with a socket to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace strata::check {

[[noreturn]] void fail(const std::string& what);  // with the error of the last system call

/// Ends its process.
class ExploredProcess {
 public:
  /// Runs these words with these variables (NAME=VALUE) added, and with `socket_variable` as the number of its end of a
  /// socket pair of this type. It ends with the thread that has started it. Throws std::runtime_error.
  ExploredProcess(const std::vector<std::string>& words, std::vector<std::string> variables,
                  const char* socket_variable, int socket_type);
  ~ExploredProcess();
  ExploredProcess(const ExploredProcess&) = delete;
  ExploredProcess& operator=(const ExploredProcess&) = delete;

  /// Our end of the pair, once. The caller closes it.
  int take_socket() { return std::exchange(socket_, -1); }

 private:
  pid_t process_ = 0;
  int socket_ = -1;
};

}  // namespace strata::check
