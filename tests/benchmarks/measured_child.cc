// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/benchmarks/measured_child.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "tests/process/process.h"

namespace strata::benchmarks {
namespace {

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

std::runtime_error system_error(const char* what) {
  return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

// `child` receives the writing end of a pipe, and does not return.
Usage measure(const std::function<void(int)>& child) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw system_error("pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t pid = ::fork();
  if (pid < 0) throw system_error("fork");
  if (pid == 0) {
    ::close(ends[0]);
    child(ends[1]);
    ::_exit(125);
  }
  ::close(ends[1]);
  Usage usage;
  std::array<char, 4096> piece{};
  for (ssize_t n; (n = ::read(ends[0], piece.data(), piece.size())) != 0;) {
    if (n > 0) usage.said.append(piece.data(), static_cast<size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  ::close(ends[0]);
  int status = 0;
  rusage used{};
  while (::wait4(pid, &status, 0, &used) < 0) {
    if (errno != EINTR) throw system_error("wait4");
  }
  usage.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  usage.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  usage.peak_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);  // getrusage(2): KiB
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error("a measured process failed, wait status " + std::to_string(status) + ": " + usage.said);
  }
  return usage;
}

}  // namespace

Usage run_in_child(const std::function<std::string()>& body) {
  return measure([&](int out) {
    int code = 0;
    std::string text;
    try {
      text = body();
    } catch (const std::exception& e) {
      text = e.what();
      code = 1;
    }
    for (size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(out, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) ::_exit(124);
      if (n > 0) done += static_cast<size_t>(n);
    }
    ::_exit(code);
  });
}

Usage run_command(const std::vector<std::string>& command) {
  const Ran ran = Process(command).wait();
  if (ran.code != 0) {
    throw std::runtime_error(command.front() + " failed, exit code " + std::to_string(ran.code) + ": " + ran.out);
  }
  return {.wall_s = ran.wall_s, .cpu_s = ran.cpu_s, .peak_bytes = ran.peak_bytes, .said = ran.out};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at((values.size() - 1) / 2);
}

double minimum(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

}  // namespace strata::benchmarks
