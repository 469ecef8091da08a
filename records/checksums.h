// SPDX-License-Identifier: LGPL-2.1-only
// checksums.csv in the folder of a shard: a checksum of the records of each point (XXH3, 64 bits, hexadecimal), so that
// records that were damaged or changed after they were written, for example by a copy, are noticed.
//
//   point,checksum
//   0,5f0c6a1b3d2e4f77
//   2,00a41c9be0d35582
//
// During a run, a row is appended before the point's records. So each point that has records has its row, even if the
// run is killed. At the end the rows are sorted by point.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/whole_file.h"
#include "records/record.h"

namespace strata {

inline constexpr const char* kChecksumsFile = "checksums.csv";

/// The checksum of the lines of a point in records.jsonl, with their line feeds.
std::uint64_t checksum_of(std::string_view lines);
/// The same for records that are not written yet.
std::uint64_t checksum_of(const std::vector<Record>& records);

/// By point, of records in the order of records.jsonl.
std::map<int, std::uint64_t> checksums_by_point(const std::vector<Record>& records);

/// By point; nothing if the file does not exist: an older version made the shard, or the file was lost in a copy. The
/// last row of a point counts; a row that was cut off by a kill does not. Throws InputError if the file is damaged.
std::optional<std::map<int, std::uint64_t>> read_checksums(const std::filesystem::path& folder);

/// Writes the file completely or not at all. Throws OutputError.
void write_checksums(const std::filesystem::path& folder, const std::map<int, std::uint64_t>& checksums);

/// Appends rows to a file that write_checksums has written. Throws OutputError.
class ChecksumWriter {
 public:
  explicit ChecksumWriter(const std::filesystem::path& folder);
  void append(int point, std::uint64_t checksum);

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
};

}  // namespace strata
