// SPDX-License-Identifier: LGPL-2.1-only
// How a program tells the launcher what it measured: a line on stdout that begins with @strata and goes on with JSON.
// Any MPI program can print it; no library is needed.
//
//   @strata {"metric":"time","value":1.25e-05,"unit":"s"}
//   @strata {"metric":"time","value":1.25e-05,"unit":"s","parameters":{"bytes":1024}}   adds to the point's parameters
#pragma once

#include <cstdio>
#include <string>

#include "records/exchange/words.h"

namespace strata::programs {

inline void report(const char* metric, double value, const char* unit, const std::string& parameters = "") {
  std::printf("%s{\"metric\":\"%s\",\"value\":%.17g,\"unit\":\"%s\"%s%s%s}\n", words::kMark, metric, value, unit,
              parameters.empty() ? "" : ",\"parameters\":{", parameters.c_str(), parameters.empty() ? "" : "}");
  std::fflush(stdout);
}

}  // namespace strata::programs
