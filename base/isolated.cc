// SPDX-License-Identifier: LGPL-2.1-only
#include "base/isolated.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>

#include "base/system_error.h"

namespace strata {
namespace {

// Exit codes of the child that a function which ends the process is unlikely to use; 0: done.
constexpr int kThrewStatus = 101, kLostStatus = 102;

void write_all(int file, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(file, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) ::_exit(kLostStatus);
    if (n > 0) at += static_cast<size_t>(n);
  }
}

// Limits the address space of this process to its current size plus this amount.
void limit_memory(long more_bytes) {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages == 0) return;
  const auto most = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + more_bytes);
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void be_the_child(int file, const std::function<std::string()>& function, long more_memory_bytes,
                               pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kLostStatus);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);  // the parent ends it on request
  // The parent reports crashes, so this process must not have handlers for them (sanitizers install some).
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  if (more_memory_bytes != 0) limit_memory(more_memory_bytes);
  try {
    write_all(file, function());
  } catch (const std::exception& e) {
    write_all(file, e.what());
    ::_exit(kThrewStatus);
  }
  ::_exit(0);
}

std::string read_all(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return {};
  std::string text(static_cast<size_t>(status.st_size), '\0');
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::pread(file, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (n == 0 || (n < 0 && errno != EINTR)) break;
    if (n > 0) at += static_cast<size_t>(n);
  }
  return text;
}

}  // namespace

Isolated::Isolated(const std::function<std::string()>& function, long more_memory_bytes) {
  file_ = ::memfd_create("strata-isolated", MFD_CLOEXEC);
  if (file_ < 0) throw SystemError("memfd_create", errno);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    const int error = errno;
    ::close(file_);
    throw SystemError("fork", error);
  }
  if (pid_ == 0) be_the_child(file_, function, more_memory_bytes, parent);
}

Isolated::Isolated(Isolated&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      file_(std::exchange(other.file_, -1)),
      state_(other.state_),
      text_(std::move(other.text_)) {}

Isolated::~Isolated() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (file_ >= 0) ::close(file_);
}

void Isolated::collect(int status) {
  pid_ = -1;
  text_ = read_all(file_);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    state_ = State::kDone;
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == kThrewStatus) {
    state_ = State::kThrew;
  } else {
    state_ = State::kCrashed;
    text_ = WIFSIGNALED(status) ? fmt::format("crashes: {}", ::strsignal(WTERMSIG(status)))
                                : fmt::format("leaves the process with status {}", WEXITSTATUS(status));
  }
}

Isolated::State Isolated::state() {
  int status = 0;
  if (state_ == State::kRunning && ::waitpid(pid_, &status, WNOHANG) == pid_) collect(status);
  return state_;
}

Isolated::State Isolated::wait(double cpu_limit_s, const std::function<bool()>& stop) {
  auto pause = std::chrono::microseconds(100);
  while (state() == State::kRunning) {
    if (stop()) {
      kill("was stopped");
    } else if (cpu_s() > cpu_limit_s) {
      kill(fmt::format("does not end within {} s", cpu_limit_s));
    } else {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds(10'000));
    }
  }
  return state_;
}

void Isolated::kill(const std::string& why) {
  if (state_ != State::kRunning) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
  state_ = State::kCrashed;
  text_ = why;
}

double Isolated::cpu_s() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ <= 0 || ::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

}  // namespace strata
