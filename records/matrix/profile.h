// SPDX-License-Identifier: LGPL-2.1-only
// A profile (.prof), as Open MPI's monitoring writes it: what each process sent to whom, a line for each kind and pair.
//
//   # 8 processes
//   # POINT TO POINT
//   E	0	1	108 bytes	27 msgs sent
//   I	0	2	8 bytes	2 msgs sent
//   D	MPI_COMM_WORLD	procs: 0,1,2,3,4,5,6,7
//
// Kinds are E (the program's own messages), I (parts of collectives), C (collectives as they are called), S (one-sided)
// and R: what a process reads from another's memory, and so goes from the other to it. "# 8 processes" says how many
// there are; without it there are as many as are named, also by a communicator's line (D). Open MPI's own files have a
// histogram of sizes behind the numbers, which is skipped. Sessions write profiles (MPI_Monitoring.h), a file for each
// process or one for all.
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

/// Letters of the kinds that a profile may have: those of MessageKind, and R.
inline constexpr const char* kProfileKinds = "EICSR";

/// Adds the line of a kind and pair.
void append_profile_line(std::string& text, MessageKind kind, int sender, int receiver, std::uint64_t bytes,
                         std::uint64_t messages);

namespace matrix_text {

/// Whether a line of a profile begins with this word.
bool begins_profile_line(std::string_view word);
/// The same of a comment's first and second word after its `#`: "8 processes", "POINT TO".
bool begins_profile_comment(std::string_view first, std::string_view second);

/// Joins what the profiles of the processes of one run have.
class Profiles {
 public:
  /// `order` and `kinds` are as read_matrix_files' (matrix_file.h); so are the errors.
  Profiles(int order, std::string kinds) : wanted_order_(order), kinds_(std::move(kinds)) {}

  void read(Lines& lines);

  struct Matrices {
    Pattern bytes, messages;
  };
  /// Once, after all are read; `lines` is what errors name.
  Matrices finish(const Lines& lines);

 private:
  void read_size(Words& words, const Lines& lines);
  void read_members(const Lines& lines);
  int name_rank(std::string_view word, const Lines& lines);
  void read_flow(char kind, Words& words, const Lines& lines);

  int wanted_order_;
  int size_ = 0, named_ = 0;  // as a line says; one more than the highest rank
  std::string kinds_;
  std::set<char> other_kinds_;
  std::vector<Flow> bytes_, messages_;
};

/// Lines of kind E, with one message each where `messages` is null. A pair has a line where it has bytes or messages:
/// those of a barrier are empty.
std::string format_profile(const Pattern& bytes, const Pattern* messages);

}  // namespace matrix_text
}  // namespace strata
