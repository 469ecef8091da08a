// SPDX-License-Identifier: LGPL-2.1-only
// Measurements as lines of text for comparisons, and the notes and errors of a reader.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "calibration/measured_number.h"
#include "tests/process/process.h"

namespace strata::calibration {

inline const std::string kSamples = "tests/calibration/data/";

using Lines = std::vector<std::string>;

/// In the order of Operation.
inline constexpr std::array<std::string_view, 16> kOperationNames = {
    "ping-pong", "one way", "both ways", "rate",      "send overhead", "receive overhead", "copy", "triad",
    "daxpy",     "bcast",   "allreduce", "allgather", "alltoall",      "reduce",           "ring", "exchange"};

/// For example "ping-pong Package 1024 B x1 1.27e-06 osu_latency.txt:9", with as many digits as the value needs.
inline Lines measurements_of(const Reading& reading) {
  Lines lines;
  for (const Measurement& m : reading.measurements) {
    lines.push_back(fmt::format("{}{}{} {} B x{} {:.10g} {}", kOperationNames.at(static_cast<std::size_t>(m.operation)),
                                m.level.empty() ? "" : " ", m.level, m.bytes, m.at_once, m.value, m.source));
  }
  return lines;
}

/// The notes, beginning with the file's name.
inline Lines notes_of(const Reading& reading) {
  Lines notes;
  for (const std::string& note : reading.notes) notes.push_back(note.substr(note.find("/f:") + 1));
  return notes;
}

/// Reads a text as the file `f`.
template <class Read>
Reading read_as(const std::string& text, const Read& read) {
  const TemporaryFolder folder;
  return read(folder.write("f", text));
}

/// The InputError for a text in the file `f`, beginning with the file's name.
template <class Read>
std::string refusal_of(const std::string& text, const Read& read) {
  try {
    read_as(text, read);
  } catch (const InputError& e) {
    const std::string what = e.what();
    return what.substr(what.find("/f:") + 1);
  }
  return "no error";
}

}  // namespace strata::calibration
