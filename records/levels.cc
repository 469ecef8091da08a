// SPDX-License-Identifier: LGPL-2.1-only
#include "records/levels.h"

#include <fmt/format.h>

#include "base/csv.h"

namespace strata {
namespace {

constexpr const char* kHeading = "level,messages,bytes";

}  // namespace

std::string format_levels(const std::vector<LevelMessages>& levels) {
  std::string text = std::string(kHeading) + "\n";
  for (const LevelMessages& l : levels) text += fmt::format("{},{},{}\n", csv_field(l.level), l.messages, l.bytes);
  return text;
}

std::vector<LevelMessages> read_levels(const std::filesystem::path& file) {
  CsvReader in(file, kHeading, "the file may be damaged; run the program again");
  std::vector<LevelMessages> levels;
  while (in.next()) levels.push_back({in.text(0), in.whole(1), in.whole(2)});
  return levels;
}

}  // namespace strata
