// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/workers.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/error.h"
#include "base/system_error.h"
#include "sim/launcher/diagnosis.h"

namespace strata::sim {
namespace {

using Clock = std::chrono::steady_clock;

// Sent before the text of an answer.
struct Header {
  std::uint64_t bytes = 0;
  std::uint8_t failed = 0, bad_usage = 0;
};

bool write_all(int to, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::send(to, at, count, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int from, void* bytes, std::size_t count) {
  char* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::read(from, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

Answer answer_of(const std::function<std::string(std::size_t)>& calculate, std::size_t i) {
  try {
    return {.text = calculate(i), .failure = ""};
  } catch (const InputError& e) {
    return {.text = "", .failure = e.what(), .bad_usage = true};
  } catch (const std::exception& e) {
    return {.text = "", .failure = e.what()};
  }
}

// The main loop of a worker: it reads numbers and writes answers.
[[noreturn]] void work(int socket, const std::function<std::string(std::size_t)>& calculate) {
  std::uint64_t i = 0;
  while (read_all(socket, &i, sizeof i)) {
    const Answer answer = answer_of(calculate, i);
    const std::string& text = answer.failure.empty() ? answer.text : answer.failure;
    const Header header{text.size(), static_cast<std::uint8_t>(!answer.failure.empty()),
                        static_cast<std::uint8_t>(answer.bad_usage)};
    if (!write_all(socket, &header, sizeof header) || !write_all(socket, text.data(), text.size())) break;
  }
  ::_exit(0);
}

class Worker {
 public:
  /// `others`: sockets of earlier workers, which this one must not keep open.
  Worker(const std::function<std::string(std::size_t)>& calculate, const std::vector<int>& others) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw SystemError("socketpair", errno);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
      const int error = errno;
      ::close(ends[0]);
      ::close(ends[1]);
      throw SystemError("fork", error);
    }
    if (pid_ == 0) {
      // A terminal and timeout(1) send signals to the whole process group. We stop our workers ourselves.
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(0);
      ::close(ends[0]);
      for (const int other : others) ::close(other);
      work(ends[1], calculate);
    }
    ::close(ends[1]);
    socket_ = ends[0];
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  Worker(Worker&& other) noexcept
      : task(other.task),
        started(other.started),
        pid_(std::exchange(other.pid_, -1)),
        socket_(std::exchange(other.socket_, -1)) {}
  Worker& operator=(Worker&& other) noexcept {
    std::swap(task, other.task);
    std::swap(started, other.started);
    std::swap(pid_, other.pid_);
    std::swap(socket_, other.socket_);
    return *this;
  }
  ~Worker() {
    stop();
    if (socket_ >= 0) ::close(socket_);
  }
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);  // safe, because it writes no files
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }

  int socket() const { return socket_; }
  bool idle() const { return task == kNone; }
  /// Returns false if the worker has died.
  bool give(std::size_t i) {
    task = i;
    started = Clock::now();
    const std::uint64_t number = i;
    return write_all(socket_, &number, sizeof number);
  }
  /// Reads its answer. The socket must have become readable.
  Answer take() {
    Header header;
    std::string text;
    if (read_all(socket_, &header, sizeof header)) {
      text.resize(header.bytes);
      if (read_all(socket_, text.data(), text.size())) {
        if (header.failed == 0) return {.text = std::move(text), .failure = ""};
        return {.text = "", .failure = std::move(text), .bad_usage = header.bad_usage != 0};
      }
    }
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    if (WIFSIGNALED(status)) {
      return {.text = "",
              .failure = fmt::format("the process that calculated it was killed by signal {} ({}){}", WTERMSIG(status),
                                     ::strsignal(WTERMSIG(status)),
                                     WTERMSIG(status) == SIGKILL ? ": most often memory has run out" : "")};
    }
    return {.text = "", .failure = "the process that calculated it ended early"};
  }
  bool is_dead() const { return pid_ <= 0; }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t task = kNone;
  Clock::time_point started;

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace

void run_in_workers(std::size_t count, int workers, double limit_s,
                    const std::function<std::string(std::size_t)>& calculate,
                    const std::function<bool(std::size_t, const Answer&)>& done) {
  constexpr int kLook = 100;  // ms between checks of the clock and for signals
  std::vector<Worker> all;
  const auto add = [&] {
    std::vector<int> sockets;
    for (const Worker& w : all) sockets.push_back(w.socket());
    all.emplace_back(calculate, sockets);
  };
  const std::size_t most = std::min(count, static_cast<std::size_t>(std::max(workers, 1)));
  std::size_t next = 0, ended = 0;
  while (ended < count) {
    SignalGuard::check();
    std::erase_if(all, [](const Worker& w) { return w.is_dead(); });
    while (all.size() < most && next < count) add();
    std::vector<pollfd> waiting;
    for (Worker& w : all) {
      if (w.idle() && next < count) w.give(next++);
      waiting.push_back({w.socket(), POLLIN, 0});
    }
    if (::poll(waiting.data(), waiting.size(), kLook) < 0 && errno != EINTR) throw SystemError("poll", errno);
    for (std::size_t k = 0; k < all.size(); ++k) {
      Worker& w = all[k];
      if (w.idle()) continue;
      const double age_s = std::chrono::duration<double>(Clock::now() - w.started).count();
      Answer answer;
      if (waiting[k].revents != 0) {
        answer = w.take();
      } else if (age_s > limit_s) {
        answer.failure = no_end_after(limit_s);
        w.stop();
      } else {
        continue;
      }
      answer.wall_s = age_s;
      const std::size_t task = std::exchange(w.task, Worker::kNone);
      ++ended;
      // The worker continues while its answer is processed.
      if (!w.is_dead() && next < count) w.give(next++);
      if (!done(task, answer)) return;
    }
  }
}

}  // namespace strata::sim
