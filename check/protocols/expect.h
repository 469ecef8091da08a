// SPDX-License-Identifier: LGPL-2.1-only
// Assertions of the programs in this folder. They must hold in every order of messages that the model checker explores.
//
// A failed assertion prints one line on stderr, "@strata violated rank R: WHAT: expected E, got G". SimGrid's checker
// then ends the exploration and reports the steps so far. Without the checker, the program ends with SIGABRT.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/rank_and_size.h"

namespace strata::check::protocols {

// SimGrid's MC_assert, or null if SimGrid was built without its model checker. It is declared under a different name,
// because SimGrid's headers then define MC_assert as a macro.
extern "C" void tell_checker(int holds) __asm__("MC_assert") __attribute__((weak));

using programs::rank_in;
using programs::size_of;

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

template <class T>
std::string text(const std::vector<T>& list) {
  constexpr std::size_t kShown = 8;  // elements: the start of a long message is enough to see what is wrong
  std::string result = "[";
  for (std::size_t i = 0; i < list.size() && i < kShown; ++i) result += (i > 0 ? " " : "") + text(list[i]);
  return result + (list.size() > kShown ? " ...]" : "]");
}

/// Ends the program, or its exploration.
[[noreturn]] inline void violated(const std::string& what, const std::string& expected, const std::string& got) {
  std::fprintf(stderr, "%s rank %d: %s: expected %s, got %s\n", words::kViolated, rank_in(MPI_COMM_WORLD), what.c_str(),
               expected.c_str(), got.c_str());
  if (tell_checker != nullptr) tell_checker(0);
  std::abort();
}

template <class E, class G>
void expect(const std::string& what, const E& expected, const G& got) {
  if (!(expected == got)) violated(what, text(expected), text(got));
}

inline void succeed(const std::string& what, int code) { expect(what, static_cast<int>(MPI_SUCCESS), code); }

/// Expects the same bits in every execution, for results that must not depend on the order of messages but are not
/// known exactly, such as sums of floating-point numbers. The first execution writes its bits to the file `what` in the
/// current folder, which the checker does not reset between executions.
inline void expect_as_ever(const std::string& what, const std::vector<double>& got) {
  std::vector<double> first(got.size());
  if (std::FILE* in = std::fopen(what.c_str(), "rb")) {
    const std::size_t read = std::fread(first.data(), sizeof(double), first.size(), in);
    std::fclose(in);
    expect(what + ": elements", first.size(), read);
    if (std::memcmp(first.data(), got.data(), got.size() * sizeof(double)) != 0) violated(what, text(first), text(got));
    return;
  }
  std::FILE* out = std::fopen(what.c_str(), "wb");
  if (out == nullptr) violated(what, "a folder that can be written", "none");
  std::fwrite(got.data(), sizeof(double), got.size(), out);
  std::fclose(out);
}

/// The ranks in MPI_COMM_WORLD of a communicator's members, in its order; empty for MPI_COMM_NULL. Local.
inline std::vector<int> members_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {};
  std::vector<int> ranks(size_of(comm)), members(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int>(i);
  MPI_Group all = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(comm, &group);
  MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), all, members.data());
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  return members;
}

}  // namespace strata::check::protocols
