// SPDX-License-Identifier: LGPL-2.1-only
#include "records/seconds.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/whole_file.h"
#include "records/folder.h"

namespace strata {
namespace {

constexpr const char* kHeading = "point,seconds";

std::string row_of(int point, double seconds) { return fmt::format("{},{:.6g}\n", point, seconds); }

// Parses "1,2.75".
bool read_row(const std::string& line, int& point, double& seconds) {
  const char* end = line.data() + line.size();
  const auto [comma, bad_point] = std::from_chars(line.data(), end, point);
  if (bad_point != std::errc() || point < 0 || comma == end || *comma != ',') return false;
  const auto [last, bad_seconds] = std::from_chars(comma + 1, end, seconds);
  return bad_seconds == std::errc() && last == end && std::isfinite(seconds) && seconds >= 0;
}

}  // namespace

std::map<int, double> read_seconds(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kSecondsFile;
  std::ifstream in(file, std::ios::binary);
  std::map<int, double> all;
  std::string line;
  for (int number = 1; std::getline(in, line) && !in.eof(); ++number) {  // eof: no line feed, cut off
    int point = 0;
    double seconds = 0;
    if (number == 1 ? line != kHeading : !read_row(line, point, seconds)) {
      throw InputError(file.string() + ":" + std::to_string(number), "is not '" + std::string(kHeading) + "'",
                       "remove the file; only --balance needs it");
    }
    if (number > 1) all[point] = seconds;
  }
  return all;
}

void write_seconds(const std::filesystem::path& folder, const std::map<int, double>& seconds) {
  std::string text = std::string(kHeading) + "\n";
  for (const auto& [point, value] : seconds) text += row_of(point, value);
  write_whole(folder / kSecondsFile, text);
}

SecondsWriter::SecondsWriter(const std::filesystem::path& folder)
    : out_(folder / kSecondsFile, std::ios::binary | std::ios::app) {}

void SecondsWriter::append(int point, double seconds) { out_ << row_of(point, seconds) << std::flush; }

}  // namespace strata
