// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/source_lines.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/child.h"
#include "base/own_file.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr double kLimitSeconds = 20;  // of wall time for addr2line, which is slow for large programs

using Lines = std::map<unsigned long, std::string>;

// The lines of these offsets; those that are not known are missing.
Lines lines_of(const std::string& file, const std::set<unsigned long>& offsets, const fs::path& folder) {
  std::vector<std::string> words = {"addr2line", "-s", "-e", file};
  // The call ends before the place to which it returns.
  for (const unsigned long offset : offsets) words.push_back(fmt::format("{:#x}", offset - 1));
  run({.words = words, .folder = folder}, kLimitSeconds);
  std::istringstream out(read_whole(folder / "out"));
  Lines lines;
  auto offset = offsets.begin();
  for (std::string line; std::getline(out, line) && offset != offsets.end(); ++offset) {
    const std::string place = line.substr(0, line.find(' '));
    if (!place.starts_with("??") && !place.ends_with(":?") && !place.ends_with(":0")) lines[*offset] = place;
  }
  return lines;
}

}  // namespace

void locate(std::vector<Finding>& findings, const fs::path& program, const fs::path& folder) {
  std::map<std::string, std::set<unsigned long>> offsets;
  std::vector<FoundCall*> calls;
  for (Finding& finding : findings) {
    calls.push_back(&finding.call);
    for (FoundCall& other : finding.others) calls.push_back(&other);
  }
  for (const FoundCall* call : calls) {
    if (call->at.offset != 0) offsets[call->at.file].insert(call->at.offset);
  }
  std::map<std::string, Lines> lines;
  for (const auto& [file, of_file] : offsets)
    lines[file] = lines_of(file.empty() ? program.string() : file, of_file, folder);
  for (FoundCall* call : calls) {
    const Lines& known = lines[call->at.file];
    if (const auto line = known.find(call->at.offset); line != known.end()) call->location = line->second;
  }
}

}  // namespace strata::sim
