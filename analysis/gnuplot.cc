// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/output_error.h"
#include "base/own_file.h"
#include "base/whole_file.h"

namespace strata::analysis {
namespace {

// A temporary folder that the destructor removes.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code none;
    std::filesystem::path base = std::filesystem::temp_directory_path(none);
    if (none) base = "/tmp";
    path_ = (base / "strata-plot-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) {
      throw OutputError(path_, std::string("cannot be made: ") + std::strerror(errno),
                        "set TMPDIR to a folder with space");
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

// gnuplot echoes the faulty line and a caret before the message, so prefer the line with the message.
std::string first_complaint(const std::string& text) {
  std::istringstream in(text);
  std::string first, line;
  while (std::getline(in, line)) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.find("warning:") != std::string::npos) continue;
    const size_t number = line.find("\" line ");
    if (number != std::string::npos) return line.substr(number + 2);
    if (first.empty()) first = line.substr(begin);
  }
  return first.empty() ? "it said nothing" : first;
}

// This process' environment without the locale, which would change the format of numbers, and without gnuplot's own
// variables.
std::vector<std::string> plain_environment() {
  std::vector<std::string> kept = {"LC_ALL=C"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view e = *entry;
    if (!e.starts_with("LC_") && !e.starts_with("LANG") && !e.starts_with("GNUPLOT") && !e.starts_with("GNUTERM")) {
      kept.emplace_back(e);
    }
  }
  return kept;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string run_gnuplot(const std::string& name, const std::string& script, const std::string& program) {
  const TemporaryFolder folder;
  const std::string input = folder.path() / "plot.gp";
  const std::string output = folder.path() / "out";
  const std::string errors = folder.path() / "err";
  {
    std::ofstream out(input, std::ios::binary);
    out << script;
    out.flush();
    if (!out) throw OutputError(input, "cannot be written", "set TMPDIR to a folder with space");
  }
  std::vector<std::string> words = {program, "-d", input};
  std::vector<std::string> environment = plain_environment();
  const std::string where = fmt::format("plot '{}' ({} -d plot.gp)", name, program);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int refused = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers_to(words).data(),
                                     pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) {
    throw OutputError(where, std::string("cannot be started: ") + std::strerror(refused),
                      "install Debian's gnuplot-nox");
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw OutputError(where, std::string("cannot be waited for: ") + std::strerror(errno), "try again");
  }
  if (WIFSIGNALED(status)) {
    throw OutputError(where, fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status))),
                      "the records are not touched; try `strata report` again");
  }
  if (WEXITSTATUS(status) != 0) {
    throw OutputError(where, fmt::format("exit code {}: {}", WEXITSTATUS(status), first_complaint(read_whole(errors))),
                      "the records are not touched");
  }
  return read_whole(output);
}

std::string gnuplot_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "'";
}

std::string gnuplot_ticks(const AxisTicks& axis) {
  std::vector<std::string> entries;
  // gnuplot uses tick labels as printf formats.
  const auto label = [](std::string text) {
    for (size_t at = 0; (at = text.find('%', at)) != std::string::npos; at += 2) text.insert(at, 1, '%');
    return gnuplot_text(text);
  };
  for (const Tick& t : axis.ticks) {
    entries.push_back(fmt::format("{} {:.17g} {}", label(t.label), t.value, t.major ? 0 : 1));
  }
  return fmt::format("({})", fmt::join(entries, ", "));
}

void draw_svg(const std::string& name, const std::string& script, const std::filesystem::path& file,
              const std::string& program) {
  const std::string svg = run_gnuplot(name, script, program);
  if (svg.rfind("</svg>") == std::string::npos) {
    throw OutputError("plot '" + name + "'", program + " wrote no whole SVG", "is there space in TMPDIR?");
  }
  write_whole(file, svg);
}

}  // namespace strata::analysis
