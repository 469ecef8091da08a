// Runs the built `strata` as a user does: a process with arguments, and what it prints and returns.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace strata {

/// A folder that is removed at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// A file of the build, by its path in the workspace.
std::string built(const std::string& path);

std::string read_text(const std::filesystem::path& file);
/// Lines without their ends; text after the last line feed is one more.
std::vector<std::string> lines_of(const std::string& text);

/// How a process is started, where it is not as usual.
struct Surroundings {
  std::map<std::string, std::string> environment;  // added to ours
  std::filesystem::path folder;                    // working directory
  std::string standard_output;                     // file for stdout instead of capturing it: "/dev/full"
  long largest_file = -1;                          // B; larger files fail as on a full disk (RLIMIT_FSIZE)
  std::vector<int> closed;                         // descriptors
  std::vector<int> ignored_signals;
};

struct Ran {
  int code = -1;    // exit code; -1 where a signal ended it
  int signal = 0;   // that signal
  std::string out;  // stdout
  std::string err;  // stderr
};

/// A running process. One that is still there at the end of the scope is killed.
class Process {
 public:
  Process(const std::vector<std::string>& command, const Surroundings& surroundings = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t pid() const { return pid_; }
  Ran wait();

 private:
  TemporaryFolder output_;
  pid_t pid_ = -1;
};

/// The command line of `strata` with these arguments.
std::vector<std::string> strata_command(const std::vector<std::string>& arguments);

Ran run_strata(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

}  // namespace strata
