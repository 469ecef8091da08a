// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/explored_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace strata::check {
namespace {

constexpr int kItsSocket = 3;  // the same number in each process, so that their memory is equal

// The words as arguments of execve.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

ExploredProcess::ExploredProcess(const std::vector<std::string>& words, std::vector<std::string> variables,
                                 const char* socket_variable, int socket_type) {
  int ends[2];
  if (::socketpair(AF_UNIX, socket_type | SOCK_CLOEXEC, 0, ends) != 0) fail("no socket can be made");
  socket_ = ends[1];
  variables.push_back(socket_variable + ("=" + std::to_string(kItsSocket)));
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string set = *variable, name = set.substr(0, set.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : variables) replaced = replaced || other.starts_with(name);
    if (!replaced) variables.push_back(set);
  }
  std::vector<std::string> own_words = words;
  const std::vector<char*> argv = pointers(own_words), environment = pointers(variables);
  process_ = ::fork();
  if (process_ < 0) fail("no process can be made");
  if (process_ == 0) {  // only async-signal-safe calls, because there may be threads
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const bool is_there = ends[0] == kItsSocket;
    if (is_there ? ::fcntl(kItsSocket, F_SETFD, 0) < 0 : ::dup2(ends[0], kItsSocket) < 0) ::_exit(126);
    ::execve(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }
  ::close(ends[0]);
}

ExploredProcess::~ExploredProcess() {
  if (socket_ >= 0) ::close(socket_);
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace strata::check
