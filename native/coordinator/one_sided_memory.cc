// SPDX-License-Identifier: LGPL-2.1-only
#include "native/coordinator/one_sided_memory.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "native/board/process_memory.h"

namespace strata::native {
namespace {

template <class T>
T combine(AtomicOperation operation, T old, T operand, T expected) {
  switch (operation) {
    case AtomicOperation::kAdd:
      return old + operand;
    case AtomicOperation::kAnd:
      return old & operand;
    case AtomicOperation::kOr:
      return old | operand;
    case AtomicOperation::kXor:
      return old ^ operand;
    case AtomicOperation::kSwap:
      return operand;
    case AtomicOperation::kCompareAndSwap:
      return old == expected ? operand : old;
  }
  return old;
}

template <class T>
bool operate(pid_t pid, char* operands, const Message& m) {
  T operand, expected, old;
  std::memcpy(&operand, operands, sizeof(T));
  std::memcpy(&expected, operands + sizeof(T), sizeof(T));
  if (!read_memory(pid, m.remote, &old, sizeof(T))) return false;
  T now = combine(static_cast<AtomicOperation>(m.function), old, operand, expected);
  if (!write_memory(pid, m.remote, &now, sizeof(T))) return false;
  std::memcpy(operands, &old, sizeof(T));
  return true;
}

bool perform(Board& board, const Message& m) {
  const pid_t pid = board.slot(m.peer).pid;
  char* const ours = board.at(m.data);
  switch (m.kind) {
    case Kind::kPut:
      return write_memory(pid, m.remote, ours, m.bytes);
    case Kind::kGet:
      return read_memory(pid, m.remote, ours, m.bytes);
    default:
      return m.tag == sizeof(std::uint64_t) ? operate<std::uint64_t>(pid, ours, m)
                                            : operate<std::uint32_t>(pid, ours, m);
  }
}

}  // namespace

void perform_one_sided(Board& board, int rank, const Message& m) {
  if (perform(board, m)) return;
  const int error = errno;
  throw OneSidedFailed(fmt::format("rank {} cannot access {} B of rank {}'s memory: {}{}", rank, m.bytes, m.peer,
                                   std::strerror(error), memory_remedy(error)),
                       error == ESRCH);
}

}  // namespace strata::native
