// SPDX-License-Identifier: LGPL-2.1-only
// The calls of collectives_mpi_program.cc, and the messages of a schedule in the form of recorded ones. For example
// " >1:8 <2": a send of 8 B to rank 1, then a receive from rank 2.
#pragma once

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "collectives/schedules/collective.h"
#include "tests/collectives/proof/recorded_calls.h"

namespace strata::collectives {

inline constexpr int kDouble = 8;  // B

inline std::string function_of(Operation o) {
  std::string name = name_of(o);
  name[0] = static_cast<char>(std::toupper(name[0]));
  return "MPI_" + name;
}

inline bool may_be_in_place(Operation o) {
  return o != Operation::kBcast && o != Operation::kBarrier && o != Operation::kAlltoallv;
}

inline std::string text(const std::vector<Transfer>& transfers) {
  std::string result;
  for (const Transfer& t : transfers) {
    result += (t.is_send ? " >" : " <") + std::to_string(t.peer);
    if (t.is_send) result += ":" + std::to_string(static_cast<long>(t.bytes));
  }
  return result;
}

inline void append_transfers(const Steps& steps, std::int64_t element_bytes, std::vector<Transfer>& transfers) {
  for (const Step& step : steps.list()) {
    if (step.kind == Step::Kind::kReceive) transfers.push_back({false, step.peer, 0});
    if (step.kind == Step::Kind::kSend || step.kind == Step::Kind::kSynchronousSend) {
      transfers.push_back({true, step.peer, static_cast<double>(step.from.bytes(element_bytes))});
    }
  }
}

/// "1,5,33"
template <class Number>
std::string joined(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

/// `otherwise`, or the numbers of ranks in STRATA_PROOF_RANKS.
inline std::vector<int> numbers_of_ranks(const char* otherwise) {
  const char* const chosen = std::getenv("STRATA_PROOF_RANKS");
  std::vector<int> ranks;
  std::istringstream in(chosen == nullptr ? otherwise : chosen);
  for (std::string word; std::getline(in, word, ',');) ranks.push_back(std::stoi(word));
  return ranks;
}

}  // namespace strata::collectives
