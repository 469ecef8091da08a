// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/computation_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/input_file.h"
#include "base/own_file.h"
#include "base/whole_file.h"

namespace strata::native {
namespace {

constexpr const char* kBegin = "strata computation 1, ";

std::string first_line(int ranks) { return fmt::format("{}{} rank{}\n", kBegin, ranks, ranks == 1 ? "" : "s"); }

}  // namespace

void collect_computation(const std::filesystem::path& folder, int ranks, const std::filesystem::path& file) {
  std::string all = first_line(ranks);
  for (int r = 0; r < ranks; ++r) {
    const std::filesystem::path part = folder / std::to_string(r);
    const std::string times = std::filesystem::exists(part) ? read_whole(part) : "";
    const std::uint64_t count = times.size() / sizeof(double);
    all.append(reinterpret_cast<const char*>(&count), sizeof count);
    all.append(times, 0, count * sizeof(double));
  }
  write_whole(file, all);
}

void spread_computation(const std::filesystem::path& file, int ranks, const std::filesystem::path& folder) {
  const std::string all = read_input(file, "give a file that `strata exec --compute-file` has written");
  const std::size_t line = all.find('\n');
  if (!all.starts_with(kBegin) || line == std::string::npos)
    throw InputError(file, "has no computation times", "give a file that `strata exec --compute-file` has written");
  if (all.substr(0, line + 1) != first_line(ranks)) {
    const std::string_view whose = std::string_view(all).substr(0, line).substr(std::strlen(kBegin));
    throw InputError(file, fmt::format("has the computation times of {}, and this run has {}", whose, ranks),
                     "give the same -n, or another file");
  }
  std::size_t at = line + 1;
  for (int r = 0; r < ranks; ++r) {
    std::uint64_t count = 0;
    if (all.size() - at < sizeof count) throw InputError(file, "is cut off", "keep the times again");
    std::memcpy(&count, all.data() + at, sizeof count);
    at += sizeof count;
    if (count > (all.size() - at) / sizeof(double)) throw InputError(file, "is cut off", "keep the times again");
    write_whole(folder / std::to_string(r), all.substr(at, count * sizeof(double)));
    at += count * sizeof(double);
  }
}

}  // namespace strata::native
