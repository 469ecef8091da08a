// SPDX-License-Identifier: LGPL-2.1-only
// The file of a trace (trace.h), by convention NAME.mpitrace.
//
// It has a line `strata trace 2`, a line of JSON (names, groups, where it was recorded), the length of the machine that
// it carries and this machine (recorded_machine.h), the number of the program that each rank runs, the programs, and a
// checksum of all that in 8 bytes (XXH3, low byte first). A program is the number of its steps, followed by the steps.
// A step is its kind, a byte whose bits say which of its fields differ from 0, and these fields. Whole numbers are in
// base 128 (base/base128.h); other amounts are the 8 bytes of a double, low byte first.
//
// `strata trace 1`, which Strata wrote up to version 0.7.0, has no machine, only its name. It is read too.
#pragma once

#include <filesystem>
#include <string>

#include "records/trace/trace.h"

namespace strata {

/// The file appears whole or not at all. Throws OutputError.
void write_trace(const std::filesystem::path& file, const Trace& trace);

/// The file that the recorder of a program (sim/profile) puts into a trace as Trace::recorded_machine. It is in the
/// folder of the machine's file.
inline constexpr const char* kRecordedMachineFile = "machine.packed";

/// Whether these bytes, the first of a file, begin a trace of any version.
bool is_trace(const std::string& bytes);

/// Throws InputError if the file is not a trace, is damaged or truncated, or has another version. A trace that is
/// returned can be replayed: peers, groups, functions and requests are in range, and loops end where a step ends.
Trace read_trace(const std::filesystem::path& file);

}  // namespace strata
