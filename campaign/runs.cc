// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/runs.h"

#include <sys/wait.h>

#include <system_error>

#include "base/own_file.h"
#include "sim/launcher/scratch.h"

namespace strata::campaign {

Answered ask(const std::vector<std::string>& words) {
  constexpr double kLimit_s = 60;
  const sim::ScratchFolder scratch;
  const Ended ended =
      strata::run({.words = words, .folder = std::filesystem::current_path(), .output = scratch.path()}, kLimit_s);
  return {.code = !ended.timed_out && WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : -1,
          .out = read_whole(scratch.path() / "out"),
          .err = read_whole(scratch.path() / "err")};
}

std::string last_line(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  const std::size_t before = text.find_last_of("\r\n", last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return text.substr(first, last + 1 - first);
}

void forget(const std::filesystem::path& folder, const std::vector<int>& shards) {
  std::error_code ignored;
  for (const int shard : shards) std::filesystem::remove(state_file(folder, shard), ignored);
}

}  // namespace strata::campaign
