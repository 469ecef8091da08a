// SPDX-License-Identifier: LGPL-2.1-only
// Paths in a results folder. record.h describes the files.
//
//   manifest.json, records.jsonl, machine.yaml, node.xml, fabric.txt, bindings.txt
//   seconds.csv                                seconds.h: not a result
//   output/point-3.out, output/point-3.err     output of the program
//   output/build.out, output/build.err         output of the command that built it
//   traces/point-3.paje, traces/point-3.events records/paje.h, records/events.h
//   recordings/cg-5f0c6a1b3d2e4f77.mpitrace      trace/trace_file.h, for a run with `engine: replay`
//   traffic/point-3/links.csv, ...             records/links.h, samples.h, messages.h, matrix/matrix_market.h
#pragma once

#include <string>

namespace strata {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kRecordsFile = "records.jsonl";
inline constexpr const char* kSecondsFile = "seconds.csv";
inline constexpr const char* kOutputFolder = "output";
inline constexpr const char* kBuildOutput = "output/build";  // without ".out" or ".err"
inline constexpr const char* kTracesFolder = "traces";
inline constexpr const char* kRecordingsFolder = "recordings";

/// Paths in the folder for a point, by its number. output_path() is without ".out" or ".err".
inline std::string output_path(int point) { return std::string(kOutputFolder) + "/point-" + std::to_string(point); }
inline std::string trace_path(int point) {
  return std::string(kTracesFolder) + "/point-" + std::to_string(point) + ".paje";
}
inline std::string events_path(int point) {
  return std::string(kTracesFolder) + "/point-" + std::to_string(point) + ".events";
}
inline std::string traffic_path(int point) { return "traffic/point-" + std::to_string(point); }

}  // namespace strata
