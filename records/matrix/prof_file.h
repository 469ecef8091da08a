// SPDX-License-Identifier: LGPL-2.1-only
// A profile (.prof), as written by Open MPI's monitoring: what each process sent to each other process, with one line
// for each kind and pair.
//
//   # 8 processes
//   # POINT TO POINT
//   E	0	1	108 bytes	27 msgs sent
//   I	0	2	8 bytes	2 msgs sent
//   D	MPI_COMM_WORLD	procs: 0,1,2,3,4,5,6,7
//
// Kinds are E (the program's own messages), I (parts of collectives), C (calls of collectives), S (one-sided) and R:
// bytes that the first process reads from the second one's memory, so they go from the second to the first. "# 8
// processes" is the number of processes; without it, the highest rank in the file determines the number, including
// ranks in lines of communicators (D). Open MPI's own files have a histogram of sizes after the numbers, which is
// skipped. Monitoring sessions write profiles (MPI_Monitoring.h), one file for each process or one for all.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "records/exchange/tap.h"
#include "records/matrix/matrix_text.h"
#include "records/matrix/pattern.h"

namespace strata {

/// Letters of the kinds in profiles: those of MessageKind, and R.
inline constexpr const char* kProfileKinds = "EICSR";

/// Appends the line of a kind and pair.
void append_profile_line(std::string& text, MessageKind kind, int sender, int receiver, std::uint64_t bytes,
                         std::uint64_t messages);

namespace matrix_text {

/// Whether a line of a profile begins with this word.
bool begins_profile_line(std::string_view word);
/// Whether these are the first two words of a profile's comment, after `#`: "8 processes", "POINT TO".
bool begins_profile_comment(std::string_view first, std::string_view second);

/// Merges the profiles of the processes of one run.
class Profiles {
 public:
  /// `order`, `kinds` and errors are as for read_matrix_files (matrix_file.h).
  Profiles(int order, std::string kinds) : wanted_order_(order), kinds_(std::move(kinds)) {}

  void read(Lines& lines);

  struct Matrices {
    Pattern bytes, messages;
  };
  /// Call this once, after all files are read; `lines` is for errors.
  Matrices finish(const Lines& lines);

 private:
  void read_size(Words& words, const Lines& lines);
  void read_members(const Lines& lines);
  int name_rank(std::string_view word, const Lines& lines);
  void read_flow(char kind, Words& words, const Lines& lines);

  int wanted_order_;
  int size_ = 0, named_ = 0;  // from "# 8 processes"; one more than the highest rank
  std::string kinds_;
  std::set<char> other_kinds_;
  std::vector<Flow> bytes_, messages_;
};

/// Lines of kind E, with one message each if `messages` is null. There is a line for each pair with bytes or messages:
/// messages of a barrier have no bytes.
std::string format_profile(const Pattern& bytes, const Pattern* messages);

}  // namespace matrix_text
}  // namespace strata
