// SPDX-License-Identifier: LGPL-2.1-only
#include "records/links.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/csv.h"

namespace strata {
namespace {

constexpr const char* kHeading = "link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation";

}  // namespace

std::string format_links(const std::vector<LinkTraffic>& links) {
  std::string text = std::string(kHeading) + "\n";
  for (const LinkTraffic& l : links) {
    text += fmt::format("{},{},{},{},{:.0f},{},{:.6g}\n", csv_field(l.link), csv_field(l.level), csv_field(l.direction),
                        l.capacity, l.bytes, l.messages, l.utilisation);
  }
  return text;
}

std::vector<LinkTraffic> read_links(const std::filesystem::path& file) {
  CsvReader in(file, kHeading, "the file may be damaged; make it again with `traffic: on`");
  std::vector<LinkTraffic> links;
  while (in.next()) {
    links.push_back({in.text(0), in.text(1), in.text(2), in.number(3), in.number(4),
                     static_cast<long>(in.whole(5, INT64_MAX)), in.number(6)});
  }
  return links;
}

}  // namespace strata
