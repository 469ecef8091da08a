#include "tests/command/strata_process.h"

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

namespace strata {

namespace fs = std::filesystem;

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

Process::Process(const std::vector<std::string>& command, const Surroundings& surroundings) {
  const std::string out =
      surroundings.standard_output.empty() ? (output_.path() / "out").string() : surroundings.standard_output;
  const std::string err = output_.path() / "err";
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid_ > 0) return;
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const int e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (o < 0 || e < 0 || ::dup2(o, STDOUT_FILENO) < 0 || ::dup2(e, STDERR_FILENO) < 0) ::_exit(125);
  for (const auto& [name, value] : surroundings.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (!surroundings.folder.empty() && ::chdir(surroundings.folder.c_str()) != 0) ::_exit(125);
  if (surroundings.largest_file >= 0) {
    const rlimit limit{static_cast<rlim_t>(surroundings.largest_file), static_cast<rlim_t>(surroundings.largest_file)};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(125);
  }
  for (int number : surroundings.ignored_signals) ::signal(number, SIG_IGN);
  for (int descriptor : surroundings.closed) ::close(descriptor);
  ::execvp(argv[0], argv.data());
  ::_exit(125);
}

Process::~Process() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Ran Process::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + std::strerror(errno));
  }
  pid_ = -1;
  Ran ran;
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
  ran.out = read_text(output_.path() / "out");
  ran.err = read_text(output_.path() / "err");
  return ran;
}

std::vector<std::string> strata_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {built("command/strata")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Ran run_strata(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return Process(strata_command(arguments), surroundings).wait();
}

}  // namespace strata
