// SPDX-License-Identifier: LGPL-2.1-only
// A mistake of an MPI program that the checks of one simulation have found (mpi_ext/preload/checks). The simulator
// writes one JSON object per line into the file that STRATA_FINDINGS names, as soon as it finds it, because the run may
// hang or crash afterwards:
//
//   {"class":"matching","check":"root","rank":1,"function":"MPI_Bcast","at":{"file":"","offset":4660},
//    "text":"its root is 0","others":[{"rank":0,"function":"MPI_Bcast","at":...,"text":"its root is 1"}],
//    "rule":"the ranks of a communicator must give the same root","source":"MPI 4.1, Section 6.4"}
//
// `strata exec --check` and `strata check --program` read it, and find the source lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

/// A place in a program's machine code: the file and the offset in it of the instruction after the call.
struct CodePlace {
  std::string file = {};     // "": the program itself
  unsigned long offset = 0;  // 0: unknown
  bool operator==(const CodePlace&) const = default;
};

/// A call of an MPI function.
struct FoundCall {
  int rank = 0;  // in MPI_COMM_WORLD
  std::string function;
  CodePlace at = {};
  std::string text;           // what it says or does: "its root is 1"
  std::string location = {};  // "bcast.c:12", once it has been looked up; not in the file
};

struct Finding {
  std::string kind;                    // of kFindingKinds: the JSON's "class"
  std::string check;                   // one word or a few with hyphens: "root", "request-leak"
  FoundCall call;                      // the call that is wrong, or at which it was noticed
  std::vector<FoundCall> others = {};  // the other call of a mismatch; where a handle was made
  std::string rule;                    // what would be right
  std::string source;                  // of the rule: "MPI 4.1, Section 6.4"
};

/// The classes of findings.
inline constexpr const char* kFindingKinds[] = {"argument", "leak", "lifecycle", "matching", "buffer", "epoch", "race"};

/// The environment variable of the simulator that names the file.
inline constexpr const char* kFindingsVariable = "STRATA_FINDINGS";

/// The finding as a line of the file, with the end of the line.
std::string line_of(const Finding& finding);

/// The findings in the file, in order; none if there is no file. A line that is not complete, because the simulator
/// crashed, is left out. Throws InputError for damaged lines.
std::vector<Finding> read_findings(const std::filesystem::path& file);

}  // namespace strata
