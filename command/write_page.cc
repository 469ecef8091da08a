// SPDX-License-Identifier: LGPL-2.1-only
#include "command/write_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/format.h"
#include "analysis/page/page.h"
#include "analysis/page/study_json.h"
#include "base/error.h"
#include "models/crosscheck.h"

namespace strata::command {
namespace {

// The command line of this process, from Linux's /proc, because only the parsed options are available here.
std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  if (!words.empty()) words.front() = "strata";
  return words;
}

}  // namespace

bool write_study_page(const std::filesystem::path& file, const std::vector<Results>& runs,
                      const std::vector<int>& points) {
  bool all_agree = true;
  std::vector<Json> documents;
  for (const Results& run : runs) {
    const std::vector<models::CheckRow> checks = models::cross_check(run);
    all_agree = all_agree && std::none_of(checks.begin(), checks.end(), [](const models::CheckRow& row) {
                  return row.verdict == models::Verdict::kDisagrees;
                });
    documents.push_back(
        analysis::study_json(run, checks, {.points = points, .room = analysis::kRoomForPoints / runs.size()}));
  }
  analysis::write_page(file, std::move(documents), analysis::shell_text(command_line()));
  fmt::print("{}\n", file.string());
  return all_agree;
}

void write_program_page(const std::filesystem::path& file, analysis::ProgramPage page) {
  page.command_line = command_line();
  const auto write = [&] {
    analysis::write_page(file, {analysis::program_json(page)}, "");
    std::fprintf(stderr, "strata: wrote %s\n", file.c_str());
  };
  if (page.failure.empty()) return write();
  try {
    write();
  } catch (const InputError& e) {  // the simulator did not complete its files
    std::fprintf(stderr, "strata: no page was written: %s\n", e.what());
  }
}

}  // namespace strata::command
