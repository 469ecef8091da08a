// SPDX-License-Identifier: LGPL-2.1-only
#include "base/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "base/system_error.h"

namespace strata {
namespace {

volatile sig_atomic_t g_signal = 0;  // that asked us to stop
bool g_reported = false;             // as Interrupted

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

// The number of guards, and the actions that they have replaced.
struct Guarded {
  std::mutex mutex;
  int guards = 0;
  std::array<struct sigaction, kSignals.size()> before{};
};

Guarded& guarded() {
  static Guarded one;
  return one;
}

// Called in the child.
void redirect(int descriptor, const char* file, int flags) {
  const int opened = ::open(file, flags | O_CLOEXEC, 0666);
  if (opened < 0) ::_exit(126);
  if (opened == descriptor) {
    ::fcntl(descriptor, F_SETFD, 0);
  } else {
    ::dup2(opened, descriptor);
    ::close(opened);
  }
}

}  // namespace

SignalGuard::SignalGuard() {
  Guarded& g = guarded();
  const std::lock_guard lock(g.mutex);
  if (g.guards++ > 0) return;
  g_signal = 0;
  g_reported = false;
  struct sigaction action {};
  action.sa_handler = [](int number) { g_signal = number; };
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &action, &g.before[i]);
    if (g.before[i].sa_handler == SIG_IGN) ::sigaction(kSignals[i], &g.before[i], nullptr);
  }
}

SignalGuard::~SignalGuard() {
  Guarded& g = guarded();
  const std::lock_guard lock(g.mutex);
  if (--g.guards > 0) return;
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &g.before[i], nullptr);
  if (g_signal != 0 && !g_reported) ::raise(g_signal);
}

int SignalGuard::caught() { return g_signal; }

void SignalGuard::check() {
  if (g_signal == 0) return;
  g_reported = true;
  throw Interrupted(g_signal);
}

pid_t start(const Command& command) {
  std::vector<char*> argv;
  for (const std::string& word : command.words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw SystemError("fork", errno);
  if (pid > 0) {
    if (!command.interactive) ::setpgid(pid, pid);
    return pid;
  }
  become(command, parent);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

void become(const Command& command, pid_t parent) {
  const std::filesystem::path& output = command.output.empty() ? command.folder : command.output;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (!command.interactive) {
    ::setpgid(0, 0);
    redirect(0, "/dev/null", O_RDONLY);
    redirect(1, (output / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, (output / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  } else {
    if (!command.input.empty()) redirect(0, command.input.c_str(), O_RDONLY);
    if (command.silent) redirect(1, "/dev/null", O_WRONLY);
  }
  if (::getppid() != parent) ::_exit(126);
  for (const auto& [number, folder] : command.folders) redirect(number, folder.c_str(), O_PATH | O_DIRECTORY);
  for (const int number : command.kept) ::fcntl(number, F_SETFD, 0);
  for (const auto& [name, value] : command.environment) {
    if (value.has_value()) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }
  if (command.most_bytes > 0) {
    const rlimit most{static_cast<rlim_t>(command.most_bytes), static_cast<rlim_t>(command.most_bytes)};
    ::setrlimit(RLIMIT_FSIZE, &most);
    ::signal(SIGXFSZ, SIG_IGN);
  }
  if (::chdir(command.folder.c_str()) != 0) ::_exit(126);
}

namespace {

// `target` as for kill(): the child `pid` or its group.
void end(pid_t target, pid_t pid) {
  ::kill(target, SIGTERM);
  for (int i = 0; i < 50; ++i) {  // half a second to clean up
    if (::waitpid(pid, nullptr, WNOHANG) != 0) {
      if (target == pid) return;  // the number may belong to another process by now
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(target, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

void kill_group(pid_t pid) { end(-pid, pid); }

Child::Child(pid_t pid, Group group, double limit_s) : pid_(pid), group_(group), limit_s_(limit_s) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      group_(other.group_),
      limit_s_(other.limit_s_),
      begun_(other.begun_),
      end_(other.end_),
      status_(other.status_),
      timed_out_(other.timed_out_) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(group_, other.group_);
  std::swap(limit_s_, other.limit_s_);
  std::swap(begun_, other.begun_);
  std::swap(end_, other.end_);
  std::swap(status_, other.status_);
  std::swap(timed_out_, other.timed_out_);
  return *this;
}

Child::~Child() { kill(); }

void Child::kill() {
  if (pid_ < 0) return;
  end(group_ == Group::kOwn ? -pid_ : pid_, pid_);
  pid_ = -1;
}

bool Child::ended() {
  if (end_) return true;
  if (::waitpid(pid_, &status_, WNOHANG) != 0) {
    end_ = Clock::now();
    if (group_ == Group::kOwn) ::kill(-pid_, SIGKILL);  // processes that it may have left behind
    pid_ = -1;
  } else if (wall_s() > limit_s_) {
    end_ = Clock::now();
    timed_out_ = true;
    kill();
  }
  return end_.has_value();
}

double Child::wall_s() const { return std::chrono::duration<double>(end_.value_or(Clock::now()) - begun_).count(); }

void await(Child& child, const std::function<void()>& meanwhile) {
  while (!child.ended()) {
    SignalGuard::check();
    if (meanwhile) meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Ended run(const Command& command, double limit_s, const std::function<void()>& meanwhile) {
  const pid_t pid = start(command);
  Ended ended;
  if (command.interactive) {  // the terminal sends signals to the command directly
    while (::waitpid(pid, &ended.status, 0) < 0 && errno == EINTR) {
    }
    g_signal = 0;
    return ended;
  }
  Child child(pid, Child::Group::kOwn, limit_s);
  await(child, meanwhile);
  return {child.status(), child.timed_out()};
}

}  // namespace strata
