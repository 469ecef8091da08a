// SPDX-License-Identifier: LGPL-2.1-only
// How a program reports its measurements to the launcher: a line on stdout with @strata followed by JSON. Any MPI
// program can print it, without a library.
//
//   @strata {"metric":"time","value":1.25e-05,"unit":"s"}
//   @strata {"metric":"time","value":1.25e-05,"unit":"s","parameters":{"bytes":1024}}   adds to the point's parameters
#pragma once

#include <cstdio>
#include <string>

#include "records/exchange/exchanged_words.h"

namespace strata::programs {

inline void report(const char* metric, double value, const char* unit, const std::string& parameters = "") {
  std::printf("%s{\"metric\":\"%s\",\"value\":%.17g,\"unit\":\"%s\"%s%s%s}\n", words::kMark, metric, value, unit,
              parameters.empty() ? "" : ",\"parameters\":{", parameters.c_str(), parameters.empty() ? "" : "}");
  std::fflush(stdout);
}

}  // namespace strata::programs
