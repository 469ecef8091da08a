// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/guard.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "base/system_error.h"

namespace strata::native {
namespace {

constexpr int kAttempts = 100, kPause_us = 20'000;  // to remove a folder into which dying processes still write

void close_all_but(int first, int second) {
  const unsigned low = static_cast<unsigned>(std::min(first, second));
  const unsigned high = static_cast<unsigned>(std::max(first, second));
  if (low > 0) ::close_range(0, low - 1, 0);
  if (high > low + 1) ::close_range(low + 1, high - 1, 0);
  ::close_range(high + 1, ~0U, 0);
}

[[noreturn]] void hold_group() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) ::pause();
}

void remove_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (int i = 0; i < kAttempts && std::filesystem::exists(folder, error); ++i) {
    std::filesystem::remove_all(folder, error);
    if (error) ::usleep(kPause_us);
  }
}

// In a fork of a process with several threads: only system calls and memory, which glibc's fork keeps usable.
[[noreturn]] void guard(int until_closed, int answer, const std::filesystem::path& scratch) {
  close_all_but(until_closed, answer);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) ::signal(signal, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_NAME, "strata-guard");
  ::setpgid(0, 0);  // not that of the terminal, whose keys would stop it
  const pid_t holder = ::fork();
  if (holder == 0) hold_group();
  if (holder > 0) ::setpgid(holder, holder);
  if (::write(answer, &holder, sizeof holder) != sizeof holder) ::_exit(1);
  ::close(answer);
  if (holder < 0) ::_exit(1);
  char byte = 0;
  while (::read(until_closed, &byte, 1) < 0 && errno == EINTR) {
  }
  ::kill(-holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  if (!scratch.empty()) remove_folder(scratch);
  ::_exit(0);
}

}  // namespace

Guard::Guard(const std::filesystem::path& scratch) {
  std::array<int, 2> life{}, answer{};
  if (::pipe2(life.data(), O_CLOEXEC) != 0) throw SystemError("pipe", errno);
  if (::pipe2(answer.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(life[0]);
    ::close(life[1]);
    throw SystemError("pipe", error);
  }
  pid_ = ::fork();
  const int error = errno;
  if (pid_ == 0) guard(life[0], answer[1], scratch);
  ::close(life[0]);
  ::close(answer[1]);
  pipe_ = life[1];
  if (pid_ > 0 && ::read(answer[0], &group_, sizeof group_) != sizeof group_) group_ = -1;
  ::close(answer[0]);
  if (group_ > 0) return;
  end();
  throw SystemError("fork", pid_ < 0 ? error : EAGAIN);
}

void Guard::end() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  if (pid_ > 0) {
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
}

}  // namespace strata::native
