// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/rank_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/system_error.h"

namespace strata::native {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// Everything that the child needs, made before vfork: it may only use system calls, and write its own locals.
struct Prepared {
  const char* program;
  char* const* words;
  char* const* variables;
  const char* folder;  // nullptr: none
  const int* streams;
  const int* kept;
  std::size_t kept_count;
  pid_t group;
  pid_t parent;
  const rlimit* open_files;
};

[[noreturn]] void fail(const Prepared& with, const char* what) {
  const int error = errno;
  for (const char* text : {"strata: ", what, ": ", ::strerrordesc_np(error), "\n"})
    if (text != nullptr && ::write(2, text, std::strlen(text)) < 0) break;
  ::_exit(error == ENOENT && what == with.program ? 127 : 126);
}

// Above 2, so that no stream is overwritten before it is copied.
int moved_up(int descriptor) { return descriptor > 2 ? descriptor : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

[[noreturn]] void run(const Prepared& with) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != with.parent) ::_exit(126);  // it died before
  if (with.group != 0 && ::setpgid(0, with.group) != 0) fail(with, "setpgid");
  const int streams[3] = {moved_up(with.streams[0]), moved_up(with.streams[1]), moved_up(with.streams[2])};
  for (int i = 0; i < 3; ++i)
    if (::dup2(streams[i], i) < 0) fail(with, "dup2");
  for (std::size_t i = 0; i < with.kept_count; ++i)
    if (::fcntl(with.kept[i], F_SETFD, 0) != 0) fail(with, "descriptor");
  ::setrlimit(RLIMIT_NOFILE, with.open_files);
  if (with.folder != nullptr && ::chdir(with.folder) != 0) fail(with, with.folder);
  // Handlers of the launcher must not run here. Ignored signals stay ignored, as under nohup.
  struct sigaction normal {};
  normal.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) ::sigaction(signal, &normal, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(with.program, with.words, with.variables);
  fail(with, with.program);
}

}  // namespace

pid_t start(const RankProcess& process) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : process.environment) variables.push_back(name + "=" + value);
  const std::vector<char*> words = pointers(process.words), pairs = pointers(variables);
  const Prepared prepared{process.program.c_str(),
                          words.data(),
                          pairs.data(),
                          process.folder.empty() ? nullptr : process.folder.c_str(),
                          process.streams.data(),
                          process.kept.data(),
                          process.kept.size(),
                          process.group,
                          ::getpid(),
                          &process.open_files};
  // A handler that runs in the child would change the launcher's memory.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::vfork();
  if (pid == 0) run(prepared);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) throw SystemError("vfork", error);
  return pid;
}

}  // namespace strata::native
