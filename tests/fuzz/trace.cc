// SPDX-License-Identifier: LGPL-2.1-only
// Traces. The input has no checksum, which a fuzzer could not guess; it is added here.
#include <xxhash.h>

#include <cstdlib>

#include "base/error.h"
#include "records/trace/fold.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "tests/fuzz/fuzz.h"

namespace {

// The number of steps after all loops are unfolded.
double unfolded_length(const strata::TraceStep* from, const strata::TraceStep* to) {
  double length = 0;
  for (; from != to; ++from) {
    if (from->kind != strata::TraceStep::Kind::kRepeat) {
      ++length;
      continue;
    }
    length += from->amount * unfolded_length(from + 1, from + 1 + from->number);
    from += from->number;
  }
  return length;
}

}  // namespace

void strata::fuzz::read_input(const std::string& bytes) {
  std::string whole = bytes;
  const auto check = XXH3_64bits(bytes.data(), bytes.size());
  for (int shift = 0; shift < 64; shift += 8) whole += static_cast<char>(check >> shift);
  const InputFile file(whole);
  const Trace trace = read_trace(file.path());
  if (!trace.recorded_machine.empty()) {
    try {
      unpack(trace.recorded_machine, "trace");
    } catch (const InputError&) {  // the steps are of interest all the same
    }
  }
  constexpr double kLong = 1e5;  // steps
  for (const auto& steps : trace.ranks) {
    const double length = unfolded_length(steps->data(), steps->data() + steps->size());
    if (length < kLong && static_cast<double>(unfold(*steps).size()) != length) std::abort();
  }
}
