// SPDX-License-Identifier: LGPL-2.1-only
#include "records/samples.h"

#include <fmt/format.h>

#include "base/csv.h"

namespace strata {

std::string format_sample(const LinkSample& s) {
  return fmt::format("{:.12g},{},{},{:.0f}\n", s.until_s, csv_field(s.link), csv_field(s.direction), s.bytes);
}

std::vector<LinkSample> read_samples(const std::filesystem::path& file) {
  CsvReader in(file, kSamplesHeading, "the file may be damaged; make it again with a period as `traffic: 10 ms`");
  std::vector<LinkSample> samples;
  while (in.next()) samples.push_back({in.number(0), in.text(1), in.text(2), in.number(3)});
  return samples;
}

}  // namespace strata
