// SPDX-License-Identifier: LGPL-2.1-only
// samples.csv in a point's traffic folder, if the scenario gives a period: the bytes on each link in each period of
// simulated time. Periods without bytes on a link have no row.
//
//   until_s,link,direction,bytes
//   0.01,node0.core0,up,5000
//   0.02,node0.core0,up,65536
//
// The platform plugin writes it while the simulation runs. A row belongs to the period that ends at `until_s`; the last
// period may be shorter, because the simulation ended.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

struct LinkSample {
  double until_s = 0;           // simulated
  std::string link, direction;  // as in links.csv
  double bytes = 0;             // whole; above 0

  bool operator==(const LinkSample&) const = default;
};

inline constexpr const char* kSamplesFile = "samples.csv";
inline constexpr const char* kSamplesHeading = "until_s,link,direction,bytes";

/// A row with its line feed. The time has twelve digits.
std::string format_sample(const LinkSample& sample);

/// Throws InputError with file, line and remedy if the file is damaged.
std::vector<LinkSample> read_samples(const std::filesystem::path& file);

}  // namespace strata
