// SPDX-License-Identifier: LGPL-2.1-only
// The file of a trace (trace.h), by convention NAME.strace.
//
// It is a line that says `strata trace 1`, a line of JSON (names, groups, where it was recorded), the programs, and 8
// bytes that check all before them (XXH3, the low byte first). A program is the number of its steps, then for each step
// its kind, a byte whose bits say which of the fields below differ from 0, and these fields. Before the programs is,
// for each rank, which of them it runs. Numbers are in base 128 (records/base128.h); amounts that are whole numbers
// too, others are the 8 bytes of a double, the low ones first.
#pragma once

#include <filesystem>
#include <string>

#include "records/trace/trace.h"

namespace strata {

/// The file appears whole or not at all. Throws OutputError.
void write_trace(const std::filesystem::path& file, const Trace& trace);

/// Whether these bytes, the first of a file, begin a trace, of this version or another.
bool is_trace(const std::string& bytes);

/// Throws InputError if the file is not a trace, damaged, cut off or of another version. A trace that comes back can
/// be run: peers, groups, functions and requests are in range, and loops end where a step ends.
Trace read_trace(const std::filesystem::path& file);

}  // namespace strata
