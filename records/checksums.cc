// SPDX-License-Identifier: LGPL-2.1-only
#include "records/checksums.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.h"

namespace strata {
namespace {

constexpr const char* kHeading = "point,checksum";
constexpr std::size_t kDigits = 16;

std::string row_of(int point, std::uint64_t checksum) { return fmt::format("{},{:016x}\n", point, checksum); }

// Parses "1,5f0c6a1b3d2e4f77".
bool read_row(const std::string& line, int& point, std::uint64_t& checksum) {
  const char* end = line.data() + line.size();
  const auto [comma, bad_point] = std::from_chars(line.data(), end, point);
  if (bad_point != std::errc() || point < 0 || end - comma != kDigits + 1 || *comma != ',') return false;
  const auto [last, bad_checksum] = std::from_chars(comma + 1, end, checksum, 16);
  return bad_checksum == std::errc() && last == end;
}

}  // namespace

std::uint64_t checksum_of(std::string_view lines) { return XXH3_64bits(lines.data(), lines.size()); }

std::uint64_t checksum_of(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) lines += format_record(r) + "\n";
  return checksum_of(lines);
}

std::map<int, std::uint64_t> checksums_by_point(const std::vector<Record>& records) {
  std::map<int, std::vector<Record>> by_point;
  for (const Record& r : records) by_point[r.point].push_back(r);
  std::map<int, std::uint64_t> checksums;
  for (const auto& [point, its] : by_point) checksums[point] = checksum_of(its);
  return checksums;
}

std::optional<std::map<int, std::uint64_t>> read_checksums(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kChecksumsFile;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string(), std::strerror(errno), "copy the shard's folder again, whole");
  std::map<int, std::uint64_t> all;
  std::string line;
  for (int number = 1; std::getline(in, line) && !in.eof(); ++number) {  // eof: no line feed, cut off
    int point = 0;
    std::uint64_t checksum = 0;
    if (number == 1 ? line != kHeading : !read_row(line, point, checksum)) {
      throw InputError(file.string() + ":" + std::to_string(number), "is not '" + std::string(kHeading) + "'",
                       "copy the shard's folder again, whole, or remove the file");
    }
    if (number > 1) all[point] = checksum;
  }
  return all;
}

void write_checksums(const std::filesystem::path& folder, const std::map<int, std::uint64_t>& checksums) {
  std::string text = std::string(kHeading) + "\n";
  for (const auto& [point, checksum] : checksums) text += row_of(point, checksum);
  write_whole(folder / kChecksumsFile, text);
}

ChecksumWriter::ChecksumWriter(const std::filesystem::path& folder)
    : file_(folder / kChecksumsFile), descriptor_(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {
  if (!descriptor_.is_open()) fail_write(file_, "cannot be opened");
}

void ChecksumWriter::append(int point, std::uint64_t checksum) {
  write_all(descriptor_, row_of(point, checksum), file_);
}

}  // namespace strata
