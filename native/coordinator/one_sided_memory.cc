// SPDX-License-Identifier: LGPL-2.1-only
#include "native/coordinator/one_sided_memory.h"

#include <sys/uio.h>

#include <cstring>

namespace strata::native {
namespace {

using Copy = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

bool copy(Copy direction, pid_t pid, char* here, std::uint64_t there, std::uint64_t bytes) {
  while (bytes > 0) {
    const iovec ours = {here, bytes}, theirs = {reinterpret_cast<void*>(there), bytes};
    const ssize_t done = direction(pid, &ours, 1, &theirs, 1, 0);
    if (done <= 0) return false;
    here += done;
    there += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::uint64_t>(done);
  }
  return true;
}

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
  if (!copy(::process_vm_readv, pid, reinterpret_cast<char*>(&old), m.remote, sizeof(T))) return false;
  T now = combine(static_cast<AtomicOperation>(m.function), old, operand, expected);
  if (!copy(::process_vm_writev, pid, reinterpret_cast<char*>(&now), m.remote, sizeof(T))) return false;
  std::memcpy(operands, &old, sizeof(T));
  return true;
}

}  // namespace

bool perform_one_sided(Board& board, int /*rank*/, const Message& m) {
  const pid_t pid = board.slot(m.peer).pid;
  char* const ours = board.at(m.data);
  switch (m.kind) {
    case Kind::kPut:
      return copy(::process_vm_writev, pid, ours, m.remote, m.bytes);
    case Kind::kGet:
      return copy(::process_vm_readv, pid, ours, m.remote, m.bytes);
    case Kind::kAtomic:
      return m.tag == sizeof(std::uint64_t) ? operate<std::uint64_t>(pid, ours, m)
                                            : operate<std::uint32_t>(pid, ours, m);
    default:
      return false;
  }
}

}  // namespace strata::native
