// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace strata {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kCannotStart = 126, kNoSuchProgram = 127;  // the exit codes of a shell
constexpr std::chrono::milliseconds kPoll(5);
constexpr std::chrono::seconds kGrace(2);  // launchers end their child processes on SIGTERM

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

// The child's environment as "NAME=VALUE".
std::vector<std::string> variables_of(const Surroundings& s) {
  std::map<std::string, std::string> variables = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
  if (!s.bare) {
    variables.clear();
    for (char** v = environ; *v != nullptr; ++v) {
      const std::string text = *v;
      const size_t equals = text.find('=');
      if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
    }
  }
  for (const auto& [name, value] : s.environment) variables[name] = value;
  std::vector<std::string> list;
  for (const auto& [name, value] : variables) list.push_back(name + "=" + value);
  return list;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Called in the child: sets files, folder, limits and signals. Returns false if one of them fails.
bool prepare(const Surroundings& s, const std::string& in, const std::string& out, const std::string& err) {
  if (s.limit_s > 0) ::setpgid(0, 0);
  const int i = ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const int e = s.merged ? o : ::open(err.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (i < 0 || o < 0 || e < 0) return false;
  if (::dup2(i, STDIN_FILENO) < 0 || ::dup2(o, STDOUT_FILENO) < 0 || ::dup2(e, STDERR_FILENO) < 0) return false;
  if (!s.folder.empty() && ::chdir(s.folder.c_str()) != 0) return false;
  if (s.largest_file >= 0) {
    const rlimit limit{static_cast<rlim_t>(s.largest_file), static_cast<rlim_t>(s.largest_file)};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
  }
  for (int number : s.ignored_signals) ::signal(number, SIG_IGN);
  for (int descriptor : s.closed) ::close(descriptor);
  return true;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string pattern = std::string(base == nullptr ? "/tmp" : base) + "/strata-test-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error(pattern + ": " + std::strerror(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream out(path_ / name, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error((path_ / name).string() + " cannot be written");
  return path_ / name;
}

std::string built(const std::string& path) {
  const char* runfiles = std::getenv("TEST_SRCDIR");
  if (runfiles == nullptr) throw std::runtime_error("TEST_SRCDIR is not set: run this test with `bazel test`");
  return std::string(runfiles) + "/strata/" + path;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Process::Process(const std::vector<std::string>& command, const Surroundings& surroundings)
    : start_(Clock::now()), limit_s_(surroundings.limit_s) {
  const std::string in = surroundings.input.empty() ? "/dev/null" : output_.write("in", surroundings.input);
  const std::string out =
      surroundings.standard_output.empty() ? (output_.path() / "out").string() : surroundings.standard_output;
  const std::string err = output_.path() / "err";
  const std::vector<std::string> variables = variables_of(surroundings);
  const std::vector<char*> argv = pointers_to(command), envp = pointers_to(variables);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid_ == 0) {
    if (!prepare(surroundings, in, out, err)) ::_exit(kCannotStart);
    ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(kNoSuchProgram);
  }
  if (limit_s_ > 0) ::setpgid(pid_, pid_);  // in both processes, because either may run first
}

void Process::kill(int signal) const { ::kill(limit_s_ > 0 ? -pid_ : pid_, signal); }

Process::~Process() {
  if (pid_ < 0) return;
  kill(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Ran Process::wait() {
  Ran ran;
  int status = 0;
  rusage used{};
  Clock::time_point end = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s_));
  while (true) {
    const pid_t ended = ::wait4(pid_, &status, limit_s_ > 0 ? WNOHANG : 0, &used);
    if (ended == pid_) break;
    if (ended < 0 && errno != EINTR) throw std::runtime_error(std::string("wait4: ") + std::strerror(errno));
    if (limit_s_ > 0) std::this_thread::sleep_for(kPoll);
    if (limit_s_ > 0 && Clock::now() > end) {
      kill(ran.timed_out ? SIGKILL : SIGTERM);
      ran.timed_out = true;
      end = Clock::now() + kGrace;
    }
  }
  if (limit_s_ > 0) kill(SIGKILL);  // the rest of its group
  pid_ = -1;
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
  ran.out = read_text(output_.path() / "out");
  ran.err = read_text(output_.path() / "err");
  ran.wall_s = std::chrono::duration<double>(Clock::now() - start_).count();
  ran.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  ran.peak_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);  // getrusage(2): KiB
  return ran;
}

}  // namespace strata
