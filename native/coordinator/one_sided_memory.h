// SPDX-License-Identifier: LGPL-2.1-only
// Moves the data of a one-sided operation between the memories of two processes, at the moment at which it happens. All
// ranks are blocked then, so an atomic operation needs no lock, and operations happen in the order of virtual time.
#pragma once

#include <stdexcept>
#include <string>

#include "native/board/board.h"
#include "native/board/board_message.h"

namespace strata::native {

/// The peer's memory is not accessible there. what() is one line.
struct OneSidedFailed : std::runtime_error {
  OneSidedFailed(const std::string& what, bool has_ended) : std::runtime_error(what), peer_has_ended(has_ended) {}
  bool peer_has_ended;  // its process does not exist any more
};

/// A kPut, kGet or kAtomic of `rank`. Its data, and its operands and result, are in the block `data` of its own arena:
/// for kAtomic the operand, followed by the value to compare with; the old value replaces the operand. Throws
/// OneSidedFailed.
void perform_one_sided(Board& board, int rank, const Message& m);

}  // namespace strata::native
